"""The only sources of time and chance."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The only source of time."""

    def now(self) -> datetime:
        """The moment, aware, in UTC."""

    def monotonic(self) -> float:
        """Seconds that never go back."""


class Ids(Protocol):
    """The only source of chance."""

    def uuid(self) -> str:
        """A new uuid4: at least 122 random bits."""
