"""What Telegram's channel keeps: held updates, deliveries, buttons, chats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldUpdate:
    """An update as Telegram sent it, that can't be an input of its own yet; kept at `at`."""

    bot: str
    id: int
    body: dict[str, Any]
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryRow:
    """Something that has to become visible: `state` is open, done or dead.

    `place` is the thread it belongs to; `body` what it is and how far it got.
    """

    id: str
    place: str
    state: str
    kept_at: datetime
    body: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonRow:
    """What a button's token stands for. `subject` is the prompt, run or input it is about."""

    token: str
    kind: str
    chat: int
    subject: str
    kept_at: datetime
    message: int | None = None
    body: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRow:
    """A chat that can't be reached, or that goes on under another number than its thread's."""

    chat: int
    unreachable: bool
    home: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRow:
    """A person's language, `chosen` by themself or else their client's."""

    principal: str
    language: str
    chosen: bool = False


class TelegramStore(Protocol):
    """Every write is one whole transaction; a returned call is on disk."""

    async def hold_update(self, update: HeldUpdate) -> bool:
        """Keep an update until it is done; False where it is known."""

    async def held_updates(self, bot: str) -> list[HeldUpdate]:
        """The updates that are not done, in order of their ids."""

    async def updates_done(self, bot: str, ids: Sequence[int]) -> None:
        """These became inputs, or nothing."""

    async def known_updates(self, bot: str) -> list[int]:
        """The updates that were held, done or not, as far as they are remembered."""

    async def put_delivery(self, row: DeliveryRow) -> None:
        """Keep a delivery; one with this id is replaced, and keeps its place."""

    async def add_delivery(self, row: DeliveryRow) -> bool:
        """Keep a new delivery; False, and nothing changed, where its id is known."""

    async def delivery(self, id_: str) -> DeliveryRow | None:
        """One delivery."""

    async def open_deliveries(self) -> list[DeliveryRow]:
        """What is not visible yet, in the order handed over."""

    async def add_buttons(self, buttons: Sequence[ButtonRow]) -> None:
        """Keep buttons, before anybody can press them."""

    async def change_buttons(self, buttons: Sequence[ButtonRow]) -> None:
        """What these buttons stand for now."""

    async def place_buttons(self, tokens: Sequence[str], message: int) -> None:
        """The message on which these buttons stand."""

    async def button(self, token: str) -> ButtonRow | None:
        """What a token stands for."""

    async def buttons_of(self, subject: str) -> list[ButtonRow]:
        """The buttons of a prompt, run or input."""

    async def buttons_on(self, chat: int, message: int) -> list[ButtonRow]:
        """The buttons on a message."""

    async def put_chat(self, row: ChatRow) -> None:
        """Remember a chat."""

    async def chats(self) -> list[ChatRow]:
        """Every remembered chat."""

    async def put_person(self, row: PersonRow) -> None:
        """Remember a person."""

    async def people(self) -> list[PersonRow]:
        """Every remembered person."""

    async def prune(self, before: datetime) -> None:
        """Forget what is over and was kept before this moment."""
