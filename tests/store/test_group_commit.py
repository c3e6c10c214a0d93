"""What waits together is committed together, and each stands or falls alone."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from gateway.core.errors import IllegalEvent, LeaseLost, StoreFailed
from gateway.ports.store import AppendEntry, SaveRun
from gateway.store.connection import GroupWriter, connect
from gateway.store.sqlite import SqliteStore
from gateway.supervise import Gathering, SerialExecutor
from tests.builders import LoopClock
from tests.store.make import NOON, Reports, a_run, a_thread, an_entry, an_input

T = TypeVar("T")


class Rig:
    """A writer on a table of numbers, its thread held until `go`; it counts the commits."""

    def __init__(self, path: Path) -> None:
        self.connection = connect(path, busy_timeout_ms=100, write=True)
        self.connection.execute("CREATE TABLE n (n INTEGER PRIMARY KEY)")
        self.commits = 0
        self.connection.set_trace_callback(self._count)
        self.thread = SerialExecutor("writer")
        self._gathering = Gathering(self.thread, GroupWriter(path, self.connection).write, 512)
        self.go = threading.Event()
        self.thread.submit(self.go.wait, 10)

    def _count(self, sql: str) -> None:
        self.commits += sql == "COMMIT"

    def add(self, *numbers: int) -> asyncio.Task[int]:
        def work() -> int:
            for number in numbers:
                self.connection.execute("INSERT INTO n VALUES (?)", (number,))
            return sum(numbers)

        return self.write(work)

    def write(self, work: Callable[[], T]) -> asyncio.Task[T]:
        return asyncio.create_task(self._gathering.call(work))

    async def results(self, tasks: Sequence[asyncio.Task[Any]]) -> list[Any]:
        """What each gave or raised, once all waited together and the thread was let go."""
        await asyncio.sleep(0)
        self.go.set()
        return await asyncio.gather(*tasks, return_exceptions=True)

    def stored(self) -> list[int]:
        return [n for (n,) in self.connection.execute("SELECT n FROM n ORDER BY n")]


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path / "n.db")
    yield rig
    rig.go.set()
    rig.thread.shutdown(wait=True)
    rig.connection.close()


async def test_what_waits_shares_one_commit(rig: Rig) -> None:
    assert await rig.results([rig.add(n) for n in range(100)]) == list(range(100))
    assert rig.commits == 1
    assert rig.stored() == list(range(100))


async def test_what_comes_while_a_group_is_written_is_the_next_group(rig: Rig) -> None:
    first = rig.add(1)
    await asyncio.sleep(0.01)
    assert await rig.results([first, *(rig.add(n) for n in range(2, 50))]) == list(range(1, 50))
    assert rig.commits == 2


async def test_a_transaction_that_fails_half_way_leaves_its_neighbours(rig: Rig) -> None:
    one, two, three = await rig.results([rig.add(1), rig.add(2, 3, 1), rig.add(4)])
    assert [one, three] == [1, 4]
    assert isinstance(two, IllegalEvent)
    assert rig.stored() == [1, 4]
    assert rig.commits == 1


async def test_a_group_undone_by_the_database_is_done_again_one_by_one(rig: Rig) -> None:
    def undone() -> None:
        rig.connection.execute("INSERT INTO n VALUES (50)")
        rig.connection.execute("ROLLBACK")
        raise sqlite3.OperationalError("as SQLite does on an I/O error")

    one, two, three = await rig.results([rig.add(1), rig.write(undone), rig.add(2)])
    assert [one, three] == [1, 2]
    assert isinstance(two, StoreFailed)
    assert rig.stored() == [1, 2]


async def test_a_commit_that_fails_fails_who_caused_it(rig: Rig) -> None:
    rig.connection.execute("CREATE TABLE child (n REFERENCES n DEFERRABLE INITIALLY DEFERRED)")

    def orphan() -> None:
        rig.connection.execute("INSERT INTO child VALUES (99)")

    one, two, three = await rig.results([rig.add(1), rig.write(orphan), rig.add(2)])
    assert [one, three] == [1, 2]
    assert isinstance(two, IllegalEvent)
    assert rig.stored() == [1, 2]


async def test_a_call_returns_once_it_is_on_disk(rig: Rig, tmp_path: Path) -> None:
    seen: list[int] = []
    other = sqlite3.connect(tmp_path / "n.db")

    def look(_: asyncio.Task[int]) -> None:
        seen.append(other.execute("SELECT count(*) FROM n").fetchone()[0])

    tasks = [rig.add(1), rig.add(2)]
    tasks[0].add_done_callback(look)
    await rig.results(tasks)
    assert seen == [2]
    other.close()


async def test_who_was_cancelled_before_the_turn_is_not_run(rig: Rig) -> None:
    held = rig.add(1)
    await asyncio.sleep(0.01)  # the thread has it; who comes now waits behind it
    first, second = rig.add(2), rig.add(3)
    await asyncio.sleep(0)
    first.cancel()
    one, two, three = await rig.results([held, first, second])
    assert (one, three) == (1, 3)
    assert isinstance(two, asyncio.CancelledError)
    assert rig.stored() == [1, 3]


async def test_a_thread_that_takes_nothing_fails_the_call(rig: Rig) -> None:
    def broken(_: Sequence[object]) -> list[object]:
        raise RuntimeError("broken")

    rig.go.set()
    with pytest.raises(RuntimeError, match="broken"):
        await Gathering(rig.thread, broken, 512).call(lambda: 1)


async def test_cancelled_callers_leave_whole_transactions_or_none(store: SqliteStore) -> None:
    for n in range(60):
        await store.make_thread(a_thread(f"t{n}"))
    epochs = [(await store.acquire(f"t{n}", "node")).thread.epoch for n in range(60)]
    tasks = [
        asyncio.create_task(
            store.commit(f"t{n}", epochs[n], [SaveRun(a_run(f"r{n}")), AppendEntry(an_entry(1))])
        )
        for n in range(60)
    ]
    for n, task in enumerate(tasks):
        if n % 7 == 0:
            await asyncio.sleep(0)
        task.cancel()
    await asyncio.wait(tasks)
    row, new = await store.accept(an_input(), NOON)  # stored behind all that was handed over
    assert (row.seq, new) == (1, True)
    for n in range(60):
        run, entries = await store.run(f"r{n}"), await store.entries(f"t{n}")
        assert (run is None) == (entries == [])


async def test_a_stale_owner_in_a_group_leaves_its_neighbours(store: SqliteStore) -> None:
    await store.make_thread(a_thread("t2"))
    stale = (await store.acquire("web:1", "one")).thread.epoch
    held = (await store.acquire("web:1", "two")).thread.epoch
    writes = [(stale, SaveRun(a_run("r1"))), (held, SaveRun(a_run("r2")))]
    tasks = [asyncio.create_task(store.commit("web:1", epoch, [write])) for epoch, write in writes]
    tasks.append(asyncio.create_task(store.commit("t2", 99, [SaveRun(a_run("r3"))])))
    await asyncio.wait(tasks)
    assert [type(task.exception()) for task in tasks] == [LeaseLost, type(None), LeaseLost]
    found = [await store.run(f"r{n}") is not None for n in (1, 2, 3)]
    assert found == [False, True, False]


@pytest.mark.looptime
async def test_virtual_time_waits_for_the_disk(path: Path) -> None:
    clock = LoopClock()
    store = await SqliteStore.open(path, owner="node", clock=clock, report=Reports())
    await store.make_thread(a_thread())
    async with asyncio.timeout(60):
        for n in range(20):
            await store.accept(an_input(str(n)), clock.now())
            await asyncio.sleep(1)
        assert len(await store.inputs("web:1")) == 20
    await store.close()
    assert 20 <= clock.monotonic() < 30
