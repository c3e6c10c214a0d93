"""The handle of a run in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from typing import Any, Protocol, TypeAlias

from gateway.core.cancellation import InterruptReason, Registration
from gateway.core.events import End
from gateway.core.messages import Attachment, UserMessage
from gateway.runs.coordinator import Coordinator, Signal
from gateway.runs.queue import Attach, Queue, Queued, Refused
from gateway.runs.result import RunResult

Attachments: TypeAlias = tuple[Attachment, ...]


class Child(Protocol):
    """A child run that is on, as the run around it sees it."""

    @property
    def handle(self) -> InProcessHandle: ...

    def stop(self, reason: InterruptReason) -> None: ...


class Children:
    """The child runs of one run that are on, by their ids."""

    def __init__(self) -> None:
        self._on: dict[str, Child] = {}

    def add(self, run: str, child: Child) -> None:
        """It has been started."""
        self._on[run] = child

    def remove(self, run: str) -> None:
        """It has settled."""
        del self._on[run]

    def ids(self) -> tuple[str, ...]:
        """Those that are on, each before its own children."""
        return tuple(
            name for run, child in self._on.items() for name in (run, *child.handle.children)
        )

    def stop(self, run: str, reason: InterruptReason) -> bool:
        """Stop one, at any depth; whether it was there."""
        if run in self._on:
            self._on[run].stop(reason)
            return True
        return any(child.handle.stop_child(run, reason) for child in self._on.values())


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
        children: Children,
        abandon: Callable[[], None],
        abort_reason: InterruptReason,
    ) -> None:
        self.run = run
        self._task = task
        self._coordinator = coordinator
        self._queue = queue
        self._children = children
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

    @property
    def returned(self) -> tuple[UserMessage, ...]:
        """The same messages with what they attach."""
        return self._queue.returned

    def stop(self, reason: InterruptReason) -> None:
        """Trip the run's signal; the first reason wins. Returns at once, from any thread."""
        self._coordinator.trip(reason)

    @property
    def children(self) -> tuple[str, ...]:
        """The ids of its child runs that are on, at any depth."""
        return self._children.ids()

    def stop_child(self, run: str, reason: InterruptReason) -> bool:
        """Stop one child run, at any depth, and nothing else; False where none of that id is on."""
        return self._children.stop(run, reason)

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

    def steer(self, text: str, attachments: Attachments = (), attach: Attach | None = None) -> bool:
        """Join before the next model call; False once the run takes no more."""
        return self._queue.put(Queued.STEER, UserMessage(text, attachments=attachments), attach)

    def follow_up(
        self, text: str, attachments: Attachments = (), attach: Attach | None = None
    ) -> bool:
        """Start a new turn, with its own iteration budget, when the run would end."""
        return self._queue.put(Queued.FOLLOW_UP, UserMessage(text, attachments=attachments), attach)

    def inject(
        self, text: str, attachments: Attachments = (), attach: Attach | None = None
    ) -> bool:
        """Join the next model call, start none; kept in the thread if none is left."""
        return self._queue.put(Queued.INJECT, UserMessage(text, attachments=attachments), attach)

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
            returned=self.returned,
            abandoned=self._abandoned,
        )


class _Result:
    def __init__(self, handle: InProcessHandle) -> None:
        self._handle = handle

    def __await__(self) -> Generator[Any, None, RunResult]:
        return self._handle.wait().__await__()
