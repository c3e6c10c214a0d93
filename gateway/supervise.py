"""The only spawner of tasks and threads, and the only catcher of foreign errors.

Foreign code (tools, hooks, callbacks, models) is called through `guarded` or `guarded_await`; what
it raises comes back as a `Caught` value, never as an exception that could take a task down.
"""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")
Report = Callable[[str, BaseException], None]


@dataclass(frozen=True, slots=True)
class Caught:
    """What foreign code raised."""

    error: Exception


def guarded(fn: Callable[..., T], *args: Any, **kwargs: Any) -> T | Caught:
    """Call foreign code here and now; its exception as a value."""
    try:
        return fn(*args, **kwargs)
    except Exception as error:
        return Caught(error)


async def guarded_await(awaitable: Awaitable[T]) -> T | Caught:
    """Await foreign code; its exception as a value. A cancellation passes through."""
    try:
        return await awaitable
    except Exception as error:
        return Caught(error)


class DaemonExecutor(Executor):
    """Runs each submitted function in a daemon thread of its own, never joined at exit.

    `thread` is the last one started.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.thread: threading.Thread | None = None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Start `fn` in a new daemon thread."""
        future: Future[Any] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = fn(*args, **kwargs)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        self.thread = threading.Thread(target=work, name=self.name, daemon=True)
        self.thread.start()
        return future


class SerialExecutor(Executor):
    """One daemon thread that runs what it is given in order, until `shutdown`."""

    def __init__(self, name: str) -> None:
        self._work: list[tuple[Future[Any], Callable[[], Any]]] = []
        self._wake = threading.Condition()
        self._closed = False
        self.thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.thread.start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Queue `fn` behind what waits."""
        future: Future[Any] = Future()
        with self._wake:
            if self._closed:
                raise RuntimeError("cannot submit after shutdown")
            self._work.append((future, lambda: fn(*args, **kwargs)))
            self._wake.notify()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more; the thread ends when its queue is empty."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        if wait and threading.current_thread() is not self.thread:
            self.thread.join()

    def _run(self) -> None:
        while True:
            with self._wake:
                while not self._work:
                    if self._closed:
                        return
                    self._wake.wait()
                future, fn = self._work.pop(0)
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = fn()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)


async def in_thread(executor: Executor, fn: Callable[..., T], *args: Any) -> T:
    """Hand `fn` over to a thread of one of our own executors and wait for its result."""
    return await asyncio.get_running_loop().run_in_executor(executor, fn, *args)


class Gathering:
    """Calls for one thread, handed over together: all that came while the last ones were on go at
    once, and come back at once. A call that is cancelled before its turn is never made.

    `make` gets the calls on the executor's thread, `limit` at most, and gives a result or a
    `Caught` for each.
    """

    def __init__(
        self,
        executor: Executor,
        make: Callable[[Sequence[Callable[[], Any]]], Sequence[Any]],
        limit: int,
    ) -> None:
        self._executor = executor
        self._make = make
        self._limit = limit
        self._waiting: list[tuple[asyncio.Future[Any], Callable[[], Any]]] = []
        self._busy = False
        self._idle = asyncio.Event()
        self._idle.set()

    async def call(self, fn: Callable[[], T]) -> T:
        """Have `fn` called on the thread; what it returns or raises."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._waiting.append((future, fn))
        if not self._busy:
            self._busy = True
            self._idle.clear()
            loop.call_soon(self._hand_over)
        return await future

    async def settled(self) -> None:
        """Return once nothing waits and nothing is on."""
        await self._idle.wait()

    def _hand_over(self) -> None:
        taken, self._waiting = self._waiting[: self._limit], self._waiting[self._limit :]
        taken = [(future, fn) for future, fn in taken if not future.cancelled()]
        if not taken and not self._waiting:
            self._busy = False
            self._idle.set()
            return
        calls = [fn for _, fn in taken]
        handed = asyncio.get_running_loop().run_in_executor(self._executor, self._make, calls)
        handed.add_done_callback(partial(self._come_back, [future for future, _ in taken]))

    def _come_back(
        self, futures: Sequence[asyncio.Future[Any]], handed: asyncio.Future[Sequence[Any]]
    ) -> None:
        failed = handed.exception()
        results = handed.result() if failed is None else [failed] * len(futures)
        for future, result in zip(futures, results, strict=True):
            if future.cancelled():
                continue
            error = result.error if isinstance(result, Caught) else failed
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)
        self._hand_over()


