"""Two runs that ask at once (`parallel`): each word goes to the question it is about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gateway.core.interrupts import Status
from gateway.core.queueing import Mode
from gateway.policy import Policy
from gateway.ports.rows import Outcome
from tests.flows.asking import asker, results, two
from tests.flows.desk import Desk, Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime

OPEN = {"Alpha?": Status.PENDING, "Beta?": Status.PENDING}


async def desk_of(path: Path, **more: Any) -> Desk:
    """Two runs of ann's, each with its question."""
    tools = asker("Alpha?", bool, "one", **more), asker("Beta?", bool, "two", **more)
    model = Script([call("one")], [call("two")], ["fine"])
    policy = Policy(mode=Mode.PARALLEL)
    desk = await open_desk(path / "a.db", agent_of(model, *tools), policy=policy)
    for text in ("do the one", "write a poem about rome"):
        await desk.say(text)
        await desk.settle(1)
    assert [prompt.question.message for prompt in desk.channel.prompts] == list(OPEN)
    return desk


async def statuses(desk: Desk) -> dict[str, Status]:
    """How the questions stand."""
    return {q.message: q.status for q in await desk.store.questions(thread="fake:1")}


@pytest.mark.parametrize(("number", "closed"), [(0, "Alpha?"), (1, "Beta?")])
async def test_the_third_unclear_answer_closes_its_own_question(
    tmp_path: Path, number: int, closed: str
) -> None:
    desk = await desk_of(tmp_path)
    question = desk.channel.prompts[number].question
    said = []
    for _ in range(3):
        said.append(await desk.say("maybe", reply_to=question.id))
        await desk.settle(1)
    assert await statuses(desk) == {**OPEN, closed: Status.CANCELLED}
    assert await desk.outcome(said[-1]) is Outcome.ANSWERED
    assert len(desk.told("MOVED_ON")) == 1
    await desk.close()


@pytest.mark.parametrize("text", ["cancel", "отмена", "/cancel"])
async def test_a_cancel_of_two_pauses_asks_which(tmp_path: Path, text: str) -> None:
    desk = await desk_of(tmp_path)
    said = await desk.say(text)
    await desk.settle(1)
    assert await statuses(desk) == OPEN
    assert (await desk.row(said)).detail == "INTERRUPT_ANSWER_INVALID"
    assert desk.told("WHICH_QUESTION")[0].params["questions"] == ["1. Alpha?", "2. Beta?"]
    await desk.say("/cancel 2" if text.startswith("/") else f"2: {text}")
    await desk.settle(1)
    assert await statuses(desk) == {**OPEN, "Beta?": Status.CANCELLED}
    again = await desk.say("/cancel 2")
    await desk.settle(1)
    assert (await desk.row(again)).detail == "INTERRUPT_ALREADY_DECIDED"
    assert await statuses(desk) == {**OPEN, "Beta?": Status.CANCELLED}
    await desk.say(text)
    await desk.settle(1)
    assert await statuses(desk) == {"Alpha?": Status.CANCELLED, "Beta?": Status.CANCELLED}
    assert not desk.errors
    await desk.close()


@pytest.mark.parametrize("text", ["stop", "стоп", "/stop"])
async def test_a_stop_ends_both(tmp_path: Path, text: str) -> None:
    desk = await desk_of(tmp_path)
    await desk.say(text)
    await desk.settle(1)
    assert set((await statuses(desk)).values()) == {Status.CANCELLED}
    assert not desk.told("WHICH_QUESTION")
    await desk.close()


async def test_a_cancel_of_what_somebody_else_is_asked_twice_asks_which(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, to="approvers")
    await desk.say("/cancel")
    await desk.settle(1)
    assert await statuses(desk) == OPEN
    assert desk.told("WHICH_QUESTION")[0].params["questions"] == ["1. Alpha?", "2. Beta?"]
    await desk.say("/cancel 1")
    await desk.settle(1)
    assert await statuses(desk) == {**OPEN, "Alpha?": Status.CANCELLED}
    await desk.close()


@pytest.mark.parametrize("text", ["cancel", "/cancel"])
async def test_one_pause_of_two_questions_is_declined_whole(tmp_path: Path, text: str) -> None:
    desk = await two(tmp_path)
    await desk.say(text)
    await desk.settle(1)
    assert set((await statuses(desk)).values()) == {Status.CANCELLED}
    await desk.close()


@pytest.mark.parametrize("text", ["cancel", "/cancel"])
async def test_an_approver_s_cancel_of_two_questions_asks_which(tmp_path: Path, text: str) -> None:
    names = {"one": "Alpha?", "two": "Beta?"}
    more = {"kind": "approval", "to": "approvers"}
    tools = [asker(message, None, name, **more) for name, message in names.items()]
    model = Script([call(name) for name in names], ["fine"])
    agent = agent_of(model, *tools, parallel_tool_calls=True)
    desk = await open_desk(tmp_path / "a.db", agent)
    boss: dict[str, Any] = {"by": "boss", "thread": "fake:boss"}
    await desk.say("go", **boss)
    await desk.settle(1)
    await desk.say(text, **boss)
    await desk.settle(1)
    assert {q.status for q in await desk.store.questions(thread="fake:boss")} == {Status.PENDING}
    assert len(desk.told("WHICH_QUESTION")) == 1
    await desk.close()


async def test_a_number_that_is_no_more_open_skips_nothing(tmp_path: Path) -> None:
    desk = await two(tmp_path)
    await desk.say("2: yes")
    await desk.settle(1)
    again = await desk.say("/skip 2")
    await desk.settle(1)
    assert (await desk.row(again)).detail == "INTERRUPT_ALREADY_DECIDED"
    assert (await statuses(desk))["Deploy?"] is Status.PENDING
    await desk.say("/skip 1")
    await desk.settle(1)
    assert await results(desk) == ['The user declined to answer "Deploy?"', "two=True"]
    await desk.close()
