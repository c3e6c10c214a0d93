"""An engine's own thread: one piece of work at a time, each with a deadline.

What an engine needs (a model, a library) is prepared in its thread before the first piece of work.
A piece that gives nothing in time leaves its thread behind with all that it had, and the next one
begins in a new thread with an engine prepared anew. Work is taken by rank, then in the order asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Any, Generic, TypeVar

from gateway.core.errors import EngineFailed
from gateway.supervise import (
    Caught,
    SerialExecutor,
    Supervisor,
    guarded,
    guarded_await,
    in_thread,
)

E = TypeVar("E")
T = TypeVar("T")
MOST_HANGS = 3
"""So many threads that were left behind may hang; then the engine is given up until one of them has
ended, for each holds its memory."""


@dataclass(order=True, slots=True)
class _Job(Generic[E]):
    rank: int
    number: int
    work: Callable[[E], Any] = field(compare=False)
    seconds: float = field(compare=False)
    result: asyncio.Future[Any] = field(compare=False)


class Worker(Generic[E]):
    """The thread of the engine `name`, which `prepare` makes within `prepare_seconds`."""

    def __init__(
        self,
        name: str,
        prepare: Callable[[], E],
        supervisor: Supervisor,
        *,
        prepare_seconds: float,
    ) -> None:
        self.name = name
        self._prepare = prepare
        self._supervisor = supervisor
        self._prepare_seconds = prepare_seconds
        self._executor: SerialExecutor | None = None
        self._left: list[SerialExecutor] = []
        self._engine: E | None = None
        self._jobs: list[_Job[E]] = []
        self._numbers = count()
        self._pump: asyncio.Task[None] | None = None

    @property
    def ready(self) -> bool:
        """Whether the engine is prepared."""
        return self._engine is not None

    @property
    def hangs(self) -> int:
        """How many threads that were left behind have not ended."""
        self._left = [one for one in self._left if one.thread.is_alive()]
        return len(self._left)

    async def load(self) -> None:
        """Prepare the engine; returns at once where it is.

        Raises:
            EngineFailed: it can't be prepared, or not in time.
        """
        if not self.ready:
            await self.run(lambda engine: None, seconds=self._prepare_seconds)

    async def run(self, work: Callable[[E], T], *, seconds: float, rank: int = 1) -> T:
        """What `work` makes with the engine, in the engine's thread; `seconds` count from its
        beginning. A wait that is cancelled takes its work back if it has not begun.

        Raises:
            EngineFailed: it raised, or gave nothing in time; an EngineFailed of its own passes.
        """
        return await self.submit(work, seconds=seconds, rank=rank)

    def submit(self, work: Callable[[E], T], *, seconds: float, rank: int = 1) -> asyncio.Future[T]:
        """As `run`, for more than one to wait for; cancelling it takes the work back."""
        result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        result.add_done_callback(_seen)
        heappush(self._jobs, _Job(rank, next(self._numbers), work, seconds, result))
        if self._pump is None or self._pump.done():
            self._pump = self._supervisor.spawn(self._work_off(), name=f"engine {self.name}")
        return result

    async def _work_off(self) -> None:
        while self._jobs:
            job = heappop(self._jobs)
            if job.result.done():
                continue
            outcome = await self._outcome(job)
            if job.result.done():
                continue
            if isinstance(outcome, Caught):
                job.result.set_exception(outcome.error)
            else:
                job.result.set_result(outcome)
        self._pump = None

    async def _outcome(self, job: _Job[E]) -> Any | Caught:
        if self._engine is None:
            prepared = await self._in_time(self._prepare, self._prepare_seconds)
            if isinstance(prepared, Caught):
                return prepared
            self._engine = prepared
        engine = self._engine
        return await self._in_time(lambda: job.work(engine), job.seconds)

    async def _in_time(self, fn: Callable[[], T], seconds: float) -> T | Caught:
        if self.hangs >= MOST_HANGS:
            why = f"{self.name} is given up while {self.hangs} of its threads hang"
            return Caught(EngineFailed(why))
        if self._executor is None:
            self._executor = SerialExecutor(f"engine {self.name}")
        handed = in_thread(self._executor, lambda: (guarded(fn),))
        ended = await guarded_await(asyncio.wait_for(handed, seconds))
        if isinstance(ended, Caught):
            self._leave_behind()
            return Caught(EngineFailed(f"{self.name} gave nothing within {seconds:g} s"))
        (outcome,) = ended
        if isinstance(outcome, Caught) and not isinstance(outcome.error, EngineFailed):
            return Caught(EngineFailed(f"{self.name}: {outcome.error!r}"))
        return outcome

    def _leave_behind(self) -> None:
        if self._executor is not None:
            self._left.append(self._executor)
        self._engine = None
        self._let_go()

    def _let_go(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=False)
            self._executor = None

    async def stop(self, seconds: float) -> None:
        """Take back what waits, and let the work in hand end for so long: a process that ends while
        native code runs in a thread of it crashes.
        """
        while self._jobs:
            heappop(self._jobs).result.cancel()
        if self._pump is not None:
            await asyncio.wait({self._pump}, timeout=seconds)
        self._engine = None
        if self._executor is not None and self._pump is None:
            # The thread still holds what it did last, and with it the engine; now it lets go.
            released = in_thread(self._executor, lambda: None)
            await guarded_await(asyncio.wait_for(released, seconds))
        self._let_go()


def _seen(result: asyncio.Future[Any]) -> None:
    """Who waited may be gone; what failed was told or is of no interest."""
    if not result.cancelled():
        result.exception()
