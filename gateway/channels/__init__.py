"""The sides that people are on."""
