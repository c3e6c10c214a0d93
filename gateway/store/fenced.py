"""A transaction on one thread, by the owner who holds its epoch."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import TypeAlias

from gateway.core.errors import IllegalEvent, LeaseLost, NotFound


class Fenced:
    """A transaction on one thread by the owner who holds `epoch`."""

    def __init__(self, connection: sqlite3.Connection, thread: str, epoch: int) -> None:
        self.thread = thread
        self.epoch = epoch
        self._connection = connection

    def change(self, sql: str, *values: object) -> int:
        """Run one statement; how many rows it changed."""
        return self._connection.execute(sql, values).rowcount

    def must(self, why: str, sql: str, *values: object) -> None:
        """Run one statement that has to change a row."""
        if self.change(sql, *values) == 0:
            raise IllegalEvent(f"thread {self.thread}: {why}")

    def row(self, sql: str, *values: object) -> tuple[str | None, ...] | None:
        """The first row of a query."""
        found: tuple[str | None, ...] | None = self._connection.execute(sql, values).fetchone()
        return found


Step: TypeAlias = Callable[[Fenced], None]


def commit(connection: sqlite3.Connection, thread: str, epoch: int, steps: Sequence[Step]) -> None:
    """All steps, if `epoch` is still the thread's.

    Raises:
        LeaseLost: it is not, or the thread is gone.
    """
    fenced = Fenced(connection, thread, epoch)
    held = fenced.change(
        "UPDATE thread SET epoch = epoch WHERE id = ? AND epoch = ?", thread, epoch
    )
    if held == 0:
        raise LeaseLost(f"thread {thread} is no longer held at epoch {epoch}")
    for step in steps:
        step(fenced)


def acquire(connection: sqlite3.Connection, thread: str, owner: str) -> int:
    """Raise the thread's epoch by one; the new one, which `owner` holds from now on."""
    fenced = Fenced(connection, thread, 0)
    changed = fenced.change(
        "UPDATE thread SET epoch = epoch + 1, owner = ? WHERE id = ?", owner, thread
    )
    if changed == 0:
        raise NotFound(f"no thread {thread}")
    (epoch,) = connection.execute("SELECT epoch FROM thread WHERE id = ?", (thread,)).fetchone()
    return int(epoch)


def insert_members(fenced: Fenced, members: Sequence[str]) -> None:
    """Store the members of a thread that has none stored, in their order."""
    for position, principal in enumerate(members):
        fenced.change(
            "INSERT INTO member (thread, position, principal) VALUES (?, ?, ?)",
            fenced.thread,
            position,
            principal,
        )
