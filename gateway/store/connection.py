"""Opening a file: the lock that keeps a second process out, the connections, the group commit."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from gateway.core.errors import StoreFailed
from gateway.store.failures import as_gateway_error
from gateway.supervise import Caught, guarded

RESET_BUG_FIXED = (3, 51, 3)
"""Older ones may lose a commit where two connections write and checkpoint at once."""
GROUP_LIMIT = 512
"""The most transactions that share one commit."""


class FileLock:
    """The lock beside a database file: one process a file, freed by the kernel when it dies."""

    def __init__(self, path: Path, owner: str) -> None:
        self._file = os.open(
            path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
        )
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(self._file, 200, 0).decode("utf-8", "replace").strip()
            os.close(self._file)
            raise StoreFailed(
                "STORE_LOCKED", f"{path} is in use by another process: {holder}", path=str(path)
            ) from None
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{owner} (pid {os.getpid()})\n".encode(), 0)

    def release(self) -> None:
        """Let the next process in. The file stays: removing it would let two in."""
        os.close(self._file)


def connect(path: Path, *, busy_timeout_ms: int, write: bool) -> sqlite3.Connection:
    """A connection in autocommit mode. Only the writing one ever runs a checkpoint."""
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, cached_statements=256
    )
    connection.text_factory = _text
    connection.execute(f"PRAGMA busy_timeout = {busy_timeout_ms:d}")
    if write:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute(f"PRAGMA journal_size_limit = {64 << 20}")
    else:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
    return connection


def _text(stored: bytes) -> str | bytes:
    """Text as it was written; damaged text as its bytes, so that only its own row is unreadable."""
    try:
        return stored.decode()
    except UnicodeDecodeError:
        return stored


def create_private(path: Path) -> None:
    """Make the file for its owner's eyes only, where it isn't there yet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))


Transaction: TypeAlias = Callable[[], Any]


class GroupWriter:
    """Owns the write connection, on the thread that calls it: what comes together is committed
    together.

    Each transaction is kept or undone alone. It may be run again: the group is tried as it stands
    first, where one of it fails with a SAVEPOINT around each, and one by one where that is no way.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection

    def write(self, group: Sequence[Transaction]) -> list[Any]:
        """The result of each, which is on disk, or what it raised as a `Caught`."""
        outcome = self._begin(self._together, group)
        if isinstance(outcome, Caught) and len(group) > 1:
            outcome = self._begin(self._apart, group)
        if not isinstance(outcome, Caught):
            return outcome
        if len(group) > 1:
            return [result for one in group for result in self.write([one])]
        return [Caught(as_gateway_error(outcome.error, self.path))]

    def _begin(
        self, work: Callable[[Sequence[Transaction]], list[Any]], group: Sequence[Transaction]
    ) -> list[Any] | Caught:
        begun = guarded(self.connection.execute, "BEGIN IMMEDIATE")
        if isinstance(begun, Caught):
            return [Caught(as_gateway_error(begun.error, self.path))] * len(group)
        outcome = guarded(work, group)
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")
        return outcome

    def _together(self, group: Sequence[Transaction]) -> list[Any]:
        results = [run() for run in group]
        self.connection.execute("COMMIT")
        return results

    def _apart(self, group: Sequence[Transaction]) -> list[Any]:
        results = [self._alone(run) for run in group]
        self.connection.execute("COMMIT")
        return results

    def _alone(self, run: Transaction) -> Any:
        """Run one, and undo it alone where it failed.

        Raises:
            Exception: what it failed with, where SQLite undid the whole group.
        """
        execute = self.connection.execute
        execute("SAVEPOINT one")
        result = guarded(run)
        if isinstance(result, Caught):
            if not self.connection.in_transaction:
                raise result.error
            execute("ROLLBACK TO one")
            result = Caught(as_gateway_error(result.error, self.path))
        execute("RELEASE one")
        return result


def too_old(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> bool:
    """Whether this SQLite has the defect fixed in 3.51.3."""
    return version < RESET_BUG_FIXED
