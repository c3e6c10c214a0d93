"""The terminal: a line editor under a conversation that goes on, and a plain mode for pipes."""
