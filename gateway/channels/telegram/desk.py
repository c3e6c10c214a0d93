"""What the inbox works with, and what it says and asks of the outgoing side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from gateway.channels.engine import Engine
from gateway.channels.spoken import Spoken
from gateway.channels.telegram.chats import Chats
from gateway.channels.telegram.edits import Edits
from gateway.channels.telegram.files import Files
from gateway.channels.telegram.gate import Gate
from gateway.channels.telegram.incoming import Incoming
from gateway.channels.telegram.names import CHANNEL, Place
from gateway.channels.telegram.pairs import Pairs
from gateway.channels.telegram.presses import Presses
from gateway.channels.telegram.tongues import Tongues
from gateway.core.messages import Json
from gateway.ports.clock import Clock
from gateway.ports.rows import ThreadRow
from gateway.ports.store import Store
from gateway.ports.telegram import TelegramStore
from gateway.supervise import Supervisor


class Out(Protocol):
    """What the inbox says and asks of the outgoing side."""

    def say(
        self,
        place: Place,
        code: str,
        language: str,
        params: Mapping[str, Json] | None = None,
        *,
        reply_to: int | None = None,
    ) -> None:
        """Tell something."""

    def heard(self, item: Incoming, place: Place) -> None:
        """A person wrote: what a question to them replies to."""

    def busy(self, thread: str, principal: str) -> bool:
        """Whether a run of this person is on there."""

    def answers(self, thread: str, principal: str, text: str) -> bool:
        """Whether this person is asked something there that the text answers, stops or skips."""

    def drafted(self, draft: int) -> str | None:
        """The run whose draft this is; None where it is over."""

    def lost(self, home: int) -> None:
        """Nobody can be told there any more."""


@dataclass(slots=True)
class Desk:
    """What the inbox works with."""

    bot: int
    engine: Engine
    store: Store
    keep: TelegramStore
    chats: Chats
    gate: Gate
    files: Files
    out: Out
    pairs: Pairs
    presses: Presses
    edits: Edits
    tongues: Tongues
    clock: Clock
    supervisor: Supervisor
    report: Callable[[str, BaseException], str]
    mentions_only: bool = True
    spoken: Spoken | None = None
    username: str = ""
    groups: set[str] = field(default_factory=set)

    async def make_group(self, place: Place) -> None:
        """A group's thread is everybody's who may talk there."""
        if place.thread not in self.groups:
            row = ThreadRow(
                id=place.thread,
                private=False,
                owner=f"{CHANNEL}:{place.chat}",
                created_at=self.clock.now(),
            )
            await self.store.make_thread(row)
            self.groups.add(place.thread)
