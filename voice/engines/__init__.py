"""Ears and voices: each third-party engine behind the ports, in a thread of its own."""
