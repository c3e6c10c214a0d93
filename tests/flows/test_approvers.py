"""Row 110: `to="approvers"` asks them in their own chat; it is decided there, by nobody else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gateway.access import Access
from gateway.core.interrupts import Status
from gateway.ports.rows import Outcome
from gateway.runs.context import ToolContext
from gateway.runs.tools import tool
from tests.flows.asking import asker, press, results
from tests.flows.desk import Desk, Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime


async def elsewhere(path: Path, ran: list[Any], **options: Any) -> Desk:
    """A desk where ann's run asks the boss."""

    @tool
    async def refund(context: ToolContext) -> str:
        """Asks the boss."""
        verdict = await context.interrupt(message="Refund?", kind="approval", to="approvers")
        ran.append(verdict)
        return f"refunded: {verdict['approved']}"

    model = Script([call("refund")], ["fine"], ["own"], ["more"])
    desk = await open_desk(path / "a.db", agent_of(model, refund), **options)
    await desk.say("refund me")
    await desk.settle(1)
    (prompt,) = desk.channel.prompts
    assert (prompt.row.chat, prompt.row.principal) == ("fake:boss", "boss")
    return desk


BOSS: dict[str, Any] = {"by": "boss", "thread": "fake:boss"}


@pytest.mark.parametrize("how", ["value", "reply", "press"])
async def test_row_110_the_approver_decides_in_their_own_chat(tmp_path: Path, how: str) -> None:
    ran: list[Any] = []
    desk = await elsewhere(tmp_path, ran)
    question = desk.channel.prompts[0].question
    if how == "press":
        row = await press(desk, "approve", by="boss")
        assert row.outcome is Outcome.DECIDED
    else:
        await desk.say("yes", **BOSS, reply_to=question.id if how == "reply" else None)
        await desk.settle(1)
    assert ran == [{"approved": True}]
    told = desk.told("UNDERSTOOD")[0]
    assert (told.thread, told.to) == ("fake:boss", "boss")
    assert not desk.errors
    await desk.close()


@pytest.mark.parametrize(
    ("schema", "words", "how", "value"),
    [
        ({"type": "string", "format": "date"}, "tomorrow", "text", "2026-03-03"),
        ({"type": "boolean"}, "know", "voice", False),
    ],
)
async def test_row_110_it_is_read_as_in_any_thread(
    tmp_path: Path, schema: Any, words: str, how: str, value: Any
) -> None:
    model = Script([call("ask")], ["fine"])
    asks = asker("When?", schema, to="approvers")
    desk = await open_desk(tmp_path / "a.db", agent_of(model, asks))
    await desk.say("go")
    await desk.settle(1)
    await desk.say(words, **BOSS, how=how)
    await desk.settle(1)
    assert await results(desk) == [f"ask={value!r}"]
    await desk.close()


async def test_row_110_the_customer_can_not(tmp_path: Path) -> None:
    ran: list[Any] = []
    desk = await elsewhere(tmp_path, ran)
    prompt = desk.channel.prompts[0]
    said = await desk.say("yes", reply_to=prompt.question.id)
    receipt = await desk.router.press(prompt.row.token, "yes", "ann", dedup="p", channel="fake")
    await desk.settle(2)
    assert receipt.code == "THREAD_ACCESS_DENIED"
    assert await desk.outcome(said) is None, "it waits"
    assert not ran
    await desk.close()


@pytest.mark.parametrize("text", ["cancel", "отмена", "/cancel", "/отмена"])
async def test_row_110_a_cancel_is_a_denial_and_the_run_goes_on(tmp_path: Path, text: str) -> None:
    ran: list[Any] = []
    desk = await elsewhere(tmp_path, ran)
    await desk.say(text, **BOSS)
    await desk.settle(1)
    assert ran == [{"approved": False}]
    await desk.close()


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("what is this about, please?", Outcome.ANSWERED),
        ("maybe", Outcome.ANSWERED),
        ("stop", Outcome.HANDLED),
        ("wait, yes", Outcome.ANSWERED),
        ("/later yes", Outcome.ANSWERED),
    ],
)
async def test_row_110_anything_else_is_an_input_of_their_own(
    tmp_path: Path, text: str, outcome: Outcome
) -> None:
    ran: list[Any] = []
    desk = await elsewhere(tmp_path, ran)
    said = await desk.say(text, **BOSS)
    await desk.settle(2)
    assert said.row is not None
    assert said.row.new.thread == "fake:boss"
    assert await desk.outcome(said) is outcome
    assert not ran
    questions = await desk.store.questions(thread="fake:1")
    assert [q.status for q in questions] == [Status.PENDING]
    assert len(await desk.store.inputs("fake:1")) == 1
    await desk.close()


