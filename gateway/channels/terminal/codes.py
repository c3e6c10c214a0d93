"""What `bargein chat` ends with."""

OK, FAILED, ASKED = 0, 1, 3
"""The reply was whole; something failed; a question was left open."""
