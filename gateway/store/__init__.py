"""Durable truth: SQLite in one file, for one process."""