async def test_row_110_what_they_said_before_they_could_see_it_decides_nothing(
    tmp_path: Path,
) -> None:
    ran: list[Any] = []
    desk = await elsewhere(tmp_path, ran)
    await desk.say("yes", **BOSS, seen=0)
    await desk.settle(2)
    assert not ran
    assert len(await desk.store.inputs("fake:1")) == 1
    await desk.close()


async def test_row_110_an_unclear_reply_is_asked_again_and_never_an_input_of_the_customer(
    tmp_path: Path,
) -> None:
    ran: list[Any] = []
    desk = await elsewhere(tmp_path, ran)
    question = desk.channel.prompts[0].question
    for _ in range(4):
        said = await desk.say("maybe", **BOSS, reply_to=question.id)
        await desk.settle(1)
        assert (await desk.row(said)).detail == "INTERRUPT_ANSWER_INVALID"
    assert len(desk.channel.prompts) == 5
    assert [notice.thread for notice in desk.told("INTERRUPT_ANSWER_INVALID")] == ["fake:boss"] * 4
    await desk.say("no", **BOSS)
    await desk.settle(1)
    assert ran == [{"approved": False}]
    await desk.close()


@pytest.mark.parametrize("text", ["cancel", "/cancel", "/stop", "стоп", "/now do this instead"])
async def test_row_110_the_run_s_own_person_may_end_it(tmp_path: Path, text: str) -> None:
    ran: list[Any] = []
    desk = await elsewhere(tmp_path, ran)
    await desk.say(text)
    await desk.settle(2)
    (question,) = await desk.store.questions(thread="fake:1")
    assert question.status is Status.CANCELLED
    late = await press(desk, "approve", by="boss")
    assert late.detail == "INTERRUPT_ALREADY_DECIDED"
    assert not ran
    own = await desk.say("yes", **BOSS)
    await desk.settle(1)
    assert own.row is not None
    assert own.row.new.thread == "fake:boss"
    assert not desk.errors
    await desk.close()


async def test_row_110_two_threads_ask_the_same_approver(tmp_path: Path) -> None:
    ran: list[Any] = []
    desk = await elsewhere(tmp_path, ran)
    desk.router.wiring.agent.model.steps[1:] = [[call("refund")], ["fine"]]  # type: ignore[attr-defined]
    await desk.say("me too", by="bob", thread="fake:2")
    await desk.settle(1)
    assert len(desk.channel.prompts) == 2
    which = await desk.say("yes", **BOSS)
    assert which.code == "WHICH_QUESTION"
    assert which.params["questions"] == ["1. Refund?", "2. Refund?"]
    await desk.say("2: yes", **BOSS)
    await desk.settle(1)
    (one,) = await desk.store.questions(thread="fake:1")
    (other,) = await desk.store.questions(thread="fake:2")
    assert (one.status, other.status) == (Status.PENDING, Status.APPROVED)
    await desk.say("no", **BOSS)
    await desk.settle(1)
    (one,) = await desk.store.questions(thread="fake:1")
    assert one.status is Status.DENIED
    await desk.close()


async def test_row_110_a_restart_keeps_the_approver_asked(tmp_path: Path) -> None:
    ran: list[Any] = []
    desk = await elsewhere(tmp_path, ran)
    agent = desk.router.wiring.agent
    await desk.kill()
    desk = await open_desk(tmp_path / "a.db", agent, first_id=900)  # type: ignore[arg-type]
    await desk.settle(1)
    view = await desk.router.view("fake:boss", "boss", "fake")
    (shown,) = view["questions"]  # type: ignore[misc,str-unpack]
    assert shown["message"] == "Refund?"  # type: ignore[index,call-overload]
    await desk.say("yes", **BOSS)
    await desk.settle(1)
    assert ran == [{"approved": True}]
    await desk.close()


async def test_row_110_without_approvers_nobody_is_asked_least_of_all_the_customer(
    tmp_path: Path,
) -> None:
    ran: list[Any] = []

    @tool
    async def refund(context: ToolContext) -> str:
        """Asks the approvers."""
        verdict = await context.interrupt(message="Refund?", kind="approval", to="approvers")
        ran.append(verdict)
        return "refunded"

    agent = agent_of(Script([call("refund")], ["sorry"]), refund)
    access = Access(open_channels=["fake"])
    desk = await open_desk(tmp_path / "a.db", agent, access=access)
    await desk.say("refund me")
    await desk.settle(1)
    assert not desk.channel.prompts
    assert await results(desk) == ['The question "Refund?" could not be delivered']
    assert not ran
    assert not desk.errors
    await desk.close()
