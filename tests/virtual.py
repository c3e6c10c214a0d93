"""Virtual time that stands still while a thread works for the loop.

looptime lets its time pass in step with the real clock while a call handed to a thread is on; a
timer a virtual millisecond away would then overtake a commit wherever a disk needs two. Here no
time passes while a thread works for the product: its store, its engines, a library it loads. Nor
does it in the first moment of any other call: a tool that finishes at once takes no virtual time,
one that blocks its thread takes what it takes.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, TypeVar

import looptime

from gateway.supervise import DaemonExecutor, SerialExecutor

T = TypeVar("T")

OURS_SECONDS = 20.0
"""Real seconds that time stands still at most for one call of the product's own."""
OTHERS_SECONDS = 0.25
"""The same for a call of somebody else's code, which may block its thread for ever."""
OTHERS = ("tool-", "bargein-trip")
"""What threads are called that run such code."""


LATE_SECONDS = (0.0, 0.0, 0.002, 0.01, 0.03)
"""How much later, by chance, a thread begins or is heard of: `pytest --late SEED`."""


def new_loop(**options: Any) -> asyncio.AbstractEventLoop:
    """A loop of one's own with such a time; options as looptime has them."""
    loop = looptime.new_event_loop(**options)
    stand_still(loop)
    return loop


def stand_still(loop: Any, late: random.Random | None = None) -> None:
    """Hold the time of a loop that looptime has patched while threads work for it. With `late` they
    work as on a busy machine: which of two is done first is drawn from it.
    """
    selector, hand_over = loop._selector, loop.run_in_executor
    select, really_select = selector.select, type(selector).select
    until: dict[asyncio.Future[Any], float] = {}

    def run_in_executor(executor: Executor | None, fn: Any, *args: Any) -> asyncio.Future[Any]:
        fn = fn if late is None else _delayed(fn, late)
        future: asyncio.Future[Any] = hand_over(executor, fn, *args)
        until[future] = time.monotonic() + _patience(executor)
        future.add_done_callback(until.pop)
        return future

    def held_select(timeout: float | None) -> Any:
        if until and timeout != 0 and loop.looptime_on:
            real = max(until.values()) - time.monotonic()
            if real > 0:
                really_select(selector, real)
        return select(timeout)

    loop.run_in_executor, selector.select = run_in_executor, held_select


def _delayed(fn: Callable[..., T], late: random.Random) -> Callable[..., T]:
    before, after = late.choice(LATE_SECONDS), late.choice(LATE_SECONDS)

    def delayed(*args: Any) -> T:
        time.sleep(before)
        try:
            return fn(*args)
        finally:
            time.sleep(after)

    return delayed


def _patience(executor: Executor | None) -> float:
    ours = isinstance(executor, SerialExecutor) or (
        isinstance(executor, DaemonExecutor) and not executor.name.startswith(OTHERS)
    )
    return OURS_SECONDS if ours else OTHERS_SECONDS
