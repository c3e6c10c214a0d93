"""A store that kills its own process with SIGKILL before or after its n-th transaction.

A child process loads it by name, as `tests.fakes.kill:killing`, with `BARGEIN_TEST_KILL` set to
`before:3` or `after:3`; every call that writes counts, from 1.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import TypeVar

from gateway.core.interrupts import Interrupt
from gateway.core.log import Entry
from gateway.ports.agent import JournalRecord
from gateway.ports.rows import InputRow, NewInput, PromptRow, RunRow, ThreadRow
from gateway.ports.store import EVERY, Loaded, Store, Write

T = TypeVar("T")
VARIABLE = "BARGEIN_TEST_KILL"


class KillingStore:
    """`inner`, until the process dies; `written` counts the transactions that were begun."""

    def __init__(
        self,
        inner: Store,
        *,
        before: int | None = None,
        after: int | None = None,
        last_words: Callable[[], None] = lambda: None,
    ) -> None:
        self.inner = inner
        self._last_words = last_words
        self.before = before
        self.after = after
        self.written = 0

    async def _write(self, call: Awaitable[T]) -> T:
        self.written += 1
        number = self.written
        if number == self.before:
            self._last_words()
            die()
        result = await call
        if number == self.after:
            self._last_words()
            die()
        return result

    async def accept(self, new: NewInput, accepted_at: datetime) -> tuple[InputRow, bool]:
        return await self._write(self.inner.accept(new, accepted_at))

    async def commit(self, thread: str, epoch: int, writes: Sequence[Write]) -> None:
        await self._write(self.inner.commit(thread, epoch, writes))

    async def acquire(self, thread: str, owner: str) -> Loaded:
        return await self._write(self.inner.acquire(thread, owner))

    async def make_thread(self, row: ThreadRow) -> ThreadRow:
        return await self._write(self.inner.make_thread(row))

    async def delete_thread(self, thread: str) -> None:
        await self._write(self.inner.delete_thread(thread))

    async def thread(self, thread: str) -> ThreadRow | None:
        return await self.inner.thread(thread)

    async def threads(self, principal: str | None = None) -> list[ThreadRow]:
        return await self.inner.threads(principal)

    async def entries(self, thread: str, after: int = 0, limit: int = EVERY) -> list[Entry]:
        return await self.inner.entries(thread, after, limit)

    async def run_entries(self, run: str) -> list[Entry]:
        return await self.inner.run_entries(run)

    async def has_entry(self, thread: str, seq: int) -> bool:
        return await self.inner.has_entry(thread, seq)

    async def inputs(self, thread: str) -> list[InputRow]:
        return await self.inner.inputs(thread)

    async def input(self, thread: str, seq: int) -> InputRow | None:
        return await self.inner.input(thread, seq)

    async def run(self, run: str) -> RunRow | None:
        return await self.inner.run(run)

    async def journal(self, run: str) -> list[JournalRecord]:
        return await self.inner.journal(run)

    async def questions(
        self, *, thread: str | None = None, run: str | None = None, open_only: bool = False
    ) -> list[Interrupt]:
        return await self.inner.questions(thread=thread, run=run, open_only=open_only)

    async def question_thread(self, question: str) -> str | None:
        return await self.inner.question_thread(question)

    async def prompt(self, token: str) -> PromptRow | None:
        return await self.inner.prompt(token)

    async def last_shown(self, channel: str) -> int:
        return await self.inner.last_shown(channel)

    async def asked_elsewhere(self) -> list[tuple[PromptRow, Interrupt]]:
        return await self.inner.asked_elsewhere()

    async def busy_threads(self) -> list[str]:
        return await self.inner.busy_threads()

    async def known(self, dedup: str) -> bool:
        return await self.inner.known(dedup)

    async def expiries(self, until: datetime) -> tuple[list[str], datetime | None]:
        return await self.inner.expiries(until)

    async def close(self) -> None:
        await self.inner.close()


def die() -> None:
    """End this process at once, as `kill -9` does."""
    os.kill(os.getpid(), signal.SIGKILL)


def killing(inner: Store) -> Store:
    """The store that `BARGEIN_TEST_KILL` asks for; `inner` itself where it is not set."""
    when, _, number = os.environ.get(VARIABLE, "").partition(":")
    if when == "before":
        return KillingStore(inner, before=int(number))
    if when == "after":
        return KillingStore(inner, after=int(number))
    return inner
