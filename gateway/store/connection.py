"""Opening a file: the lock that keeps a second process out, the connections, the group commit."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gateway.core.errors import StoreFailed
from gateway.store.failures import as_gateway_error
from gateway.supervise import Caught, SerialExecutor, guarded

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


@dataclass(slots=True)
class _Work:
    future: Future[Any]
    run: Callable[[], Any]
    result: Any = None


class GroupWriter(Executor):
    """One thread that owns the write connection; what waits together is committed together.

    Each submitted function is a whole transaction, in a SAVEPOINT of its own: it is kept or undone
    alone, and it may be run a second time where the group's commit failed. A future resolves once
    its transaction is on disk.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection
        self.thread = SerialExecutor("store-writer")
        self._lock = threading.Lock()
        self._waiting: list[_Work] = []
        self._closed = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Queue a transaction. A future that is cancelled before its turn is never run."""
        work = _Work(Future(), lambda: fn(*args, **kwargs))
        with self._lock:
            if self._closed:
                raise StoreFailed("STORE_CLOSED", f"closed: {self.path}", path=str(self.path))
            self._waiting.append(work)
            if len(self._waiting) == 1:
                self.thread.submit(self._drain)
        return work.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more; what waits is still written."""
        with self._lock:
            self._closed = True

    def _drain(self) -> None:
        while taken := self._take():
            group = [work for work in taken if work.future.set_running_or_notify_cancel()]
            outcome = guarded(self._write, group) if group else None
            for work in group:
                result = outcome if isinstance(outcome, Caught) else work.result
                if isinstance(result, Caught):
                    work.future.set_exception(as_gateway_error(result.error, self.path))
                else:
                    work.future.set_result(result)

    def _take(self) -> list[_Work]:
        with self._lock:
            taken, self._waiting = self._waiting[:GROUP_LIMIT], self._waiting[GROUP_LIMIT:]
        return taken

    def _write(self, group: list[_Work]) -> None:
        begun = guarded(self.connection.execute, "BEGIN IMMEDIATE")
        if isinstance(begun, Caught):
            for work in group:
                work.result = begun
        elif not self._commit(group) and len(group) > 1:
            for work in group:
                self._write([work])

    def _commit(self, group: list[_Work]) -> bool:
        """Whether what each left is on disk; if not, nothing of the group is."""
        done = all(self._run(work) for work in group)
        ended = guarded(self.connection.execute, "COMMIT") if done else None
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")
        if isinstance(ended, Caught):
            for work in group:
                work.result = ended
        return done and not isinstance(ended, Caught)

    def _run(self, work: _Work) -> bool:
        """Run one, and undo it alone where it failed; False where SQLite undid the whole group."""
        execute = self.connection.execute
        execute("SAVEPOINT one")
        work.result = guarded(work.run)
        if isinstance(work.result, Caught):
            if not self.connection.in_transaction:
                return False
            execute("ROLLBACK TO one")
        execute("RELEASE one")
        return True


def too_old(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> bool:
    """Whether this SQLite has the defect fixed in 3.51.3."""
    return version < RESET_BUG_FIXED
