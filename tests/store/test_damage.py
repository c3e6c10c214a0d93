"""One bad row does not lose its neighbours (row 60); a bad file is named."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from gateway.core.errors import StoreFailed
from gateway.core.log import path as chain
from gateway.ports.agent import JournalRecord
from gateway.ports.store import (
    AppendEntry,
    DecideQuestion,
    SaveJournal,
    SavePrompt,
    SaveQuestion,
    SaveRun,
    SaveThread,
)
from gateway.store.sqlite import SqliteStore
from tests.store.make import (
    NOON,
    Reports,
    a_prompt,
    a_question,
    a_run,
    a_thread,
    an_entry,
    an_input,
    approved,
    at,
    change,
    open_store,
    opened,
)
from tests.store.test_contract import commit

BODIES = ["{broken", "[]", "{}", "", b"\xff\xfe\xff", "null", '{"text": "no end']


async def _three_of_each(store: SqliteStore) -> None:
    for n in (1, 2, 3):
        await store.accept(an_input(f"secret-{n}"), NOON)
        await commit(
            store,
            SaveRun(a_run(f"r{n}")),
            SaveQuestion(a_question(f"q{n}", run=f"r{n}").arm(at(n))),
            SavePrompt(a_prompt(f"k{n}", question=f"q{n}")),
            AppendEntry(an_entry(n), input_seq=n),
            SaveJournal("r1", JournalRecord("c1", "note", "k", n)),
        )


@pytest.mark.parametrize("body", BODIES)
async def test_the_middle_of_three_is_left_out_and_named(
    store: SqliteStore, path: Path, reports: Reports, body: str | bytes
) -> None:
    await _three_of_each(store)
    for table, where in (("inbox", "seq = 2"), ("run", "id = 'r2'"), ("question", "id = 'q2'")):
        change(path, f"UPDATE {table} SET body = ? WHERE {where}", body)
    if body != "{}":  # an empty body is one that an entry may have
        change(path, "UPDATE entry SET body = ? WHERE seq = 2", body)
        change(path, "UPDATE journal SET value = ? WHERE position = 2", body or "{")
    loaded = await store.acquire("web:1", "node")
    assert [row.seq for row in loaded.inputs] == [1, 3]
    assert [run.id for run in loaded.runs] == ["r1", "r3"]
    assert [question.id for question in loaded.questions] == ["q1", "q3"]
    if body not in ("{}", "[]", "null"):
        assert [record.value for record in await store.journal("r1")] == [1, 3]
    if body != "{}":
        assert [entry.seq for entry in loaded.entries] == [1, 3]
        assert "entry 2" in reports.unreadable
    assert {"input 2", "run r2", "question q2"} <= reports.unreadable


BAD_COLUMNS = [
    ("UPDATE inbox SET state = ? WHERE seq = 2", "maybe", "input 2"),
    ("UPDATE inbox SET priority = ? WHERE seq = 2", 9, "input 2"),
    ("UPDATE inbox SET outcome = ? WHERE seq = 2", "lost", "input 2"),
    ("UPDATE inbox SET accepted_at = ? WHERE seq = 2", "soon", "input 2"),
    ("UPDATE inbox SET principal = ? WHERE seq = 2", b"\xff", "input 2"),
    ("UPDATE entry SET kind = ? WHERE seq = 2", "song", "entry 2"),
    ("UPDATE entry SET place = ? WHERE seq = 2", 77, "entry 2"),
    ("UPDATE entry SET run = ? WHERE seq = 2", b"\xff", "entry 2"),
    ("UPDATE run SET started_at = ? WHERE id = 'r2'", "late", "run r2"),
    ("UPDATE question SET expires_at = ? WHERE id = 'q2'", "never", "question q2"),
    ("UPDATE prompt SET state = ? WHERE token = 'k2'", b"\xff", "prompt of question q2"),
]


@pytest.mark.parametrize("damage", BAD_COLUMNS, ids=lambda damage: damage[0][:30])
async def test_a_bad_column_costs_its_row_only(
    store: SqliteStore, path: Path, reports: Reports, damage: tuple[str, object, str]
) -> None:
    sql, value, name = damage
    await _three_of_each(store)
    change(path, sql, value)
    loaded = await store.acquire("web:1", "node")
    counts = [len(rows) for rows in (loaded.inputs, loaded.entries, loaded.runs)]
    counts += [len(loaded.questions), len(loaded.prompts)]
    assert (sorted(counts), reports.unreadable) == ([2, 3, 3, 3, 3], {name})


async def test_history_goes_on_past_an_entry_that_can_t_be_read(
    store: SqliteStore, path: Path
) -> None:
    await commit(store, *(AppendEntry(an_entry(seq)) for seq in (1, 2, 3, 4)))
    change(path, "UPDATE entry SET body = 'x' WHERE seq IN (2, 4)")
    loaded = await store.acquire("web:1", "node")
    assert [e.seq for e in chain(loaded.entries, loaded.thread.leaf)] == [1, 3]
    assert [entry.seq for entry in await store.entries("web:1")] == [1, 3]
    await commit(store, AppendEntry(an_entry(5, parent=loaded.thread.leaf)))


async def test_a_parent_that_points_back_ends(
    store: SqliteStore, path: Path, reports: Reports
) -> None:
    await commit(store, *(AppendEntry(an_entry(seq)) for seq in (1, 2, 3)))
    change(path, "UPDATE entry SET parent = 3, body = 'x' WHERE seq = 1")
    change(path, "UPDATE entry SET body = 'x'")
    loaded = await store.acquire("web:1", "node")
    assert loaded.entries == ()
    assert reports.unreadable == {"entry 1", "entry 2", "entry 3"}


async def test_a_question_whose_row_contradicts_itself_is_not_read(
    store: SqliteStore, path: Path
) -> None:
    armed = a_question().arm(NOON)
    await commit(store, SaveQuestion(armed), DecideQuestion(armed.decide(approved(), at(1))))
    change(path, "UPDATE question SET status = 'denied'")
    assert await store.questions() == []


async def test_a_thread_keeps_going_without_its_settings(
    store: SqliteStore, path: Path, reports: Reports
) -> None:
    await commit(store, SaveThread(replace(a_thread(), settings={"mode": "steer"}, members=("b",))))
    change(path, "UPDATE thread SET body = ?", b"\xff")
    loaded = await store.acquire("web:1", "node")
    assert (loaded.thread.owner, loaded.thread.members) == ("ann", ("b",))
    assert (loaded.thread.settings, reports.unreadable) == ({}, {"settings of thread web:1"})


async def test_an_expiry_that_can_take_no_end_is_passed_over(
    store: SqliteStore, path: Path
) -> None:
    questions = [a_question(f"q{n:02}").arm(at(min(n, 20))) for n in range(40)]
    await commit(store, *(SaveQuestion(question) for question in questions))
    change(path, "UPDATE question SET body = 'x' WHERE id < 'q35'")
    change(path, "UPDATE question SET expires_at = 'x' WHERE id = 'q01'")
    assert await store.expiries(at(0)) == ([], at(80))
    assert await store.expiries(at(80)) == (["web:1"], None)
    change(path, "UPDATE question SET body = 'x'")
    assert await store.expiries(at(0)) == ([], None)
    assert await store.expiries(at(80)) == ([], None)


async def test_a_known_input_that_can_t_be_read_is_still_known(
    store: SqliteStore, path: Path
) -> None:
    await store.accept(an_input(), NOON)
    change(path, "UPDATE inbox SET body = 'x'")
    row, new = await store.accept(an_input(), NOON)
    assert (row.seq, row.new, new) == (1, an_input(), False)


async def test_what_is_left_out_is_reported_once_and_without_content(path: Path) -> None:
    reports = Reports()
    store = await open_store(path, reports)
    await store.make_thread(a_thread())
    await store.accept(an_input(text="my secret"), NOON)
    change(path, "UPDATE inbox SET body = 'my secret'")
    for _ in range(3):
        await store.inputs("web:1")
    await store.close()
    assert [said for said in reports.said if "SQLite" not in said] == ["can't be read: input 1"]


def _file(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(sql)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"SQLite format 3\x00" + b"\xff" * 4096, "STORE_DAMAGED"),
        (b"hello, this is no database at all" * 200, "STORE_DAMAGED"),
    ],
)
async def test_a_file_that_is_no_database_is_named(path: Path, data: bytes, code: str) -> None:
    _write(path, data)
    with pytest.raises(StoreFailed) as caught:
        await open_store(path)
    assert (caught.value.code, caught.value.params["path"]) == (code, str(path))
    assert str(path) in str(caught.value)
    _write(path, b"")
    async with opened(path) as store:
        assert await store.threads() == []


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


async def test_the_database_of_another_program_is_left_alone(path: Path) -> None:
    _file(path, "CREATE TABLE mine (x)")
    with pytest.raises(StoreFailed) as caught:
        await open_store(path)
    assert caught.value.code == "STORE_DAMAGED"
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("mine",)]


async def test_a_file_of_a_newer_version_is_left_alone(path: Path) -> None:
    async with opened(path):
        pass
    change(path, "INSERT INTO migration (number, name, applied_at) VALUES (99, 'later', '')")
    with pytest.raises(StoreFailed) as caught:
        await open_store(path)
    assert caught.value.code == "STORE_NEWER"
    assert str(path) in str(caught.value)


async def test_a_page_that_went_bad_fails_what_needs_it_and_is_named(path: Path) -> None:
    async with opened(path) as store:
        await store.make_thread(a_thread())
        for n in range(50):
            await store.accept(an_input(str(n), text="x" * 500), NOON)
    _spoil(path, "inbox")
    async with opened(path) as store:
        with pytest.raises(StoreFailed) as caught:
            await store.inputs("web:1")
        assert caught.value.code == "STORE_DAMAGED"
        with pytest.raises(StoreFailed) as caught:
            await store.accept(an_input("new"), NOON)
        assert caught.value.code == "STORE_DAMAGED"
        await store.make_thread(a_thread("web:2"))
        assert [row.id for row in await store.threads()] == ["web:2", "web:1"]


def _spoil(path: Path, table: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
