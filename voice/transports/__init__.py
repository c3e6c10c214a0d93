"""The caller's ends of a call."""
