"""`SqliteStore`: durable truth in one SQLite file, for one process."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from gateway.core.errors import NotFound, StoreFailed
from gateway.core.interrupts import Interrupt
from gateway.core.log import Entry
from gateway.ports.agent import JournalRecord
from gateway.ports.clock import Clock
from gateway.ports.rows import InputRow, NewInput, PromptRow, RunRow, ThreadRow
from gateway.ports.store import EVERY, Loaded, Write
from gateway.ports.tokens import AccessToken
from gateway.store import access, fenced, files, reads, unfenced
from gateway.store.codec import input_body, moment, stamp, thread_body
from gateway.store.connection import (
    GROUP_LIMIT,
    FileLock,
    GroupWriter,
    connect,
    create_private,
    too_old,
)
from gateway.store.failures import translated
from gateway.store.migrations import migrate
from gateway.store.rows import Reader, known_input
from gateway.store.telegram_tables import TelegramTables
from gateway.store.writes import prepare
from gateway.supervise import Gathering, Report, SerialExecutor, guarded, in_thread

T = TypeVar("T")
P = ParamSpec("P")
BUSY_TIMEOUT_MS = 5_000


class StoreWarning(UserWarning):
    """Something an operator should know about the file or the library; no call failed."""


class DefectWarning(StoreWarning):
    """The SQLite that is installed has a known defect, which this program avoids by itself."""


@dataclass(frozen=True, slots=True)
class _Opened:
    lock: FileLock
    read: sqlite3.Connection
    write: sqlite3.Connection


class SqliteStore:
    """The store in a file. Opened by `open`, which is its constructor; keeps no row in memory.

    Writes run on one thread and share commits; a cancelled caller leaves a whole transaction or
    none. Reads run on a second thread and see every write that returned before.
    """

    def __init__(
        self, path: Path, opened: _Opened, reader: SerialExecutor, clock: Clock, report: Report
    ) -> None:
        self.path = path
        self._opened = opened
        self._reader = reader
        self._writer = SerialExecutor("store-writer")
        self._reads = Gathering(reader, self._snapshot, GROUP_LIMIT)
        self._writes = Gathering(self._writer, GroupWriter(path, opened.write).write, GROUP_LIMIT)
        self._clock = clock
        self._report = report
        self._reported: set[str] = set()
        self._closed = False
        self.telegram = TelegramTables(self._write, self._read)

    @classmethod
    async def open(
        cls,
        path: str | Path,
        *,
        owner: str,
        clock: Clock,
        report: Report,
        busy_timeout_ms: int = BUSY_TIMEOUT_MS,
    ) -> SqliteStore:
        """Open the file, made where it is missing, and bring its schema up to date.

        `owner` names this process to another one that is refused the file. An SQLite with a known
        defect is reported as a `DefectWarning`.

        Raises:
            StoreFailed: STORE_LOCKED, STORE_DAMAGED, STORE_NEWER, STORE_FULL, STORE_UNAVAILABLE,
                each naming the file.
        """
        file = Path(path)
        reader = SerialExecutor("store-reader")
        try:
            opened = await in_thread(reader, _open, file, owner, clock.now(), busy_timeout_ms)
        except BaseException:
            reader.shutdown(wait=False)
            raise
        if too_old():
            known = f"SQLite {sqlite3.sqlite_version} has a defect that 3.51.3 mends"
            advice = f"all is well as long as no other program writes to {file} or checkpoints it"
            report("store", DefectWarning(f"{known}: {advice}"))
        return cls(file, opened, reader, clock, report)

    async def _write(
        self,
        fn: Callable[Concatenate[sqlite3.Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        self._check_open()
        connection = self._opened.write
        return await self._writes.call(lambda: fn(connection, *args, **kwargs))

    async def _read(
        self, fn: Callable[Concatenate[Reader, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        self._check_open()
        reader = Reader(self._opened.read)
        value = await self._reads.call(lambda: fn(reader, *args, **kwargs))
        for name in reader.unreadable:
            if name not in self._reported:
                self._reported.add(name)
                self._report("store", StoreWarning(f"can't be read: {name}"))
        return value

    def _check_open(self) -> None:
        if self._closed:
            raise StoreFailed("STORE_CLOSED", f"closed: {self.path}", path=str(self.path))

    def _snapshot(self, queries: Sequence[Callable[[], Any]]) -> list[Any]:
        """Run the queries on one state of the file; what each gave, or raised."""
        connection = self._opened.read
        results = [guarded(self._query, query) for query in queries]
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        return results

    def _query(self, query: Callable[[], T]) -> T:
        connection = self._opened.read
        with translated(self.path):
            if not connection.in_transaction:
                connection.execute("BEGIN")
            return query()

    async def accept(self, new: NewInput, accepted_at: datetime) -> tuple[InputRow, bool]:
        """See `Store.accept`.

        Raises:
            NotFound: no such thread.
        """
        row = InputRow(seq=0, new=new, accepted_at=accepted_at)
        return await self._write(_accept, row, input_body(row))

    async def commit(self, thread: str, epoch: int, writes: Sequence[Write]) -> None:
        """See `Store.commit`.

        Raises (nothing is written then):
            LeaseLost: `epoch` is no longer the thread's.
            AlreadyDecided, InterruptExpired: a question is decided, or its time is over.
            IllegalEvent: the log would not stay contiguous, an input would be consumed twice, a row
                is another thread's.
            ValidationFailed: a value is not JSON.
        """
        await self._write(fenced.commit, thread, epoch, [prepare(write) for write in writes])

    async def acquire(self, thread: str, owner: str) -> Loaded:
        """See `Store.acquire`. `entries` is the active branch, root first; their `parent` and
        the thread's leaf skip entries that can't be read.

        Raises:
            NotFound: no such thread.
        """
        epoch = await self._write(fenced.acquire, thread, owner)
        return await self._read(reads.load, thread, epoch)

    async def thread(self, thread: str) -> ThreadRow | None:
        return await self._read(reads.one_thread, thread)

    async def make_thread(self, row: ThreadRow) -> ThreadRow:
        created = stamp(row.created_at or self._clock.now())
        made = await self._write(unfenced.insert_thread, row, thread_body(row), created)
        if made:
            created_at = moment(created)
            return replace(row, epoch=0, head=0, leaf=0, branch=0, created_at=created_at)
        stored = await self.thread(row.id)
        if stored is None:
            raise NotFound(f"no thread {row.id}")
        return stored

    async def threads(self, principal: str | None = None) -> list[ThreadRow]:
        return await self._read(reads.threads, principal)

    async def delete_thread(self, thread: str) -> None:
        await self._write(unfenced.delete_thread, thread)

    async def entries(self, thread: str, after: int = 0, limit: int = EVERY) -> list[Entry]:
        return await self._read(reads.entries, thread, after, limit)

    async def run_entries(self, run: str) -> list[Entry]:
        return await self._read(reads.run_entries, run)

    async def has_entry(self, thread: str, seq: int) -> bool:
        return await self._read(reads.has_entry, thread, seq)

    async def inputs(self, thread: str) -> list[InputRow]:
        return await self._read(reads.inputs, thread)

    async def input(self, thread: str, seq: int) -> InputRow | None:
        return await self._read(reads.one_input, thread, seq)

    async def run(self, run: str) -> RunRow | None:
        return await self._read(reads.run, run)

    async def journal(self, run: str) -> list[JournalRecord]:
        return await self._read(Reader.journal, run)

    async def questions(
        self, *, thread: str | None = None, run: str | None = None, open_only: bool = False
    ) -> list[Interrupt]:
        return await self._read(reads.questions, thread, run, open_only)

    async def question_thread(self, question: str) -> str | None:
        return await self._read(reads.question_thread, question)

    async def known(self, dedup: str) -> bool:
        return await self._read(reads.known, dedup)

    async def prompt(self, token: str) -> PromptRow | None:
        return await self._read(reads.prompt, token)

    async def last_shown(self, channel: str) -> int:
        return await self._read(reads.last_shown, channel)

    async def asked_elsewhere(self) -> list[tuple[PromptRow, Interrupt]]:
        return await self._read(reads.asked_elsewhere)

    async def busy_threads(self) -> list[str]:
        return await self._read(reads.busy_threads)

    async def expiries(self, until: datetime) -> tuple[list[str], datetime | None]:
        return await self._read(reads.expiries, until)

    async def put(self, data: bytes, media_type: str, principal: str = "") -> str:
        return await self._write(files.insert, data, media_type, principal, self._clock.now())

    async def hold(self, key: str, principal: str) -> tuple[str, int]:
        return await self._write(files.hold, key, principal, self._clock.now())

    async def get(self, key: str) -> tuple[bytes, str]:
        return await self._read(files.read, key)

    async def threads_with(self, key: str) -> list[str]:
        return await self._read(files.threads, key)

    async def brought_by(self, key: str, principal: str) -> bool:
        return await self._read(files.brought_by, key, principal)

    async def drop_unsent(self, before: datetime) -> int:
        return await self._write(files.drop_unsent, before)

    async def add_token(self, token: AccessToken) -> None:
        await self._write(access.insert_token, token)

    async def tokens(self) -> list[AccessToken]:
        return await self._read(access.tokens)

    async def token(self, digest: str) -> AccessToken | None:
        return await self._read(access.token, digest)

    async def revoke_tokens(self, principal: str, at: datetime) -> list[str]:
        return await self._write(access.revoke, principal, at)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        await self._reads.settled()
        await self._writes.settled()
        await in_thread(self._writer, self._finish)

    def _finish(self) -> None:
        """Runs behind the last transaction: the last checkpoint is the writer's."""
        self._reader.shutdown(wait=True)
        with translated(self.path):
            self._opened.read.close()
            self._opened.write.close()
        self._opened.lock.release()
        self._writer.shutdown(wait=False)


def _open(path: Path, owner: str, now: datetime, busy_timeout_ms: int) -> _Opened:
    with translated(path):
        create_private(path)
        lock = FileLock(path, owner)
        connections: list[sqlite3.Connection] = []
        try:
            for write in (True, False):
                connections.append(connect(path, busy_timeout_ms=busy_timeout_ms, write=write))
                if write:
                    migrate(connections[0], path, now)
        except BaseException:
            for connection in connections:
                connection.close()
            lock.release()
            raise
    return _Opened(lock, read=connections[1], write=connections[0])


def _accept(connection: sqlite3.Connection, row: InputRow, body: str) -> tuple[InputRow, bool]:
    seq, new = unfenced.insert_input(connection, row, body)
    stored = [] if new else known_input(connection, row.new)
    return (stored[0] if stored else replace(row, seq=seq)), new
