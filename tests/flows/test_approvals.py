"""Approvals and plans: shown, edited, denied, remembered, bound to their arguments, asked again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gateway.access import Access
from gateway.core.interrupts import QuestionKind, Status
from gateway.ports.rows import Outcome
from gateway.runs.context import ToolContext
from gateway.runs.tools import Tool, tool
from tests.flows.asking import results
from tests.flows.desk import Desk, Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime


def deployer(ran: list[Any], *, destructive: bool = False) -> Tool:
    @tool(name="deploy", approval=True, destructive=destructive)
    async def deploy(service: str, replicas: int, context: ToolContext) -> str:
        """Deploys."""
        ran.append((service, replicas))
        return f"deployed {service} x{replicas}"

    return deploy


async def asked(path: Path, ran: list[Any], *, destructive: bool = False, **options: Any) -> Desk:
    step = [call("deploy", service="api", replicas=2)]
    again = [call("deploy", service="api", replicas=2)]
    model = Script(step, ["fine"], again, ["fine"])
    agent = agent_of(model, deployer(ran, destructive=destructive))
    desk = await open_desk(path / "a.db", agent, **options)
    await desk.say("deploy it")
    await desk.settle(1)
    return desk


async def press(desk: Desk, option: str, value: Any = None, by: str = "ann") -> Any:
    token = desk.channel.prompts[-1].row.token
    dedup = f"p{len(desk.channel.journal)}"
    receipt = await desk.router.press(token, option, by, dedup=dedup, channel="fake", value=value)
    await desk.settle(1)
    return await desk.row(receipt)


async def test_an_approval_shows_its_arguments_and_a_yes_runs_it(tmp_path: Path) -> None:
    ran: list[Any] = []
    desk = await asked(tmp_path, ran)
    question = desk.channel.prompts[0].question
    assert question.kind is QuestionKind.APPROVAL
    assert question.details["arguments"] == {"service": "api", "replicas": 2}
    assert question.reason == "tool_call"
    assert not ran
    yes = await desk.say("да")
    await desk.settle(1)
    assert await desk.outcome(yes) is Outcome.DECIDED
    assert ran == [("api", 2)]
    entries = await desk.store.entries("fake:1")
    (entry,) = [e.body for e in entries if e.kind.value == "approval"]
    assert entry["interruptId"] == question.id
    assert (entry["approved"], entry["by"]) == (True, "ann")
    await desk.close()


@pytest.mark.parametrize(
    "text", ["не надо", "yes but not now", "no problem", "maybe", "ok, if it is safe"]
)
async def test_row_41_unclear_never_approves(tmp_path: Path, text: str) -> None:
    ran: list[Any] = []
    desk = await asked(tmp_path, ran)
    await desk.say(text)
    await desk.settle(1)
    assert not ran
    (question,) = await desk.store.questions(thread="fake:1")
    assert question.status in (Status.PENDING, Status.DENIED)
    await desk.close()


async def test_a_denial_has_its_reason(tmp_path: Path) -> None:
    ran: list[Any] = []
    desk = await asked(tmp_path, ran)
    await press(desk, "value", {"approved": False, "reason": "too late today"})
    assert not ran
    assert await results(desk) == ["Denied: too late today"]
    await desk.close()


async def test_edits_are_checked_and_bound(tmp_path: Path) -> None:
    ran: list[Any] = []
    desk = await asked(tmp_path, ran)
    wrong = {"approved": True, "updatedArguments": {"service": "api", "replicas": "many"}}
    row = await press(desk, "value", wrong)
    assert (row.outcome, row.detail) == (Outcome.REFUSED, "INTERRUPT_ANSWER_INVALID")
    (question,) = await desk.store.questions(thread="fake:1")
    assert question.status is Status.PENDING
    before = question.arguments_digest
    right = {"approved": True, "updatedArguments": {"service": "api", "replicas": 1}}
    row = await press(desk, "value", right)
    assert row.outcome is Outcome.DECIDED
    assert ran == [("api", 1)]
    (question,) = await desk.store.questions(thread="fake:1")
    assert question.arguments_digest != before
    await desk.close()


@pytest.mark.parametrize("destructive", [False, True])
async def test_remember_makes_a_rule_never_for_what_destroys(
    tmp_path: Path, destructive: bool
) -> None:
    ran: list[Any] = []
    desk = await asked(tmp_path, ran, destructive=destructive)
    await press(desk, "value", {"approved": True, "remember": True})
    assert len(ran) == 1
    await desk.say("again")
    await desk.settle(1)
    assert len(ran) == (1 if destructive else 2)
    assert len(desk.channel.prompts) == (2 if destructive else 1)
    await desk.close()


async def test_a_denial_is_never_remembered_as_leave(tmp_path: Path) -> None:
    ran: list[Any] = []
    desk = await asked(tmp_path, ran)
    await press(desk, "value", {"approved": False, "remember": True})
    await desk.say("again")
    await desk.settle(1)
    assert not ran
    assert len(desk.channel.prompts) == 2
    await desk.close()


async def test_a_plan_shows_its_plan(tmp_path: Path) -> None:
    @tool
    async def plan(context: ToolContext) -> str:
        """Plans."""
        verdict = await context.interrupt(
            message="Go?", kind="plan", details={"plan": ["stop", "copy", "start"]}
        )
        return str(verdict["approved"])

    desk = await open_desk(tmp_path / "a.db", agent_of(Script([call("plan")], ["ok"]), plan))
    await desk.say("go")
    await desk.settle(1)
    question = desk.channel.prompts[0].question
    assert (question.kind, question.details) == (
        QuestionKind.PLAN,
        {"plan": ["stop", "copy", "start"]},
    )
    await desk.say("нет, сначала копия")
    await desk.settle(1)
    (stored,) = await desk.store.questions(thread="fake:1")
    assert stored.status in (Status.DENIED, Status.PENDING)
    await desk.close()


# -- to="approvers" --------------------------------------------------------------------------------


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
    "text", ["what is this about, please?", "maybe", "stop", "wait, yes", "/later yes"]
)
async def test_row_110_anything_else_is_an_input_of_their_own(tmp_path: Path, text: str) -> None:
    ran: list[Any] = []
    desk = await elsewhere(tmp_path, ran)
    said = await desk.say(text, **BOSS)
    await desk.settle(2)
    assert said.row is not None
    assert said.row.new.thread == "fake:boss"
    assert await desk.outcome(said) in (Outcome.ANSWERED, Outcome.HANDLED)
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
