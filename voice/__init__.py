"""The voice half of Bargein: hearing, speaking, and giving way to the caller."""
