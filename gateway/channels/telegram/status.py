"""Typing while something is worked on, and where a message stands as a reaction to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gateway.channels.telegram.chats import Chats
from gateway.channels.telegram.limits import Overall
from gateway.channels.telegram.names import Place, place_of
from gateway.channels.telegram.sender import Sender
from gateway.core.messages import Json
from gateway.supervise import Caught, Supervisor, guarded_await

TYPING_SECONDS = 4.5
"""Telegram shows it for about five."""
LONGEST_TYPING_SECONDS = 3_600.0

QUEUED, WORKING, DONE, INTERRUPTED, FAILED = "👀", "✍", "👌", "🤷", "💔"
_OUTCOMES = {
    "answered": DONE,
    "steered": DONE,
    "merged": DONE,
    "interrupted": INTERRUPTED,
    "returned": INTERRUPTED,
    "failed": FAILED,
    "dropped": FAILED,
}
_STATES = {"waiting": QUEUED, "running": WORKING}


def reaction_of(data: Mapping[str, Json]) -> str | None:
    """The reaction for where an input stands; None: none of its own."""
    if data["kind"] != "text":
        return None
    outcome = data["outcome"]
    if isinstance(outcome, str):
        return _OUTCOMES.get(outcome)
    return _STATES.get(str(data["state"]))


@dataclass(slots=True)
class Status:
    """Both are best effort: the latest counts, nothing is repeated, other calls go first."""

    sender: Sender
    chats: Chats
    overall: Overall
    supervisor: Supervisor
    working: Callable[[str], bool]
    reactions: bool = True
    _typing: set[str] = field(default_factory=set)
    _wanted: dict[tuple[int, int], str] = field(default_factory=dict)
    _reacting: set[tuple[int, int]] = field(default_factory=set)
    _closed: bool = False

    def close(self) -> None:
        """Nothing more."""
        self._closed = True

    def work(self, thread: str) -> None:
        """Something began or ended to be worked on."""
        place = place_of(thread)
        if place is not None and thread not in self._typing and self.working(thread):
            self._typing.add(thread)
            self.supervisor.spawn(self._type(thread, place), name="telegram typing")

    async def _type(self, thread: str, place: Place) -> None:
        left = LONGEST_TYPING_SECONDS
        while self.working(thread) and left > 0 and not self._closed:
            if not self.chats.reachable(place.chat):
                break
            await self.overall.turn(urgent=False)
            typed = self.sender.typing(self.chats.now_at(place.chat), place.topic)
            if isinstance(await guarded_await(typed), Caught):
                break
            await asyncio.sleep(TYPING_SECONDS)
            left -= TYPING_SECONDS
        self._typing.discard(thread)

    def react(self, chat: int, message: int, emoji: str) -> None:
        """Let a message have this reaction."""
        key = (chat, message)
        if not self.reactions or self._closed or not self.chats.reachable(chat):
            return
        self._wanted[key] = emoji
        if key not in self._reacting:
            self._reacting.add(key)
            self.supervisor.spawn(self._react(key), name="telegram reaction")

    async def _react(self, key: tuple[int, int]) -> None:
        while key in self._wanted and not self._closed:
            await self.overall.turn(urgent=False)
            emoji = self._wanted.pop(key)
            await guarded_await(self.sender.react(self.chats.now_at(key[0]), key[1], emoji))
        self._reacting.discard(key)
