"""RACES 1 in an approver's own chat: a late bare answer is told so there, and starts nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gateway.core.interrupts import Status
from gateway.ports.rows import Outcome
from tests.builders import LoopClock
from tests.flows.asking import asker
from tests.flows.desk import Desk, Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime

BOSS: dict[str, Any] = {"by": "boss", "thread": "fake:boss"}


async def expired(path: Path) -> Desk:
    """A desk where the boss was asked for leave, and let it expire."""
    more = {"kind": "approval", "to": "approvers", "expires_in": 60}
    model = Script([call("refund")], ["fine"], ["own"])
    agent = agent_of(model, asker("Refund?", None, "refund", **more))
    desk = await open_desk(path / "a.db", agent)
    await desk.say("refund me")
    await desk.settle(61)
    (question,) = await desk.store.questions(thread="fake:1")
    assert question.status is Status.EXPIRED
    return desk


async def test_the_approver_is_told_that_it_expired(tmp_path: Path) -> None:
    desk = await expired(tmp_path)
    told = [(notice.thread, notice.to, notice.params) for notice in desk.told("QUESTION_EXPIRED")]
    why = {"message": "Refund?"}
    assert told == [("fake:1", "", why), ("fake:boss", "boss", why)]
    await desk.close()


@pytest.mark.parametrize("after", [0.0, 3600.0])
@pytest.mark.parametrize("text", ["yes", "нет", "cancel"])
async def test_a_late_answer_is_told_so_and_starts_no_run(
    tmp_path: Path, text: str, after: float
) -> None:
    desk = await expired(tmp_path)
    await desk.settle(after)
    late = await desk.say(text, **BOSS)
    await desk.settle(2)
    row = await desk.row(late)
    assert (row.outcome, row.detail) == (Outcome.REFUSED, "INTERRUPT_EXPIRED")
    (told,) = desk.told("INTERRUPT_EXPIRED")
    assert (told.thread, told.to) == ("fake:boss", "boss")
    again = await desk.say(text, **BOSS)
    await desk.settle(2)
    assert again.row is not None
    assert again.row.new.thread == "fake:boss", "they have been told"
    assert not desk.errors
    await desk.close()


async def test_a_late_reply_is_told_so_whatever_it_says(tmp_path: Path) -> None:
    desk = await expired(tmp_path)
    question = desk.channel.prompts[0].question
    late = await desk.say("well, I would say yes", **BOSS, reply_to=question.id)
    await desk.settle(2)
    assert (await desk.row(late)).detail == "INTERRUPT_EXPIRED"
    await desk.close()


@pytest.mark.parametrize(
    ("first", "seen"), [("what is new today?", None), ("/now look", None), ("yes", 0)]
)
async def test_what_is_no_late_answer_is_an_input_of_their_own(
    tmp_path: Path, first: str, seen: int | None
) -> None:
    desk = await expired(tmp_path)
    said = await desk.say(first, **BOSS, seen=seen)
    await desk.settle(2)
    assert await desk.outcome(said) is Outcome.ANSWERED
    yes = await desk.say("yes", **BOSS)
    await desk.settle(2)
    assert await desk.outcome(yes) is Outcome.ANSWERED, "they said something since"
    await desk.close()


async def again(path: Path, before: Desk, *, killed: bool, first_id: int = 1_000) -> Desk:
    """The desk of the next process on the same file."""
    await (before.kill() if killed else before.close())
    model = Script(["fine"])
    agent = agent_of(model, asker("Refund?", None, "refund", kind="approval", to="approvers"))
    clock = before.router.wiring.clock
    assert isinstance(clock, LoopClock)
    return await open_desk(path / "a.db", agent, first_id=first_id, clock=clock)


@pytest.mark.parametrize("killed", [False, True])
@pytest.mark.parametrize("text", ["yes", "нет", "cancel"])
async def test_a_late_answer_after_a_restart_is_told_so(
    tmp_path: Path, text: str, killed: bool
) -> None:
    desk = await again(tmp_path, await expired(tmp_path), killed=killed)
    late = await desk.say(text, **BOSS)
    await desk.settle(2)
    row = await desk.row(late)
    assert (row.outcome, row.detail) == (Outcome.REFUSED, "INTERRUPT_EXPIRED")
    assert [notice.thread for notice in desk.told("INTERRUPT_EXPIRED")] == ["fake:boss"]
    desk = await again(tmp_path, desk, killed=killed, first_id=2_000)
    told = await desk.say(text, **BOSS)
    await desk.settle(2)
    assert await desk.outcome(told) is Outcome.ANSWERED, "they have been told"
    assert not desk.errors
    await desk.close()


@pytest.mark.parametrize("first", ["what is new today?", "/now look"])
async def test_who_said_something_since_is_not_late_after_a_restart(
    tmp_path: Path, first: str
) -> None:
    desk = await expired(tmp_path)
    await desk.say(first, **BOSS)
    await desk.settle(2)
    desk = await again(tmp_path, desk, killed=False)
    yes = await desk.say("yes", **BOSS)
    await desk.settle(2)
    assert await desk.outcome(yes) is Outcome.ANSWERED
    await desk.close()


@pytest.mark.parametrize("text", ["yes", "нет", "1: yes"])
async def test_an_answer_right_after_a_restart_is_one(tmp_path: Path, text: str) -> None:
    more = {"kind": "approval", "to": "approvers", "expires_in": 60}
    agent = agent_of(Script([call("refund")], ["fine"]), asker("Refund?", None, "refund", **more))
    desk = await open_desk(tmp_path / "a.db", agent)
    await desk.say("refund me")
    await desk.settle(1)
    desk = await again(tmp_path, desk, killed=True)
    said = await desk.say(text, **BOSS)
    await desk.settle(2)
    row = await desk.row(said)
    assert (row.new.thread, row.outcome) == ("fake:1", Outcome.DECIDED)
    await desk.close()


@pytest.mark.parametrize(("seconds", "status"), [(4.0, Status.APPROVED), (14.0, Status.EXPIRED)])
async def test_the_expiry_waits_for_what_the_approver_is_saying_in_their_chat(
    tmp_path: Path, seconds: float, status: Status
) -> None:
    more = {"kind": "approval", "to": "approvers", "expires_in": 60}
    model = Script([call("refund")], ["fine"], ["own"])
    desk = await open_desk(
        tmp_path / "a.db", agent_of(model, asker("Refund?", None, "refund", **more))
    )
    await desk.say("refund me")
    await desk.settle(59)
    at = desk.router.wiring.clock.now()
    with desk.router.expecting("fake:boss", "boss", at):
        await desk.settle(seconds)
        await desk.say("yes", **BOSS, how="voice", said_at=at)
    await desk.settle(2)
    (question,) = await desk.store.questions(thread="fake:1")
    assert question.status is status
    assert not desk.errors
    await desk.close()


async def test_nobody_waits_for_what_another_says_in_their_own_chat(tmp_path: Path) -> None:
    more = {"kind": "approval", "to": "approvers", "expires_in": 60}
    model = Script([call("refund")], ["fine"], ["own"])
    desk = await open_desk(
        tmp_path / "a.db", agent_of(model, asker("Refund?", None, "refund", **more))
    )
    await desk.say("refund me")
    await desk.settle(59)
    with desk.router.expecting("fake:boss", "ann", desk.router.wiring.clock.now()):
        await desk.settle(2)
        (question,) = await desk.store.questions(thread="fake:1")
        assert question.status is Status.EXPIRED
    await desk.close()
