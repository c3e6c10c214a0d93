"""Transactions that need no lease: accept an input, make and remove a thread."""

from __future__ import annotations

import sqlite3

from gateway.core.errors import NotFound
from gateway.ports.rows import InputRow, ThreadRow
from gateway.store import files
from gateway.store.codec import stamp
from gateway.store.fenced import Fenced, insert_members


def insert_input(connection: sqlite3.Connection, row: InputRow, body: str) -> tuple[int, bool]:
    """The input's sequence, and whether it is new; where its `dedup` is known nothing is written.

    Raises:
        NotFound: no such thread.
    """
    new = row.new
    known = connection.execute("SELECT seq FROM inbox WHERE dedup = ?", (new.dedup,)).fetchone()
    if known:
        return int(known[0]), False
    changed = connection.execute(
        "UPDATE thread SET inbox_next = inbox_next + 1 WHERE id = ?", (new.thread,)
    ).rowcount
    if changed == 0:
        raise NotFound(f"no thread {new.thread}")
    (seq,) = connection.execute(
        "SELECT inbox_next FROM thread WHERE id = ?", (new.thread,)
    ).fetchone()
    connection.execute(
        "INSERT INTO inbox"
        " (thread, seq, dedup, state, priority, outcome, principal, accepted_at, body)"
        " VALUES (?, ?, ?, ?, ?, NULL, ?, ?, ?)",
        (
            new.thread,
            seq,
            new.dedup,
            row.state.value,
            int(row.priority),
            new.principal,
            stamp(row.accepted_at),
            body,
        ),
    )
    for blob in {attachment.blob for attachment in new.attachments}:
        connection.execute(
            "INSERT INTO attachment (thread, seq, blob) VALUES (?, ?, ?)", (new.thread, seq, blob)
        )
        files.sent(connection, blob, new.principal)
    return int(seq), True


def insert_thread(connection: sqlite3.Connection, row: ThreadRow, body: str, created: str) -> bool:
    """Make the thread unless it is there; whether it was made."""
    changed = connection.execute(
        "INSERT INTO thread (id, principal, private, epoch, inbox_next, head, leaf, branch,"
        " created_at, body) VALUES (?, ?, ?, 0, 0, 0, 0, 0, ?, ?) ON CONFLICT (id) DO NOTHING",
        (row.id, row.owner, int(row.private), created, body),
    ).rowcount
    if changed:
        insert_members(Fenced(connection, row.id, 0), row.members)
    return bool(changed)


def delete_thread(connection: sqlite3.Connection, thread: str) -> None:
    """Remove the thread with everything that belongs to it, and the files that only it needed."""
    blobs = connection.execute(
        "SELECT DISTINCT blob FROM attachment WHERE thread = ?", (thread,)
    ).fetchall()
    connection.execute("DELETE FROM thread WHERE id = ?", (thread,))
    for (blob,) in blobs:
        files.drop_unneeded(connection, blob)
