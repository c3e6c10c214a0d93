"""What every store promises: one commit is one transaction, fenced by its epoch."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from gateway.core.errors import IllegalEvent, LeaseLost, NotFound, ValidationFailed
from gateway.core.messages import Attachment, Quote, ToolCall
from gateway.core.queueing import Mode, Priority
from gateway.ports.agent import JournalRecord, RunOptions
from gateway.ports.rows import InputKind, InputRow, InputState, Outcome, Rule, StepText, ThreadRow
from gateway.ports.store import (
    AppendEntry,
    SaveInput,
    SaveJournal,
    SavePrompt,
    SaveQuestion,
    SaveRule,
    SaveRun,
    SaveThread,
    SetLeaf,
    Store,
    Write,
)
from gateway.store.sqlite import SqliteStore
from tests.store.make import (
    NOON,
    a_prompt,
    a_question,
    a_run,
    a_thread,
    an_entry,
    an_input,
    at,
    opened,
)

FULL_INPUT = an_input(
    kind=InputKind.PRESS,
    override=Priority.NOW,
    sender="Ann",
    language="ru",
    attachments=(Attachment("ab12", "image/png", "cat.png", 3),),
    quote=Quote("no", "Bob"),
    seen=7,
    reply_to="q1",
    run="r9",
    value={"region": "eu", "n": [1, 2.5, None, True]},
    how="voice",
    said_at=at(-3),
    chat="web:9",
    mode=Mode.ENQUEUE,
    branch=3,
    options=RunOptions(max_iterations=3, timeout_seconds=1.5, on_iteration_limit="ask"),
    text="привет \x00 \ud800 \U0001f600",
)
FULL_RUN = a_run(
    principals=("ann", "bob"),
    inputs=(1, 2),
    language="ru",
    options=RunOptions(max_cost_usd=0.5, parallel_tool_calls=True),
    reason="A_REASON_OF_TOMORROW",
    end="interrupted",
    error="MODEL_QUOTA",
    error_id="e1",
    step=4,
    checkpoint={"version": 1, "big": 10**30},
    batch=(ToolCall("c1", "deploy", {"region": "eu"}),),
    texts={3: StepText("all", "al", {"sig": "x"}, True), 4: StepText("more")},
    crashes=2,
    resumed=True,
    rolled_back=True,
    retry_of="r0",
    beside=True,
    named=True,
)


async def commit(store: SqliteStore, *writes: Write, thread: str = "web:1") -> int:
    epoch = (await store.acquire(thread, "node")).thread.epoch
    await store.commit(thread, epoch, writes)
    return epoch


async def test_is_a_store(store: SqliteStore) -> None:
    port: Store = store
    assert port is store


async def test_an_input_gets_the_next_place_of_its_thread(store: SqliteStore) -> None:
    await store.make_thread(a_thread("web:2"))
    first, new = await store.accept(an_input("a"), NOON)
    second, _ = await store.accept(an_input("b"), at(1))
    other, _ = await store.accept(an_input("c", thread="web:2"), at(2))
    assert (first.seq, second.seq, other.seq, new) == (1, 2, 1, True)
    assert await store.inputs("web:1") == [first, second]


async def test_a_known_input_changes_nothing_and_is_given_back(store: SqliteStore) -> None:
    stored, _ = await store.accept(an_input("a", text="first"), NOON)
    again = await store.accept(an_input("a", text="second"), at(9))
    assert again == (stored, False)
    after, _ = await store.accept(an_input("b"), NOON)
    assert after.seq == 2


async def test_the_same_update_many_times_at_once_is_one_input(store: SqliteStore) -> None:
    tasks = [asyncio.create_task(store.accept(an_input("same"), NOON)) for _ in range(12)]
    await asyncio.wait(tasks)
    results = [task.result() for task in tasks]
    assert [new for _, new in results].count(True) == 1
    assert len({row.seq for row, _ in results}) == 1
    assert len(await store.inputs("web:1")) == 1


async def test_an_input_of_an_unknown_thread_is_refused(store: SqliteStore) -> None:
    with pytest.raises(NotFound):
        await store.accept(an_input(thread="nowhere"), NOON)


async def test_everything_of_an_input_is_kept(store: SqliteStore, path: Path) -> None:
    stored, _ = await store.accept(FULL_INPUT, NOON)
    done = replace(
        stored,
        state=InputState.DONE,
        priority=Priority.LATER,
        collect=True,
        joins=True,
        outcome=Outcome.MERGED,
        detail="with 2",
        run="r1",
    )
    await commit(store, SaveInput(done))
    await store.close()
    async with opened(path) as again:
        assert await again.inputs("web:1") == [done]
        assert done.new == FULL_INPUT


async def test_everything_of_a_run_is_kept(store: SqliteStore) -> None:
    await commit(store, SaveRun(FULL_RUN))
    assert await store.run("r1") == FULL_RUN
    ended = replace(FULL_RUN, state="ended", texts={})
    await commit(store, SaveRun(ended))
    assert await store.run("r1") == ended
    assert await store.run("r2") is None


async def test_an_owner_starts_with_what_is_live(store: SqliteStore) -> None:
    open_input, _ = await store.accept(an_input("a"), NOON)
    closed_input, _ = await store.accept(an_input("b"), NOON)
    live, ended = a_run("r1", state="asking"), a_run("r0", state="ended")
    asked, other = a_question("q1"), a_question("q2", run="r0")
    rule = Rule("web:1", "ann", "deploy")
    await commit(
        store,
        SaveInput(replace(closed_input, state=InputState.DONE, outcome=Outcome.ANSWERED)),
        SaveRun(live),
        SaveRun(ended),
        SaveQuestion(asked),
        SaveQuestion(other),
        SavePrompt(a_prompt()),
        AppendEntry(an_entry(1)),
        SaveRule(rule),
        SaveRule(rule),
    )
    loaded = await store.acquire("web:1", "node")
    assert loaded.inputs == (open_input,)
    assert loaded.runs == (live,)
    assert loaded.last_run == ended
    assert loaded.questions == (asked, other)
    assert loaded.prompts == (a_prompt(),)
    assert loaded.entries == (an_entry(1),)
    assert loaded.rules == (rule,)
    assert (loaded.thread.epoch, loaded.thread.head, loaded.thread.leaf) == (2, 1, 1)


async def test_a_stale_epoch_writes_nothing(store: SqliteStore) -> None:
    old = (await store.acquire("web:1", "one")).thread.epoch
    new = (await store.acquire("web:1", "two")).thread.epoch
    with pytest.raises(LeaseLost):
        await store.commit("web:1", old, [AppendEntry(an_entry(1))])
    assert await store.entries("web:1") == []
    await store.commit("web:1", new, [AppendEntry(an_entry(1))])
    assert new == old + 1


async def test_of_two_owners_at_once_the_last_one_holds(store: SqliteStore) -> None:
    tasks = [asyncio.create_task(store.acquire("web:1", f"n{n}")) for n in range(5)]
    await asyncio.wait(tasks)
    epochs = [task.result().thread.epoch for task in tasks]
    assert sorted(epochs) == [1, 2, 3, 4, 5]
    for epoch in range(1, 5):
        with pytest.raises(LeaseLost):
            await store.commit("web:1", epoch, [])
    await store.commit("web:1", 5, [])


async def test_an_unknown_thread_is_not_acquired(store: SqliteStore) -> None:
    with pytest.raises(NotFound):
        await store.acquire("nowhere", "node")


@pytest.mark.parametrize(
    "bad",
    [
        AppendEntry(an_entry(2, parent=0)),
        AppendEntry(an_entry(1, parent=1)),
        AppendEntry(an_entry(1), input_seq=9),
        SetLeaf(0, 1),
        SaveInput(InputRow(seq=9, new=an_input(), accepted_at=NOON)),
        SaveInput(InputRow(seq=1, new=an_input(), accepted_at=NOON, state=InputState.DONE)),
        SaveInput(InputRow(seq=1, new=an_input(), accepted_at=NOON, outcome=Outcome.FAILED)),
        SavePrompt(a_prompt(question="none")),
    ],
    ids=lambda write: type(write).__name__,
)
async def test_a_commit_that_contradicts_the_store_is_undone_whole(
    store: SqliteStore, bad: Write
) -> None:
    await store.accept(an_input(), NOON)
    epoch = (await store.acquire("web:1", "node")).thread.epoch
    with pytest.raises(IllegalEvent):
        await store.commit("web:1", epoch, [SaveRun(a_run()), bad])
    assert await store.run("r1") is None
    assert (await store.inputs("web:1"))[0].state is InputState.NEW


async def test_what_is_not_json_is_refused_before_it_is_handed_over(store: SqliteStore) -> None:
    for value in (float("nan"), object(), {1, 2}):
        with pytest.raises(ValidationFailed):
            await commit(store, SaveRun(a_run()), SaveJournal("r1", _record(value)))
    assert await store.run("r1") is None


async def test_an_id_that_is_not_unicode_is_refused(store: SqliteStore) -> None:
    with pytest.raises(ValidationFailed):
        await store.accept(an_input("\ud800"), NOON)


async def test_an_input_is_consumed_once(store: SqliteStore) -> None:
    await store.accept(an_input(), NOON)
    await commit(store, AppendEntry(an_entry(1), input_seq=1))
    with pytest.raises(IllegalEvent):
        await commit(store, AppendEntry(an_entry(2), input_seq=1))
    assert len(await store.entries("web:1")) == 1


async def test_a_part_of_the_log_is_read_alone(store: SqliteStore) -> None:
    runs = {1: "r1", 2: "r2", 3: "r1", 4: "r2", 5: "r3"}
    writes = [AppendEntry(replace(an_entry(seq), run=run)) for seq, run in runs.items()]
    await commit(store, *writes)
    assert [entry.seq for entry in await store.entries("web:1", 2, 2)] == [3, 4]
    assert await store.entries("web:1", 5, 9) == []
    assert [entry.seq for entry in await store.run_entries("r1")] == [1, 3]
    assert await store.run_entries("r9") == []
    await store.accept(an_input(), NOON)
    found = await store.input("web:1", 1)
    assert found is not None
    assert found.new.text == an_input().text
    assert await store.input("web:1", 2) is None


async def test_an_owner_gets_the_active_branch_and_the_log_keeps_all(store: SqliteStore) -> None:
    fork = an_entry(4, parent=1, branch=1)
    writes = [AppendEntry(an_entry(seq)) for seq in (1, 2, 3)]
    await commit(store, *writes, SetLeaf(1, 1), AppendEntry(fork))
    loaded = await store.acquire("web:1", "node")
    assert [entry.seq for entry in loaded.entries] == [1, 4]
    assert (loaded.thread.branch, loaded.thread.leaf, loaded.thread.head) == (1, 4, 4)
    assert [entry.seq for entry in await store.entries("web:1")] == [1, 2, 3, 4]
    await commit(store, SetLeaf(0, 0))
    assert (await store.acquire("web:1", "node")).entries == ()


async def test_rows_of_another_thread_are_left_alone(store: SqliteStore) -> None:
    await store.make_thread(a_thread("web:2"))
    await commit(store, SaveRun(a_run()), SaveQuestion(a_question()), SavePrompt(a_prompt()))
    for write in (
        SaveRun(a_run(thread="web:2", state="ended")),
        SavePrompt(a_prompt(state="armed")),
    ):
        with pytest.raises(IllegalEvent):
            await commit(store, write, thread="web:2")
    with pytest.raises(NotFound):
        await commit(store, SaveQuestion(a_question().unclear()), thread="web:2")
    run, prompt = await store.run("r1"), await store.prompt("k1")
    assert run is not None
    assert prompt is not None
    assert (run.state, prompt.state) == ("running", "ready")


async def test_a_thread_is_made_once(store: SqliteStore) -> None:
    row = ThreadRow(id="tg:1", private=False, owner="bob", members=("ann", "bob"), title="Ops")
    made = await store.make_thread(row)
    again = await store.make_thread(replace(row, owner="eve", members=(), title="x"))
    assert made == again == replace(row, created_at=NOON)
    assert await store.thread("tg:1") == made
    assert await store.thread("nowhere") is None


async def test_a_thread_s_settings_members_and_title_are_saved(store: SqliteStore) -> None:
    row = ThreadRow(
        id="web:1",
        private=True,
        owner="ann",
        members=("bob", "ann"),
        settings={"mode": "collect"},
        title="Имя",
        head=99,
        leaf=99,
        epoch=99,
    )
    epoch = await commit(store, SaveThread(row))
    expected = replace(row, epoch=epoch, head=0, leaf=0, created_at=NOON)
    assert await store.thread("web:1") == expected


async def test_a_person_s_threads_newest_first(store: SqliteStore) -> None:
    await store.make_thread(replace(a_thread("b", principal="bob"), created_at=at(1)))
    await store.make_thread(
        replace(a_thread("c", principal="bob"), members=("ann", "ann"), created_at=at(2))
    )
    assert [row.id for row in await store.threads("ann")] == ["c", "web:1"]
    assert [row.id for row in await store.threads()] == ["c", "b", "web:1"]
    assert await store.threads("eve") == []


def _record(value: object) -> JournalRecord:
    return JournalRecord("c1", "result", "key", value)  # type: ignore[arg-type]


async def test_a_journal_keeps_its_order(store: SqliteStore) -> None:
    records = [_record({"n": n}) for n in range(3)]
    await commit(store, *(SaveJournal("r1", record) for record in records))
    await commit(store, SaveJournal("r1", JournalRecord("c1", "started")))
    assert await store.journal("r1") == [*records, JournalRecord("c1", "started")]
    assert await store.journal("r2") == []


async def test_a_thread_is_busy_until_all_of_it_has_an_end(store: SqliteStore) -> None:
    assert await store.busy_threads() == []
    row, _ = await store.accept(an_input(), NOON)
    assert await store.busy_threads() == ["web:1"]
    await commit(
        store,
        SaveInput(replace(row, state=InputState.DONE, outcome=Outcome.ANSWERED)),
        SaveRun(a_run()),
    )
    assert await store.busy_threads() == ["web:1"]
    await commit(store, SaveRun(a_run(state="ended")))
    assert await store.busy_threads() == []
    await commit(store, SaveQuestion(a_question()))
    assert await store.busy_threads() == ["web:1"]


async def test_a_removed_thread_leaves_nothing(store: SqliteStore, path: Path) -> None:
    await store.make_thread(a_thread("web:2"))
    mine, shared = await store.put(b"mine", "text/plain"), await store.put(b"both", "image/png")
    files = tuple(Attachment(key, "image/png") for key in (mine, shared))
    await store.accept(an_input("a", attachments=files, text="secret words"), NOON)
    await store.accept(an_input("b", thread="web:2", attachments=files[1:]), NOON)
    await commit(
        store,
        AppendEntry(an_entry(1), input_seq=1),
        SaveRun(a_run()),
        SaveQuestion(a_question()),
        SavePrompt(a_prompt()),
        SaveJournal("r1", _record(1)),
        SaveRule(Rule("web:1", "ann", "deploy")),
    )
    await store.delete_thread("web:1")
    assert await store.thread("web:1") is None
    assert not await store.inputs("web:1")
    assert not await store.entries("web:1")
    assert await store.run("r1") is None
    assert not await store.journal("r1")
    assert not await store.questions(run="r1")
    assert await store.prompt("k1") is None
    assert await store.get(shared) == (b"both", "image/png")
    with pytest.raises(NotFound):
        await store.get(mine)
    await store.close()
    assert b"secret words" not in await asyncio.to_thread(path.read_bytes)


async def test_files_are_kept_by_the_hash_of_their_bytes(store: SqliteStore) -> None:
    key = await store.put(b"abc", "image/png")
    assert key == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert await store.put(b"abc", "image/png") == key
    assert await store.get(key) == (b"abc", "image/png")
    with pytest.raises(NotFound):
        await store.get("none")
