"""Approvals and plans: shown, edited, denied, remembered, bound to their arguments, asked again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gateway.core.interrupts import QuestionKind, Status
from gateway.ports.rows import Outcome
from gateway.runs.context import ToolContext
from gateway.runs.tools import Tool, tool
from tests.flows.asking import press, results
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
    ("text", "status"),
    [
        ("не надо", Status.DENIED),
        ("yes but not now", Status.PENDING),
        ("no problem", Status.PENDING),
        ("maybe", Status.PENDING),
        ("ok, if it is safe", Status.PENDING),
    ],
)
async def test_row_41_unclear_never_approves(tmp_path: Path, text: str, status: Status) -> None:
    ran: list[Any] = []
    desk = await asked(tmp_path, ran)
    await desk.say(text)
    await desk.settle(1)
    assert not ran
    (question,) = await desk.store.questions(thread="fake:1")
    assert question.status is status
    assert len(desk.told("INTERRUPT_ANSWER_INVALID")) == (status is Status.PENDING)
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
    approvals = [e.body for e in await desk.store.entries("fake:1") if e.kind.value == "approval"]
    ruled = [(body["by"], body["rule"], body["approved"]) for body in approvals if body["rule"]]
    assert ruled == ([] if destructive else [("ann", "deploy", True)])
    assert all((body["interruptId"] is None) == bool(body["rule"]) for body in approvals)
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
    assert stored.status is Status.PENDING, "a condition is asked about"
    assert desk.channel.prompts[-1].again
    await desk.say("нет, это слишком опасно")
    await desk.settle(1)
    (stored,) = await desk.store.questions(thread="fake:1")
    assert stored.status is Status.DENIED
    assert stored.decision is not None
    assert stored.decision.value == {"approved": False, "reason": "нет, это слишком опасно"}
    assert await results(desk) == ["False"]
    await desk.close()
