"""Which chats can be reached, and under which number a group's threads go on."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from gateway.ports.telegram import ChatRow, TelegramStore


@dataclass(slots=True)
class Chats:
    """Known in memory, kept in the store. `later` runs what has to be stored."""

    keep: TelegramStore
    later: Callable[[Coroutine[Any, Any, None]], object]
    _unreachable: set[int] = field(default_factory=set)
    _homes: dict[int, int] = field(default_factory=dict)
    _now: dict[int, int] = field(default_factory=dict)

    async def load(self) -> None:
        """Read what is kept."""
        for row in await self.keep.chats():
            self._homes[row.chat] = row.home
            if row.chat != row.home:
                self._now[row.home] = row.chat
            if row.unreachable:
                self._unreachable.add(row.home)

    def home(self, chat: int) -> int:
        """The number that the chat's threads are named by."""
        return self._homes.get(chat, chat)

    def now_at(self, home: int) -> int:
        """The number that the chat has now."""
        return self._now.get(home, home)

    def reachable(self, home: int) -> bool:
        """Whether the bot may write there, as far as is known."""
        return home not in self._unreachable

    @property
    def unreachable(self) -> frozenset[int]:
        """The chats where nobody can be told anything."""
        return frozenset(self._unreachable)

    def reached(self, home: int) -> None:
        """Somebody wrote there, or let the bot in again."""
        if home in self._unreachable:
            self._unreachable.discard(home)
            self._save(home)

    def lost(self, home: int) -> None:
        """The bot was blocked or put out."""
        if home not in self._unreachable:
            self._unreachable.add(home)
            self._save(home)

    def moved(self, old: int, new: int) -> None:
        """A group goes on under another number; its threads keep their names."""
        home = self.home(old)
        self._homes[new] = home
        self._now[home] = new
        self._save(home)

    async def store(self, home: int) -> None:
        """Keep what is known of a chat."""
        row = ChatRow(chat=self.now_at(home), unreachable=not self.reachable(home), home=home)
        await self.keep.put_chat(row)

    def _save(self, home: int) -> None:
        self.later(self.store(home))
