"""What a channel of programs knows of single inputs, and who watches them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar


@dataclass(eq=False)
class Watched:
    """An input of a thread, by its id: how it stands, and the run that it started or joined."""

    thread: str
    dedup: str
    input: Mapping[str, Any] = field(default_factory=dict)
    run: str = ""
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def outcome(self) -> str:
        """The input's outcome, "" while it has none."""
        return str(self.input.get("outcome") or "")


W = TypeVar("W", bound=Watched)


class Watches(Generic[W]):
    """Those that are to be told, by their threads."""

    def __init__(self) -> None:
        self._on: dict[str, list[W]] = {}

    def add(self, one: W) -> W:
        """Keep this one told until it is removed."""
        self._on.setdefault(one.thread, []).append(one)
        return one

    def remove(self, one: W) -> None:
        """Tell it nothing more; idempotent."""
        on = self._on.get(one.thread, [])
        if one in on:
            on.remove(one)
        if not on:
            self._on.pop(one.thread, None)

    def of(self, thread: str) -> list[W]:
        """Those of a thread; one may be removed meanwhile."""
        return list(self._on.get(thread, ()))
