"""The pure core: no I/O, no clock, no chance. Everything comes in as arguments."""
