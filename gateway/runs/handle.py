"""The handle of a run in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from typing import Any

from gateway.core.cancellation import InterruptReason, Registration
from gateway.core.events import End
from gateway.runs.coordinator import Coordinator, Signal
from gateway.runs.queue import Queue, Queued, Refused
from gateway.runs.result import RunResult


class InProcessHandle:
    """A `RunHandle` with what waits, what was refused, and the result. Its loop's thread calls it,
    save `stop`, which any thread may call.
    """

    def __init__(
        self,
        *,
        run: str,
        task: asyncio.Task[RunResult],
        coordinator: Coordinator,
        queue: Queue,
        abandon: Callable[[], None],
        abort_reason: InterruptReason,
    ) -> None:
        self.run = run
        self._task = task
        self._coordinator = coordinator
        self._queue = queue
        self._abandon = abandon
        self._abort_reason = abort_reason
        self._abandoned = False

    @property
    def signal(self) -> Signal:
        """The run's signal."""
        return self._coordinator.signal

    @property
    def done(self) -> bool:
        """Whether the run's task has ended: completed, interrupted, failed or paused."""
        return self._task.done()

    @property
    def queued(self) -> list[str]:
        """Messages that wait to be delivered, those in their check too."""
        return self._queue.waiting

    @property
    def refused(self) -> list[Refused]:
        """Messages that an input check refused, with the error."""
        return list(self._queue.refused)

    @property
    def undelivered(self) -> tuple[str, ...]:
        """Messages that the run gave back when it paused or was stopped."""
        return self._queue.undelivered

    def stop(self, reason: InterruptReason) -> None:
        """Trip the run's signal; the first reason wins. Returns at once, from any thread."""
        self._coordinator.trip(reason)

    def child_of(self, parent: Signal) -> Registration:
        """Be stopped with `parent` (PARENT_CANCELLED), at once if it was; remove it at the end."""
        return self._coordinator.child_of(parent)

    def abandon(self) -> None:
        """The grace is over: cancel the task and every call that may be cancelled."""
        if self._task.done():
            return
        self._abandoned = True
        self._queue.drain()
        self._abandon()
        self._task.cancel()

    def steer(self, text: str) -> bool:
        """Join before the next model call; False once the run takes no more."""
        return self._queue.put(Queued.STEER, text)

    def follow_up(self, text: str) -> bool:
        """Start a new turn, with its own iteration budget, when the run would end."""
        return self._queue.put(Queued.FOLLOW_UP, text)

    def inject(self, text: str) -> bool:
        """Join the next model call, start none; kept in the thread if none is left."""
        return self._queue.put(Queued.INJECT, text)

    def abort(self) -> list[str]:
        """Stop for good; the messages that were never delivered, which no method takes after."""
        texts = list(self._queue.drain())
        self.stop(self._abort_reason)
        return texts

    @property
    def result(self) -> _Result:
        """Await it for the run's `RunResult`. Cancelling that wait doesn't stop the run."""
        return _Result(self)

    async def wait(self) -> RunResult:
        """The run's result, once its task has ended."""
        await asyncio.wait({self._task})
        if not self._task.cancelled():
            return self._task.result()
        return RunResult(
            run=self.run,
            end=End.INTERRUPTED,
            reason=self.signal.reason,
            undelivered=self.undelivered,
            abandoned=self._abandoned,
        )


class _Result:
    def __init__(self, handle: InProcessHandle) -> None:
        self._handle = handle

    def __await__(self) -> Generator[Any, None, RunResult]:
        return self._handle.wait().__await__()
