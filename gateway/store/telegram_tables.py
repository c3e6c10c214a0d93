"""`TelegramStore` and `Pairings` on the tables of an SQLite file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any

from gateway.ports.pairing import PairingRow
from gateway.ports.telegram import ButtonRow, ChatRow, DeliveryRow, HeldUpdate, PersonRow
from gateway.store import telegram


class TelegramTables:
    """`write` and `read` run a function on the file's connections, as one transaction."""

    def __init__(
        self, write: Callable[..., Awaitable[Any]], read: Callable[..., Awaitable[Any]]
    ) -> None:
        self._write = write
        self._read = read

    async def hold_update(self, update: HeldUpdate) -> bool:
        return bool(await self._write(telegram.hold_update, update))

    async def held_updates(self, bot: str) -> list[HeldUpdate]:
        held: list[HeldUpdate] = await self._read(telegram.held_updates, bot)
        return held

    async def updates_done(self, bot: str, ids: Sequence[int]) -> None:
        await self._write(telegram.updates_done, bot, ids)

    async def known_updates(self, bot: str) -> list[int]:
        ids: list[int] = await self._read(telegram.known_updates, bot)
        return ids

    async def put_delivery(self, row: DeliveryRow) -> None:
        await self._write(telegram.put_delivery, row)

    async def add_delivery(self, row: DeliveryRow) -> bool:
        return bool(await self._write(telegram.add_delivery, row))

    async def delivery(self, id_: str) -> DeliveryRow | None:
        row: DeliveryRow | None = await self._read(telegram.delivery, id_)
        return row

    async def open_deliveries(self) -> list[DeliveryRow]:
        rows: list[DeliveryRow] = await self._read(telegram.open_deliveries)
        return rows

    async def add_buttons(self, buttons: Sequence[ButtonRow]) -> None:
        await self._write(telegram.add_buttons, buttons)

    async def change_buttons(self, buttons: Sequence[ButtonRow]) -> None:
        await self._write(telegram.change_buttons, buttons)

    async def place_buttons(self, tokens: Sequence[str], message: int) -> None:
        await self._write(telegram.place_buttons, tokens, message)

    async def button(self, token: str) -> ButtonRow | None:
        row: ButtonRow | None = await self._read(telegram.button, token)
        return row

    async def buttons_of(self, subject: str) -> list[ButtonRow]:
        rows: list[ButtonRow] = await self._read(telegram.buttons_of, subject)
        return rows

    async def buttons_on(self, chat: int, message: int) -> list[ButtonRow]:
        rows: list[ButtonRow] = await self._read(telegram.buttons_on, chat, message)
        return rows

    async def put_chat(self, row: ChatRow) -> None:
        await self._write(telegram.put_chat, row)

    async def chats(self) -> list[ChatRow]:
        rows: list[ChatRow] = await self._read(telegram.chats)
        return rows

    async def put_person(self, row: PersonRow) -> None:
        await self._write(telegram.put_person, row)

    async def people(self) -> list[PersonRow]:
        rows: list[PersonRow] = await self._read(telegram.people)
        return rows

    async def prune(self, before: datetime) -> None:
        await self._write(telegram.prune, before)

    async def put_pairing(self, row: PairingRow) -> None:
        await self._write(telegram.put_pairing, row)

    async def pairings(self) -> list[PairingRow]:
        rows: list[PairingRow] = await self._read(telegram.pairings)
        return rows
