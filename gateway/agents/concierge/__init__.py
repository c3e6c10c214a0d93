"""The demo agent "concierge": what it reads, what it says, and real tools. A model drives it."""
