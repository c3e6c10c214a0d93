"""A full disk, a lock, a second process, a closed store: a clear error, nothing half written."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from gateway.core.errors import StoreFailed
from gateway.ports.store import AppendEntry, SaveRun
from gateway.store.connection import too_old
from gateway.store.migrations import migrations
from gateway.store.sqlite import SqliteStore
from gateway.supervise import in_thread
from tests.store.make import (
    NOON,
    Reports,
    a_run,
    a_thread,
    an_entry,
    an_input,
    open_store,
    opened,
)


async def _pragma(store: SqliteStore, sql: str) -> int:
    value = await in_thread(
        store._writer, lambda: store._opened.write.execute(f"PRAGMA {sql}").fetchone()[0]
    )
    return int(value)


async def test_a_full_disk_refuses_what_does_not_fit_and_goes_on_after(store: SqliteStore) -> None:
    await store.accept(an_input("kept"), NOON)
    epoch = (await store.acquire("web:1", "node")).thread.epoch
    pages = await _pragma(store, "page_count")
    await _pragma(store, f"max_page_count = {pages + 2}")
    big = an_input("big", text="x" * 100_000)
    with pytest.raises(StoreFailed) as caught:
        await store.accept(big, NOON)
    assert caught.value.code == "STORE_FULL"
    entry = an_entry(1, body={"text": "x" * 100_000})
    with pytest.raises(StoreFailed):
        await store.commit("web:1", epoch, [SaveRun(a_run()), AppendEntry(entry)])
    assert await store.run("r1") is None
    small, _ = await store.accept(an_input("small"), NOON)
    assert small.seq == 2
    await _pragma(store, f"max_page_count = {pages + 1000}")
    row, new = await store.accept(big, NOON)
    assert (row.seq, new) == (3, True)
    assert [r.new.dedup for r in await store.inputs("web:1")] == ["kept", "small", "big"]


async def test_a_full_disk_in_a_group_costs_only_who_does_not_fit(store: SqliteStore) -> None:
    pages = await _pragma(store, "page_count")
    await _pragma(store, f"max_page_count = {pages + 3}")
    texts = ["a", "x" * 200_000, "b", "y" * 200_000, "c"]
    tasks = [
        asyncio.create_task(store.accept(an_input(f"k{n}", text=text), NOON))
        for n, text in enumerate(texts)
    ]
    await asyncio.wait(tasks)
    failed = [isinstance(task.exception(), StoreFailed) for task in tasks]
    assert failed == [False, True, False, True, False]
    assert [row.new.text for row in await store.inputs("web:1")] == ["a", "b", "c"]


async def test_a_lock_held_by_another_program_is_named_and_passes(path: Path) -> None:
    async with opened(path, busy_timeout_ms=50) as store:
        await store.make_thread(a_thread())
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            tasks = [asyncio.create_task(store.accept(an_input(str(n)), NOON)) for n in range(20)]
            await asyncio.wait(tasks)
            errors = [task.exception() for task in tasks]
            assert {getattr(error, "code", None) for error in errors} == {"STORE_LOCKED"}
            assert await store.inputs("web:1") == []
            other.execute("ROLLBACK")
        row, new = await store.accept(an_input("0"), NOON)
        assert (row.seq, new) == (1, True)


async def test_one_process_a_file(store: SqliteStore, path: Path) -> None:
    with pytest.raises(StoreFailed) as caught:
        await open_store(path)
    assert caught.value.code == "STORE_LOCKED"
    assert str(path) in str(caught.value)
    await store.close()
    async with opened(path) as again:
        assert await again.thread("web:1") is not None


SECOND = """
import asyncio, sys
from pathlib import Path
from gateway.core.errors import StoreFailed
from tests.store.make import open_store
try:
    asyncio.run(open_store(Path(sys.argv[1])))
except StoreFailed as error:
    print(error.code, error)
"""


@pytest.mark.process
async def test_a_second_process_is_refused_and_told_who_holds_the_file(
    store: SqliteStore, path: Path
) -> None:
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", SECOND, str(path)],
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert done.stdout.startswith(f"STORE_LOCKED {path} is in use by another process: node (pid ")


async def test_a_path_that_can_t_be_a_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed) as caught:
        await open_store(tmp_path)
    assert caught.value.code == "STORE_UNAVAILABLE"
    assert str(tmp_path) in str(caught.value)


async def test_a_closed_store_says_so_and_closing_again_is_nothing(store: SqliteStore) -> None:
    await store.close()
    await store.close()
    for call in (store.accept(an_input(), NOON), store.threads(), store.commit("web:1", 1, [])):
        with pytest.raises(StoreFailed) as caught:
            await call
        assert caught.value.code == "STORE_CLOSED"


async def test_what_was_handed_in_is_finished_before_closing(path: Path) -> None:
    store = await open_store(path)
    await store.make_thread(a_thread())
    tasks = [asyncio.create_task(store.accept(an_input(str(n)), NOON)) for n in range(1500)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.wait(tasks)
    assert [task.exception() for task in tasks] == [None] * 1500
    async with opened(path) as again:
        assert len(await again.inputs("web:1")) == 1500


async def test_an_sqlite_with_the_checkpoint_defect_is_reported(path: Path) -> None:
    reports = Reports()
    store = await open_store(path, reports)
    await store.close()
    assert len(reports.said) == too_old()
    assert [too_old(v) for v in ((3, 40, 1), (3, 51, 2), (3, 51, 3), (3, 52, 0))] == [
        True,
        True,
        False,
        False,
    ]


async def test_commits_reach_the_disk_and_files_are_private(store: SqliteStore, path: Path) -> None:
    assert await _pragma(store, "synchronous") == 2
    names = {p.name: p.stat().st_mode & 0o777 for p in await asyncio.to_thread(_beside, path)}
    assert set(names) == {f"{path.name}{end}" for end in ("", "-wal", "-shm", ".lock")}
    assert set(names.values()) == {0o600}


def _beside(path: Path) -> list[Path]:
    return list(path.parent.iterdir())


async def test_migrations_are_numbered_without_gaps_and_run_once(path: Path) -> None:
    numbers = [number for number, _, _ in migrations()]
    assert numbers == list(range(1, len(numbers) + 1))
    for _ in range(2):
        async with opened(path):
            pass
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT number, applied_at FROM migration").fetchall()
    assert rows == [(number, "2026-03-01T12:00:00.000000Z") for number in numbers]
