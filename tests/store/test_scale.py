"""A big file costs its idle threads nothing: no scan, no memory."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gateway.store.reads import BUSY, CHAIN, EXPIRIES, LIVE_RUN
from gateway.store.sqlite import SqliteStore
from tests.store.make import a_thread

QUERIES = {
    "busy threads": BUSY,
    "next expiry": EXPIRIES,
    "branch": CHAIN,
    "live runs": LIVE_RUN,
    "open inputs": "SELECT * FROM inbox WHERE thread = ? AND state <> 'done' ORDER BY thread, seq",
    "last run": "SELECT * FROM run WHERE thread = ? ORDER BY position DESC LIMIT 1",
    "questions": f"SELECT * FROM question WHERE thread = ?"
    f" AND (status = 'pending' OR run IN ({LIVE_RUN})) ORDER BY thread, position",
    "prompts": "SELECT * FROM prompt WHERE question IN"
    " (SELECT id FROM question WHERE thread = ? AND status = 'pending')",
    "duplicate": "SELECT seq FROM inbox WHERE dedup = ?",
    "of a run": "SELECT * FROM entry WHERE run = ? ORDER BY seq",
    "a part of a log": "SELECT * FROM entry WHERE thread = ? AND seq > ? ORDER BY seq LIMIT ?",
    "journal": "SELECT * FROM journal WHERE run = ? ORDER BY position",
    "of a person": "SELECT id FROM thread WHERE principal = ?"
    " UNION SELECT thread FROM member WHERE principal = ?",
}


@pytest.mark.parametrize("name", QUERIES)
async def test_no_query_walks_a_table(store: SqliteStore, path: Path, name: str) -> None:
    sql = QUERIES[name]
    with closing(sqlite3.connect(path)) as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {sql}", ("x",) * sql.count("?")).fetchall()
    steps = [step[3] for step in plan]
    scans = [step for step in steps if step.startswith("SCAN")]
    small = {"inbox_open", "run_open", "question_open", "question_expiry", "chain", "CONSTANT"}
    assert all(small.intersection(step.split()) for step in scans), steps


async def test_a_thread_that_was_touched_leaves_nothing_in_memory(store: SqliteStore) -> None:
    before = _held(store)
    await asyncio.wait(
        [asyncio.create_task(store.make_thread(a_thread(f"t{n}"))) for n in range(500)]
    )
    await asyncio.wait([asyncio.create_task(store.acquire(f"t{n}", "x")) for n in range(500)])
    assert _held(store) == before


def _held(store: SqliteStore) -> int:
    owned = {**vars(store._reads), **vars(store._writes)}
    return sum(len(value) for value in owned.values() if isinstance(value, list | dict | set))
