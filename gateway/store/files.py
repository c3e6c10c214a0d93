"""Pictures and files, and who brought those that are in no message yet."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from datetime import datetime

from gateway.core.errors import NotFound
from gateway.store.codec import stamp
from gateway.store.fenced import Fenced
from gateway.store.rows import Reader

NEEDED_BY_NOBODY = (
    "NOT EXISTS (SELECT 1 FROM attachment WHERE attachment.blob = blob.id)"
    " AND NOT EXISTS (SELECT 1 FROM upload WHERE upload.blob = blob.id)"
)


def insert(
    connection: sqlite3.Connection, data: bytes, media_type: str, principal: str, now: datetime
) -> str:
    """Keep the bytes for whoever brought them; their SHA-256."""
    key = hashlib.sha256(data).hexdigest()
    connection.execute(
        "INSERT INTO blob (id, media_type, data) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING",
        (key, media_type, data),
    )
    _keep(connection, key, principal, now)
    return key


def hold(
    connection: sqlite3.Connection, key: str, principal: str, now: datetime
) -> tuple[str, int]:
    """The file's media type and length; the time for which it is kept begins anew.

    Raises:
        NotFound: no such key.
    """
    found = connection.execute(
        "SELECT media_type, length(data) FROM blob WHERE id = ?", (key,)
    ).fetchone()
    if found is None:
        raise NotFound(f"no file {key}")
    _keep(connection, key, principal, now)
    return str(found[0]), int(found[1])


def sent(connection: sqlite3.Connection, key: str, principal: str) -> None:
    """The file is in a message of this person's: that one needs it now."""
    connection.execute(
        "DELETE FROM upload WHERE blob = ? AND principal IN (?, '')", (key, principal)
    )


def said(fenced: Fenced, keys: Iterable[str]) -> None:
    """These files are in something said that is no input of the thread's (it joined a run by its
    handle, or is said anew): it needs them now. For the people of the thread they count as sent.
    """
    for key in keys:
        fenced.change(
            "INSERT INTO attachment (thread, seq, blob) VALUES (?, 0, ?)"
            " ON CONFLICT (thread, seq, blob) DO NOTHING",
            fenced.thread,
            key,
        )
        fenced.change(
            "DELETE FROM upload WHERE blob = ? AND (principal IN"
            " (SELECT principal FROM member WHERE thread = ?)"
            " OR principal = (SELECT principal FROM thread WHERE id = ?))",
            key,
            fenced.thread,
            fenced.thread,
        )


def drop_unsent(connection: sqlite3.Connection, before: datetime) -> int:
    """Remove the files that nobody has sent since then; how many."""
    connection.execute("DELETE FROM upload WHERE kept_at < ?", (stamp(before),))
    return connection.execute(f"DELETE FROM blob WHERE {NEEDED_BY_NOBODY}").rowcount


def drop_unneeded(connection: sqlite3.Connection, key: str) -> None:
    """Remove a file unless a message needs it, or somebody may still send it."""
    connection.execute(f"DELETE FROM blob WHERE id = ? AND {NEEDED_BY_NOBODY}", (key,))


def read(reader: Reader, key: str) -> tuple[bytes, str]:
    """The bytes and their media type.

    Raises:
        NotFound: no such key.
    """
    for data, media_type in reader.rows("SELECT data, media_type FROM blob WHERE id = ?", key):
        return data, media_type
    raise NotFound(f"no file {key}")


def threads(reader: Reader, key: str) -> list[str]:
    """The threads on which a file was attached to something said."""
    return [row[0] for row in reader.rows("SELECT thread FROM attachment WHERE blob = ?", key)]


def brought_by(reader: Reader, key: str, principal: str) -> bool:
    """Whether this person brought the file and has not sent it."""
    sql = "SELECT 1 FROM upload WHERE blob = ? AND principal = ?"
    return bool(reader.rows(sql, key, principal))


def _keep(connection: sqlite3.Connection, key: str, principal: str, now: datetime) -> None:
    connection.execute(
        "INSERT INTO upload (blob, principal, kept_at) VALUES (?, ?, ?)"
        " ON CONFLICT (blob, principal) DO UPDATE SET kept_at = excluded.kept_at",
        (key, principal, stamp(now)),
    )
