"""An event loop with a clock of its own, for both sides of `bench_peer_voice` (no dependency).

Waiting takes no time. What is handed to a thread takes as long as the processor time it used: that
of its thread, or half of all that was used where it ran on both of two cores. So figures are those
of two idle cores, whatever else the machine does. What the loop itself does takes no time.
"""

import asyncio
import selectors
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, TypeVar, TypeVarTuple

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

CORES = 2
_IDLE_SECONDS = 0.02
_begun = time.time()


class _Selector(selectors.DefaultSelector):
    """Where nothing is there to be read, the clock goes on instead."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        if timeout is None:
            return super().select(_IDLE_SECONDS)
        self.now += timeout
        return []


class OwnClock(asyncio.SelectorEventLoop):
    """Times are seconds from 0."""

    def __init__(self) -> None:
        self.own_selector = _Selector()
        self.own_pool = ThreadPoolExecutor(1)
        self.own_free: dict[int, float] = {}
        super().__init__(self.own_selector)

    def time(self) -> float:
        return self.own_selector.now

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts
    ) -> asyncio.Future[T]:
        used, spent = time.process_time(), [0.0]

        def work() -> T:
            began = time.thread_time()
            try:
                return func(*args)
            finally:
                spent[0] = time.thread_time() - began

        done = (executor or self.own_pool).submit(work)
        error = done.exception()
        seconds = max(spent[0], (time.process_time() - used) / CORES)
        # One of its own is a queue: the next piece begins when this one has ended.
        free = self.time() if executor is None else self.own_free.get(id(executor), 0.0)
        at = self.own_free[id(executor)] = max(free, self.time()) + seconds
        future: asyncio.Future[T] = self.create_future()
        self.call_at(at, _deliver, future, error, None if error else done.result())
        return future


def _deliver(future: asyncio.Future[Any], error: BaseException | None, result: Any) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


def take_over(loop: asyncio.AbstractEventLoop) -> None:
    """The module `time` tells this loop's time from now on."""
    time.time = lambda: _begun + loop.time()
    time.monotonic = time.perf_counter = loop.time
    time.monotonic_ns = time.perf_counter_ns = lambda: round(loop.time() * 1e9)
    time.time_ns = lambda: round(time.time() * 1e9)
