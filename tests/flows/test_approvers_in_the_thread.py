"""Row 110 where the approver is also a member of the thread that asks, or asks themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gateway.access import Access
from gateway.core.interrupts import Status
from gateway.ports.rows import Outcome
from gateway.runs.context import ToolContext
from gateway.runs.tools import tool
from tests.flows.desk import Desk, Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime

WORDS = ("ok", "yes", "да", "no", "skip", "/skip")
BOSS: dict[str, Any] = {"by": "boss", "thread": "fake:boss"}


async def in_a_group(path: Path, ran: list[Any], by: str = "ann", **options: Any) -> Desk:
    """A group of ann, bob and the boss, where somebody's run asks the boss."""

    @tool
    async def refund(context: ToolContext) -> str:
        """Asks the boss."""
        ran.append(await context.interrupt(message="Refund?", kind="approval", to="approvers"))
        return "refunded"

    model = Script([call("refund")], ["fine"], ["own"], ["more"])
    desk = await open_desk(path / "a.db", agent_of(model, refund), **options)
    await desk.share()
    await desk.say("refund me", by=by)
    await desk.settle(1)
    (prompt,) = desk.channel.prompts
    assert prompt.row.chat == "fake:boss"
    return desk


async def status(desk: Desk) -> Status:
    (question,) = await desk.store.questions(thread="fake:1")
    return question.status


@pytest.mark.parametrize(
    ("by", "text"),
    [
        *(("ann", text) for text in (*WORDS, "cancel", "/cancel")),
        *(("boss", text) for text in WORDS),  # a cancel of one's own run ends it
    ],
)
async def test_row_110_what_the_approver_says_in_the_group_decides_nothing(
    tmp_path: Path, by: str, text: str
) -> None:
    ran: list[Any] = []
    desk = await in_a_group(tmp_path, ran, by)
    await desk.say(text, by="boss", seen=10_000)
    await desk.settle(1)
    assert not ran
    assert await status(desk) is Status.PENDING
    assert not desk.told("INTERRUPT_ANSWER_INVALID")
    await desk.say("yes", **BOSS)
    await desk.settle(1)
    assert ran == [{"approved": True}]
    assert not desk.errors
    await desk.close()


@pytest.mark.parametrize("text", ["yes", "no"])
async def test_row_110_a_reply_to_the_question_is_its_answer_there_too(
    tmp_path: Path, text: str
) -> None:
    ran: list[Any] = []
    desk = await in_a_group(tmp_path, ran)
    question = desk.channel.prompts[0].question
    for person in ("ann", "bob"):
        await desk.say(text, by=person, reply_to=question.id, seen=10_000)
    await desk.settle(1)
    assert not ran, "it is not theirs to answer"
    await desk.say(text, by="boss", reply_to=question.id, seen=10_000)
    await desk.settle(1)
    assert ran == [{"approved": text == "yes"}]
    await desk.close()


async def test_row_110_the_boss_says_stop_in_the_group(tmp_path: Path) -> None:
    ran: list[Any] = []
    desk = await in_a_group(tmp_path, ran)
    said = await desk.say("stop", by="boss", seen=10_000)
    await desk.settle(1)
    assert await desk.outcome(said) is Outcome.HANDLED
    assert await status(desk) is Status.PENDING, "ann's run is not the boss's"
    await desk.close()


async def test_row_110_late_words_in_the_group_are_no_late_answer(tmp_path: Path) -> None:
    ran: list[Any] = []
    desk = await in_a_group(tmp_path, ran)
    await desk.settle(25 * 3600)
    assert await status(desk) is Status.EXPIRED
    said = await desk.say("ok", by="boss", seen=10_000)
    await desk.settle(1)
    assert await desk.outcome(said) is Outcome.ANSWERED
    await desk.close()


@pytest.mark.parametrize("text", ["yes", "no"])
async def test_an_approver_s_own_run_asks_them_where_they_are(tmp_path: Path, text: str) -> None:
    ran: list[Any] = []

    @tool
    async def refund(context: ToolContext) -> str:
        """Asks the boss."""
        ran.append(await context.interrupt(message="Refund?", kind="approval", to="approvers"))
        return "refunded"

    desk = await open_desk(tmp_path / "a.db", agent_of(Script([call("refund")], ["fine"]), refund))
    await desk.say("refund me", **BOSS)
    await desk.settle(1)
    await desk.say(text, **BOSS, seen=10_000)
    await desk.settle(1)
    assert ran == [{"approved": text == "yes"}]
    await desk.close()


@pytest.mark.parametrize("text", ["yes", "ok", "no"])
@pytest.mark.parametrize("shared", [False, True])
async def test_row_110_without_approvers_it_is_decided_by_nobody(
    tmp_path: Path, shared: bool, text: str
) -> None:
    ran: list[Any] = []

    @tool
    async def refund(context: ToolContext) -> str:
        """Asks the approvers."""
        ran.append(await context.interrupt(message="Refund?", kind="approval", to="approvers"))
        return "refunded"

    agent = agent_of(Script([call("refund")], ["sorry"], ["next"]), refund)
    access = Access(open_channels=["fake"])
    desk = await open_desk(tmp_path / "a.db", agent, access=access)
    if shared:
        await desk.share()
    asked = await desk.say("refund me")
    await desk.settle(1)
    said = await desk.say(text, seen=10_000)
    await desk.settle(1)
    assert not ran
    assert await status(desk) is Status.CANCELLED
    assert await desk.outcome(asked) is Outcome.ANSWERED
    assert await desk.outcome(said) is Outcome.ANSWERED, "an input like any other"
    await desk.close()
