"""Telegram: in by polling or webhook, out by lanes, one a chat. Loaded where a token is set."""
