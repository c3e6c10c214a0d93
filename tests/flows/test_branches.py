"""Runs on another branch than the active one: beside the conversation, over stops and crashes."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gateway.core.log import history, path
from gateway.core.messages import ToolResult, UserMessage
from gateway.core.queueing import Mode, Priority
from gateway.ports.model import ModelRequest
from gateway.ports.rows import InputKind, Outcome, RunRow
from tests.builders import LoopClock
from tests.fakes.channel import FakeChannel
from tests.flows.desk import Desk, Script, agent_of, open_desk
from tests.flows.watching import TOOLS, model, working

pytestmark = pytest.mark.looptime


async def begun(tmp_path: Path) -> Desk:
    """A desk whose thread holds two turns, of entries 1–2 and 3–4."""
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS))
    for text in ("hi", "later"):
        await desk.say(text)
        await desk.settle(1)
    return desk


async def after(path: Path, before: Desk, first_id: int = 1_000) -> Desk:
    """The next process on the file, after a kill."""
    await before.kill()
    clock = before.router.wiring.clock
    assert isinstance(clock, LoopClock)
    agent = agent_of(model(), *TOOLS)
    return await open_desk(path / "a.db", agent, first_id=first_id, clock=clock)


async def said_on(desk: Desk, leaf: int) -> list[str]:
    """What people said on the branch that ends there."""
    entries = await desk.store.entries("fake:1")
    return [m.text for m in history(path(entries, leaf)) if isinstance(m, UserMessage)]


async def tip_of(desk: Desk, run: str) -> int:
    return max(e.seq for e in await desk.store.entries("fake:1") if e.run == run)


async def run_of(desk: Desk, receipt: Any) -> RunRow:
    row = await desk.row(receipt)
    stored = await desk.store.run(row.run or "")
    assert isinstance(stored, RunRow)
    return stored


async def test_the_active_leaf_stays_where_it_is(tmp_path: Path) -> None:
    desk = await begun(tmp_path)
    aside = await desk.say("aside", branch=2)
    await desk.settle(2)
    assert await desk.outcome(aside) is Outcome.ANSWERED
    thread = await desk.store.thread("fake:1")
    assert thread is not None
    assert (thread.leaf, thread.branch, thread.head) == (4, 0, 6)
    run = await run_of(desk, aside)
    assert run.beside
    assert await said_on(desk, await tip_of(desk, run.id)) == ["hi", "aside"]
    await desk.close()


async def test_a_crash_lets_it_go_on_where_it_was(tmp_path: Path) -> None:
    desk = await begun(tmp_path)
    aside = await desk.say("talk aside", branch=2)
    await desk.settle(1.5)
    desk = await after(tmp_path, desk)
    main = await desk.say("main")
    await desk.settle(10)
    assert await desk.outcome(aside) is Outcome.ANSWERED
    assert await desk.outcome(main) is Outcome.ANSWERED
    run = await run_of(desk, aside)
    assert await said_on(desk, await tip_of(desk, run.id)) == ["hi", "talk aside"]
    assert [m.text for m in await desk.history() if isinstance(m, UserMessage)] == [
        "hi",
        "later",
        "main",
    ]
    await desk.close()


async def test_its_question_outlives_a_crash(tmp_path: Path) -> None:
    desk = await begun(tmp_path)
    aside = await desk.say("ask aside", branch=2)
    await desk.settle(1)
    desk = await after(tmp_path, desk)
    await desk.settle(1)
    yes = await desk.say("yes")
    await desk.settle(2)
    assert await desk.outcome(yes) is Outcome.DECIDED
    assert await desk.outcome(aside) is Outcome.ANSWERED
    await desk.close()


async def test_what_was_stored_for_a_branch_starts_after_a_crash(tmp_path: Path) -> None:
    desk = await begun(tmp_path)
    desk.router._closing = True  # what is stored now is not told to any actor
    new = (await desk.say("never")).code
    assert new == "SHUTTING_DOWN"
    desk.router._closing = False
    accept = desk.store.store.accept

    async def deaf(new: Any, at: Any) -> Any:
        desk.router._closing = True
        return await accept(new, at)

    vars(desk.store)["accept"] = deaf
    aside = await desk.say("aside", branch=2)
    desk = await after(tmp_path, desk)
    await desk.settle(2)
    assert await desk.outcome(aside) is Outcome.ANSWERED
    run = await run_of(desk, aside)
    assert await said_on(desk, await tip_of(desk, run.id)) == ["hi", "aside"]
    await desk.close()


@pytest.mark.parametrize("addressed", [False, True])
async def test_a_stop_ends_it(tmp_path: Path, addressed: bool) -> None:
    desk = await begun(tmp_path)
    aside = await desk.say("work aside", branch=2)
    main = await desk.say("work main")
    waits = await desk.say("waits", mode=Mode.ENQUEUE)
    await desk.settle(1)
    run = (await run_of(desk, aside)).id if addressed else None
    await desk.say("", kind=InputKind.STOP, run=run)
    await desk.settle(10)
    assert await desk.outcome(aside) is Outcome.INTERRUPTED
    others = (await desk.outcome(main), await desk.outcome(waits))
    both = (Outcome.INTERRUPTED, Outcome.RETURNED)
    assert others == ((Outcome.ANSWERED, Outcome.ANSWERED) if addressed else both)
    await desk.close()


async def test_what_is_said_to_it_joins_it_and_nothing_else_does(tmp_path: Path) -> None:
    desk = await begun(tmp_path)
    aside = await desk.say("work aside", branch=2)
    main = await desk.say("work main")
    await desk.settle(1)
    run = (await run_of(desk, aside)).id
    joined = await desk.say("for the aside", run=run)
    other = await desk.say("for the main one")
    await desk.settle(10)
    assert await desk.outcome(joined) is Outcome.STEERED
    assert (await desk.row(joined)).run == run
    assert (await desk.row(other)).run == (await run_of(desk, main)).id
    assert await said_on(desk, await tip_of(desk, run)) == ["hi", "work aside", "for the aside"]
    await desk.close()


@pytest.mark.parametrize("killed", [False, True])
async def test_a_now_to_it_stops_it_and_goes_on_after_it(tmp_path: Path, killed: bool) -> None:
    desk = await begun(tmp_path)
    aside = await desk.say("finish aside", branch=2)
    main = await desk.say("work main")
    await desk.settle(1)
    run = (await run_of(desk, aside)).id
    now = await desk.say("rather this", run=run, override=Priority.NOW)
    await desk.settle(0.5)
    if killed:
        desk = await after(tmp_path, desk)
    await desk.settle(20)
    row = await run_of(desk, aside)
    assert (row.end, row.reason) == ("interrupted", "NOW_PRIORITY_INPUT")
    assert await desk.outcome(now) is Outcome.ANSWERED
    assert await desk.outcome(main) is Outcome.ANSWERED
    last = await run_of(desk, now)
    assert last.beside
    said = await said_on(desk, await tip_of(desk, last.id))
    assert said == ["hi", "finish aside", "rather this"]
    await desk.close()


def slow_after_an_answer(request: ModelRequest) -> Sequence[object]:
    """As ever; what follows an answer takes three seconds."""
    step = working(request)
    return ["well, ", 3.0, *step] if isinstance(request.messages[-1], ToolResult) else step


@pytest.mark.parametrize("then", ["no", "нет, стой"])
async def test_a_no_right_after_its_answer_stops_it_alone(tmp_path: Path, then: str) -> None:
    desk = await open_desk(tmp_path / "a.db", agent_of(Script(slow_after_an_answer), *TOOLS))
    await desk.say("hi")
    await desk.settle(1)
    aside = await desk.say("ask aside", branch=1)
    main = await desk.say("work main")
    await desk.settle(1)
    yes = await desk.say("yes")
    await desk.settle(1)
    no = await desk.say(then)
    await desk.settle(20)
    assert await desk.outcome(yes) is Outcome.DECIDED
    assert (await desk.row(no)).detail == "STOPPED"
    assert await desk.outcome(aside) is Outcome.INTERRUPTED
    assert await desk.outcome(main) is Outcome.ANSWERED
    await desk.close()


async def test_nobody_elses_run_is_reached_by_its_address(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS))
    await desk.share()
    await desk.say("hi")
    await desk.settle(1)
    aside = await desk.say("work aside", branch=1)
    await desk.settle(1)
    run = (await run_of(desk, aside)).id
    now = await desk.say("stop that", by="bob", run=run, override=Priority.NOW)
    await desk.settle(10)
    assert await desk.outcome(aside) is Outcome.ANSWERED
    assert not (await run_of(desk, now)).beside
    await desk.close()


async def test_two_that_name_the_same_tip_get_a_branch_each(tmp_path: Path) -> None:
    desk = await begun(tmp_path)
    first = await desk.say("one", branch=2)
    await desk.settle(2)
    tip = await tip_of(desk, (await run_of(desk, first)).id)
    both = [await desk.say(text, branch=tip) for text in ("work two", "work three")]
    await desk.settle(10)
    for receipt, text in zip(both, ("work two", "work three"), strict=True):
        run = await run_of(desk, receipt)
        assert await said_on(desk, await tip_of(desk, run.id)) == ["hi", "one", text]
    entries = {e.body.get("text"): e.branch for e in await desk.store.entries("fake:1")}
    assert entries["work two"] == entries["one"] != entries["work three"]
    await desk.close()


async def test_a_new_conversation_leaves_it_alone(tmp_path: Path) -> None:
    desk = await begun(tmp_path)
    aside = await desk.say("work aside", branch=2)
    await desk.settle(1)
    await desk.say("/new")
    await desk.settle(1)
    another = await desk.say("another", branch=1)
    fresh = await desk.say("fresh")
    await desk.settle(10)
    for receipt in (aside, fresh, another):
        assert await desk.outcome(receipt) is Outcome.ANSWERED
    assert [m.text for m in await desk.history() if isinstance(m, UserMessage)] == ["fresh"]
    numbers = {e.body["text"]: e.branch for e in await desk.store.entries("fake:1") if not e.place}
    assert len({numbers[text] for text in ("hi", "work aside", "fresh", "another")}) == 4
    await desk.close()


async def test_what_it_does_is_drawn_on_its_own_channel_its_question_everywhere(
    tmp_path: Path,
) -> None:
    channels = {name: FakeChannel(name, share=1.0) for name in ("fake", "web")}
    agent = agent_of(model(), *TOOLS)
    desk = await open_desk(tmp_path / "a.db", agent, channels=channels)
    await desk.say("hi")
    await desk.say("hi", channel="web")
    await desk.settle(1)
    seen = len(channels["web"].updates)
    aside = await desk.say("ask aside", branch=1)
    await desk.settle(1)
    run = (await run_of(desk, aside)).id
    await desk.say("yes", channel="web")
    await desk.settle(2)
    assert await desk.outcome(aside) is Outcome.ANSWERED
    own = {update.type for update in channels["fake"].updates if update.data.get("run") == run}
    web = channels["web"].updates[seen:]
    assert {"run", "entry", "call", "input", "armed"} <= own
    assert {update.type for update in web if update.data.get("run") == run} == {"armed"}
    assert "decided" in {update.type for update in web}
    await desk.close()


async def test_what_waits_for_a_run_beside_that_can_not_be_read_ends_and_the_thread_goes_on(
    tmp_path: Path,
) -> None:
    desk = await begun(tmp_path)
    beside = await desk.say("work elsewhere", branch=2)
    await desk.settle(1)
    run = await run_of(desk, beside)
    waits = await desk.say("and this", run=run.id)
    await desk.settle(0.5)
    assert (await desk.row(waits)).beside
    await desk.kill()
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection, connection:
        connection.execute("UPDATE run SET body = 'x' WHERE id = ?", (run.id,))
    clock = desk.router.wiring.clock
    assert isinstance(clock, LoopClock)
    desk = await open_desk(
        tmp_path / "a.db", agent_of(model(), *TOOLS), first_id=1_000, clock=clock
    )
    await desk.settle(5)
    assert [await desk.outcome(r) for r in (beside, waits)] == [Outcome.FAILED] * 2
    said = await desk.say("hi again")
    await desk.settle(2)
    assert await desk.outcome(said) is Outcome.ANSWERED
    await desk.close()
