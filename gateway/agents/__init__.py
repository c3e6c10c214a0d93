"""Rims that answer: models by provider, and agents elsewhere."""
