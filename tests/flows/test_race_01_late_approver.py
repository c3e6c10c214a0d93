"""RACES 1 in an approver's own chat: a late bare answer is told so there, and starts nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gateway.core.interrupts import Status
from gateway.ports.rows import Outcome
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
