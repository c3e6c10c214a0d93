"""How fast inputs are stored, and what idle threads cost. `python -m tests.bench.bench_store`"""

from __future__ import annotations

import asyncio
import gc
import resource
import tempfile
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gateway.clock import SystemClock
from gateway.core.interrupts import Interrupt, QuestionKind
from gateway.ports.rows import NewInput, RunRow, ThreadRow
from gateway.ports.store import SaveQuestion, SaveRun
from gateway.store.sqlite import SqliteStore

NOW = datetime(2026, 3, 1, tzinfo=UTC)
CHUNK = 2_000


def _unheard(name: str, error: BaseException) -> None:
    """Warnings about the SQLite in use are no part of a figure."""


async def _open(folder: str) -> SqliteStore:
    path = Path(folder) / "bench.db"
    return await SqliteStore.open(path, owner="bench", clock=SystemClock(), report=_unheard)


async def _each(count: int, call: Callable[[int], Coroutine[None, None, object]]) -> None:
    for start in range(0, count, CHUNK):
        async with asyncio.TaskGroup() as group:
            for n in range(start, min(start + CHUNK, count)):
                group.create_task(call(n))


def _thread(n: int) -> ThreadRow:
    return ThreadRow(id=f"web:{n}", private=True, owner=f"p{n}", created_at=NOW)


def _input(n: int, threads: int) -> NewInput:
    return NewInput(
        dedup=f"web:a:{n}",
        thread=f"web:{n % threads}",
        channel="web",
        principal="p",
        text="x" * 300,
    )


def rss_mib() -> float:
    """What this process holds in memory now."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


async def accepted_per_second(count: int = 20_000, threads: int = 100) -> float:
    """Inputs of 300 letters stored a second, in a burst, each on disk when its call returns."""
    with tempfile.TemporaryDirectory() as folder:
        store = await _open(folder)
        await _each(threads, lambda n: store.make_thread(_thread(n)))
        began = time.perf_counter()
        await _each(count, lambda n: store.accept(_input(n, threads), NOW))
        took = time.perf_counter() - began
        await store.close()
    return count / took


async def accepted_alone_ms(count: int = 300) -> float:
    """Median time of one accepted input with nothing beside it, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        store = await _open(folder)
        await store.make_thread(_thread(0))
        took = []
        for n in range(count):
            began = time.perf_counter()
            await store.accept(_input(n, 1), NOW)
            took.append(time.perf_counter() - began)
        await store.close()
    return sorted(took)[count // 2] * 1000


async def idle_growth_mib(count: int = 100_000) -> float:
    """How much memory grows by touching (reading, acquiring) that many idle threads."""
    with tempfile.TemporaryDirectory() as folder:
        store = await _open(folder)
        await _each(count, lambda n: store.make_thread(_thread(n)))
        await _each(CHUNK, lambda n: store.acquire(f"web:{n}", "bench"))
        before = rss_mib()
        await _each(count, lambda n: store.acquire(f"web:{n}", "bench"))
        after = rss_mib()
        await store.close()
    return after - before


async def _ask(store: SqliteStore, n: int) -> None:
    epoch = (await store.acquire(f"web:{n}", "bench")).thread.epoch
    question = Interrupt(
        id=f"q{n}",
        run=f"r{n}",
        kind=QuestionKind.INPUT,
        ordinal=0,
        message="?",
        schema={},
        tool_call_id="c",
        tool_name="t",
        arguments_digest="",
        principals=("p",),
        created_at=NOW,
    )
    run = RunRow(
        id=f"r{n}",
        thread=f"web:{n}",
        agent="a",
        channel="web",
        state="asking",
        principals=("p",),
        inputs=(1,),
        started_at=NOW,
    )
    armed = replace(question, armed_at=NOW, expires_at=NOW + timedelta(seconds=n))
    await store.commit(f"web:{n}", epoch, [SaveRun(run), SaveQuestion(armed)])


async def ready_ms(threads: int = 10_000, questions: int = 100) -> float:
    """Open, busy threads and expiries of a file of that size, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        store = await _open(folder)
        await _each(threads, lambda n: store.make_thread(_thread(n)))
        await _each(questions, lambda n: _ask(store, n))
        await store.close()
        began = time.perf_counter()
        store = await _open(folder)
        busy, expiries = await store.busy_threads(), await store.expiries(NOW)
        took = time.perf_counter() - began
        await store.close()
    assert len(busy) == questions
    assert expiries[0] or expiries[1] is not None
    return took * 1000


async def main() -> dict[str, float]:
    """Every figure, by name."""
    return {
        "accepted inputs a second, burst": await accepted_per_second(),
        "one accepted input, median ms": await accepted_alone_ms(),
        "MiB grown by touching 100,000 idle threads": await idle_growth_mib(),
        "ms to open 10,000 threads, 100 open questions": await ready_ms(),
    }


if __name__ == "__main__":
    for name, value in asyncio.run(main()).items():
        print(f"{name}: {value:,.2f}")
