"""What Telegram's channel keeps, and pairings."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from gateway.ports.pairing import PairingRow
from gateway.ports.telegram import ButtonRow, ChatRow, DeliveryRow, HeldUpdate, PersonRow
from gateway.store.codec import moment, stamp
from gateway.store.rows import Reader, Row

BUTTON = "SELECT token, kind, chat, message, subject, kept_at, body FROM telegram_button"
DELIVERY = "SELECT id, place, state, kept_at, body FROM telegram_delivery"


def _text(body: dict[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False)


# -- updates ---------------------------------------------------------------------------------------


def hold_update(connection: sqlite3.Connection, update: HeldUpdate) -> bool:
    """Keep an update; False where it is known."""
    changed = connection.execute(
        "INSERT INTO telegram_update (bot, id, done, kept_at, body) VALUES (?, ?, 0, ?, ?)"
        " ON CONFLICT (bot, id) DO NOTHING",
        (update.bot, update.id, stamp(update.at), _text(update.body)),
    ).rowcount
    return changed == 1


def updates_done(connection: sqlite3.Connection, bot: str, ids: Sequence[int]) -> None:
    """These are done; their words are not kept."""
    connection.executemany(
        "UPDATE telegram_update SET done = 1, body = '{}' WHERE bot = ? AND id = ?",
        [(bot, id_) for id_ in ids],
    )


def held_updates(reader: Reader, bot: str) -> list[HeldUpdate]:
    """The updates that are not done, in order."""
    rows = reader.rows(
        "SELECT bot, id, body, kept_at FROM telegram_update WHERE bot = ? AND done = 0 ORDER BY id",
        bot,
    )
    return [update for row in rows for update in reader.keep("telegram update", _held, row)]


def known_updates(reader: Reader, bot: str) -> list[int]:
    """The updates that were held."""
    return [row[0] for row in reader.rows("SELECT id FROM telegram_update WHERE bot = ?", bot)]


def _held(row: Row) -> HeldUpdate:
    bot, id_, body, kept_at = row
    return HeldUpdate(bot=bot, id=id_, body=json.loads(body), at=moment(kept_at))


# -- deliveries ------------------------------------------------------------------------------------


def put_delivery(connection: sqlite3.Connection, row: DeliveryRow) -> None:
    """Keep a delivery, over an earlier state of it."""
    connection.execute(
        "INSERT INTO telegram_delivery (id, place, position, state, kept_at, body) VALUES"
        " (?, ?, (SELECT coalesce(max(position), 0) + 1 FROM telegram_delivery), ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET state = excluded.state, body = excluded.body",
        (row.id, row.place, row.state, stamp(row.kept_at), _text(row.body)),
    )


def add_delivery(connection: sqlite3.Connection, row: DeliveryRow) -> bool:
    """Keep a delivery where its id is new."""
    known = connection.execute("SELECT 1 FROM telegram_delivery WHERE id = ?", (row.id,))
    if known.fetchone():
        return False
    put_delivery(connection, row)
    return True


def delivery(reader: Reader, id_: str) -> DeliveryRow | None:
    """One delivery."""
    rows = reader.rows(f"{DELIVERY} WHERE id = ?", id_)
    found = [one for row in rows for one in reader.keep("telegram delivery", _delivery, row)]
    return found[0] if found else None


def open_deliveries(reader: Reader) -> list[DeliveryRow]:
    """What is not visible yet."""
    rows = reader.rows(f"{DELIVERY} WHERE state = 'open' ORDER BY position")
    return [one for row in rows for one in reader.keep("telegram delivery", _delivery, row)]


def _delivery(row: Row) -> DeliveryRow:
    id_, place, state, kept_at, body = row
    return DeliveryRow(
        id=id_, place=place, state=state, kept_at=moment(kept_at), body=json.loads(body)
    )


# -- buttons ---------------------------------------------------------------------------------------


def add_buttons(connection: sqlite3.Connection, buttons: Sequence[ButtonRow]) -> None:
    """Keep buttons."""
    connection.executemany(
        "INSERT INTO telegram_button (token, kind, chat, message, subject, kept_at, body)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (b.token, b.kind, b.chat, b.message, b.subject, stamp(b.kept_at), _text(b.body))
            for b in buttons
        ],
    )


def change_buttons(connection: sqlite3.Connection, buttons: Sequence[ButtonRow]) -> None:
    """What these buttons stand for now."""
    connection.executemany(
        "UPDATE telegram_button SET body = ? WHERE token = ?",
        [(_text(button.body), button.token) for button in buttons],
    )


def place_buttons(connection: sqlite3.Connection, tokens: Sequence[str], message: int) -> None:
    """The message that these buttons stand on."""
    connection.executemany(
        "UPDATE telegram_button SET message = ? WHERE token = ?",
        [(message, token) for token in tokens],
    )


def button(reader: Reader, token: str) -> ButtonRow | None:
    """What a token stands for."""
    found = _buttons(reader, "token = ?", token)
    return found[0] if found else None


def buttons_of(reader: Reader, subject: str) -> list[ButtonRow]:
    """The buttons about something."""
    return _buttons(reader, "subject = ?", subject)


def buttons_on(reader: Reader, chat: int, message: int) -> list[ButtonRow]:
    """The buttons on a message."""
    return _buttons(reader, "chat = ? AND message = ?", chat, message)


def _buttons(reader: Reader, where: str, *values: object) -> list[ButtonRow]:
    rows = reader.rows(f"{BUTTON} WHERE {where} ORDER BY token", *values)
    return [one for row in rows for one in reader.keep("telegram button", _button, row)]


def _button(row: Row) -> ButtonRow:
    token, kind, chat, message, subject, kept_at, body = row
    return ButtonRow(
        token=token,
        kind=kind,
        chat=chat,
        message=message,
        subject=subject,
        kept_at=moment(kept_at),
        body=json.loads(body),
    )


# -- chats -----------------------------------------------------------------------------------------


def put_chat(connection: sqlite3.Connection, row: ChatRow) -> None:
    """Remember a chat."""
    connection.execute(
        "INSERT INTO telegram_chat (chat, unreachable, home) VALUES (?, ?, ?)"
        " ON CONFLICT (chat) DO UPDATE"
        " SET unreachable = excluded.unreachable, home = excluded.home",
        (row.chat, int(row.unreachable), row.home),
    )


def chats(reader: Reader) -> list[ChatRow]:
    """Every remembered chat."""
    rows = reader.rows("SELECT chat, unreachable, home FROM telegram_chat ORDER BY chat")
    return [ChatRow(chat=chat, unreachable=bool(off), home=home) for chat, off, home in rows]


def put_person(connection: sqlite3.Connection, row: PersonRow) -> None:
    """Remember a person."""
    connection.execute(
        "INSERT INTO telegram_person (principal, language, chosen) VALUES (?, ?, ?)"
        " ON CONFLICT (principal) DO UPDATE"
        " SET language = excluded.language, chosen = excluded.chosen",
        (row.principal, row.language, int(row.chosen)),
    )


def people(reader: Reader) -> list[PersonRow]:
    """Every remembered person."""
    rows = reader.rows("SELECT principal, language, chosen FROM telegram_person ORDER BY principal")
    return [PersonRow(principal=who, language=tongue, chosen=bool(c)) for who, tongue, c in rows]


def prune(connection: sqlite3.Connection, before: datetime) -> None:
    """Forget what is over and old; a button outlives whatever it could still be pressed for."""
    at = stamp(before)
    connection.execute("DELETE FROM telegram_update WHERE done = 1 AND kept_at < ?", (at,))
    connection.execute("DELETE FROM telegram_delivery WHERE state <> 'open' AND kept_at < ?", (at,))


# -- pairing ---------------------------------------------------------------------------------------


def put_pairing(connection: sqlite3.Connection, row: PairingRow) -> None:
    """Keep a pairing, over an earlier one."""
    connection.execute(
        "INSERT INTO pairing (channel, principal, name, code, asked_at, approved_at, revoked_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (channel, principal) DO UPDATE SET"
        " name = excluded.name, code = excluded.code, asked_at = excluded.asked_at,"
        " approved_at = excluded.approved_at, revoked_at = excluded.revoked_at",
        (
            row.channel,
            row.principal,
            row.name,
            row.code,
            stamp(row.asked_at),
            None if row.approved_at is None else stamp(row.approved_at),
            None if row.revoked_at is None else stamp(row.revoked_at),
        ),
    )


def pairings(reader: Reader) -> list[PairingRow]:
    """Every pairing, in the order asked."""
    rows = reader.rows(
        "SELECT channel, principal, name, code, asked_at, approved_at, revoked_at FROM pairing"
        " ORDER BY asked_at, principal"
    )
    return [one for row in rows for one in reader.keep("pairing", _pairing, row)]


def _pairing(row: Row) -> PairingRow:
    channel, principal, name, code, asked_at, approved_at, revoked_at = row
    return PairingRow(
        channel=channel,
        principal=principal,
        name=name,
        code=code,
        asked_at=moment(asked_at),
        approved_at=None if approved_at is None else moment(approved_at),
        revoked_at=None if revoked_at is None else moment(revoked_at),
    )