COLLECT_EVERY = 5_000
"""Objects between two of the collector's looks at the young ones; a conversation makes 700 that
live as long as it does."""


def spare_collector() -> None:
    """Once a process has loaded what it needs: its garbage collector goes through that no more, and
    looks less often at what is in use.
    """
    gc.freeze()
    gc.set_threshold(COLLECT_EVERY, 10, 10)


class Supervisor:
    """Owns every task it spawned; reports those that fail; ends them by a deadline."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._tasks: set[asyncio.Task[Any]] = set()

    def spawn(self, coroutine: Coroutine[Any, Any, T], *, name: str) -> asyncio.Task[T]:
        """Start a task that is owned here; an error it ends with is reported, not lost."""
        task = asyncio.get_running_loop().create_task(coroutine, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None:
            self._report(task.get_name(), error)

    async def settle(self, deadline_seconds: float) -> int:
        """Wait for every task, then cancel what is left; how many had to be cancelled."""
        pending = {task for task in self._tasks if task is not asyncio.current_task()}
        if pending:
            _, pending = await asyncio.wait(pending, timeout=deadline_seconds)
        for task in pending:
            task.cancel()
        if pending:
            await asyncio.wait(pending, timeout=1.0)
        return len(pending)


AGAIN_SECONDS = 1.0
LONGEST_SECONDS = 60.0
"""How long after a failure a thing is looked at again: twice as long each time it won't open."""


class Again:
    """Rings what has failed by its name, each once, after a while."""

    def __init__(self, ring: Callable[[str], None]) -> None:
        self._ring = ring
        self._next: dict[str, tuple[asyncio.TimerHandle, float]] = {}

    def forget(self, name: str) -> None:
        """It is well."""
        if name in self._next:
            self._next.pop(name)[0].cancel()

    def ring(self, name: str, *, opened: bool) -> None:
        """Ring it in a while; `opened`: it failed later than at its beginning."""
        seconds = AGAIN_SECONDS
        if name in self._next:
            timer, longer = self._next[name]
            timer.cancel()
            seconds = AGAIN_SECONDS if opened else longer
        timer = asyncio.get_running_loop().call_later(seconds, self._ring, name)
        self._next[name] = timer, min(seconds * 2, LONGEST_SECONDS)


class Slots:
    """How many runs may be on at once. Resumes go before new runs; who waits holds nothing."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held: set[str] = set()
        self._waiting: list[tuple[int, int, str, Callable[[], None]]] = []
        self._count = 0

    def take(self, key: str, granted: Callable[[], None], *, resume: bool) -> bool:
        """Take a slot now (True), or be called back once there is one (False)."""
        if key in self._held or len(self._held) < self._limit:
            self._held.add(key)
            return True
        if any(waiting == key for _, _, waiting, _ in self._waiting):
            return False
        self._count += 1
        self._waiting.append((0 if resume else 1, self._count, key, granted))
        self._waiting.sort(key=lambda item: item[:2])
        return False

    def give_back(self, key: str) -> None:
        """Free the slot, or the place in the line; idempotent."""
        self._waiting = [item for item in self._waiting if item[2] != key]
        self._held.discard(key)
        while self._waiting and len(self._held) < self._limit:
            _, _, next_key, granted = self._waiting.pop(0)
            self._held.add(next_key)
            granted()
