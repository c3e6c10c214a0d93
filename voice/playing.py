"""The generation that is being played, and what a player tells of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from voice.core.clauses import Clause
from voice.core.events import WordPlayed
from voice.pacing import Pace, Reel, WordCursor


class PlayerEvents(Protocol):
    """What a player tells its call."""

    def play_started(self, generation: int) -> None:
        """The first sound goes out."""

    def play_progressed(self, generation: int, words: Sequence[WordPlayed]) -> None:
        """More was heard; `words` are those whose sound has begun since."""

    def play_ended(self, generation: int) -> None:
        """All of it was heard."""

    def play_failed(self, generation: int, error: Exception) -> None:
        """What exists of it was heard, or nothing is played: no more of it will be."""

    def play_cleared(self, generation: int) -> None:
        """It was stopped, and what was heard of it is final."""


@dataclass(slots=True, eq=False)
class Live:
    """The generation that is being played."""

    generation: int
    language: str
    pace: Pace
    clauses: asyncio.Queue[Clause | None] = field(default_factory=asyncio.Queue)
    reels: list[Reel] = field(default_factory=list)
    words: WordCursor = field(default_factory=WordCursor)
    room: asyncio.Event = field(default_factory=asyncio.Event)
    started: bool = False
    recalling: bool = False
    failed: Exception | None = None
    moved_ms: int = 0
    task: asyncio.Task[None] | None = None
