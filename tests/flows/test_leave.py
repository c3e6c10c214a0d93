"""What gives leave, and what it gives leave for: one call, by a yes, for what was asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from gateway.core.interrupts import Status, Way
from gateway.ports.rows import Outcome
from gateway.runs.context import ToolContext
from gateway.runs.tools import tool
from tests.flows.asking import results
from tests.flows.desk import Desk, Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime


class Verdict(BaseModel):
    """An approval's answer as a model."""

    approved: bool
    reason: str | None = None


async def asking_for_leave(path: Path, ran: list[Any], **form: Any) -> Desk:
    """A desk whose tool asks for leave inside its call."""

    @tool
    async def wipe(context: ToolContext) -> str:
        """Wipes."""
        ran.append(await context.interrupt(message="Wipe?", **{"kind": "approval", **form}))
        return "wiped"

    desk = await open_desk(path / "a.db", agent_of(Script([call("wipe")], ["fine"]), wipe))
    await desk.say("go")
    await desk.settle(1)
    return desk


async def press(desk: Desk, value: dict[str, Any]) -> Any:
    token = desk.channel.prompts[-1].row.token
    row = await desk.router.press(
        token, "value", "ann", dedup=f"p{desk.channel.seq}", channel="fake", value=value
    )
    await desk.settle(1)
    return await desk.row(row)


async def test_leave_for_something_else_is_no_rule_for_the_tool(tmp_path: Path) -> None:
    @tool(approval=True)
    async def deploy(context: ToolContext) -> str:
        """Deploys."""
        await context.interrupt(message="Also flush the cache?", kind="approval")
        return "deployed"

    model = Script([call("deploy")], ["fine"], [call("deploy")], ["fine"])
    desk = await open_desk(tmp_path / "a.db", agent_of(model, deploy))
    await desk.say("go")
    await desk.settle(1)
    await desk.say("yes")
    await desk.settle(1)
    assert desk.channel.prompts[-1].question.message == "Also flush the cache?"
    row = await press(desk, {"approved": True, "remember": True})
    assert row.outcome is Outcome.DECIDED
    await desk.say("again")
    await desk.settle(1)
    assert desk.channel.prompts[-1].question.message == "May deploy run?"
    await desk.close()


async def test_a_tool_can_not_ask_in_the_host_s_name(tmp_path: Path) -> None:
    ran: list[Any] = []
    desk = await asking_for_leave(tmp_path, ran, reason="tool_call")
    assert not desk.channel.prompts
    assert "the host's own" in (await results(desk))[0]
    await desk.close()


async def test_edits_are_for_calls_only(tmp_path: Path) -> None:
    ran: list[Any] = []
    desk = await asking_for_leave(tmp_path, ran)
    row = await press(desk, {"approved": True, "updatedArguments": {}})
    assert (row.outcome, row.detail) == (Outcome.REFUSED, "INTERRUPT_ANSWER_INVALID")
    assert not ran
    await desk.close()


@pytest.mark.parametrize("kind", ["approval", "plan"])
@pytest.mark.parametrize("how", ["skip", "/skip", "button"])
async def test_to_skip_is_no_leave_whatever_the_form_has_as_its_default(
    tmp_path: Path, kind: str, how: str
) -> None:
    ran: list[Any] = []
    approved = {"type": "object", "properties": {"approved": {"type": "boolean"}}}
    form = {**approved, "default": {"approved": True}}
    desk = await asking_for_leave(tmp_path, ran, kind=kind, response_schema=form)
    if how == "button":
        token = desk.channel.prompts[-1].row.token
        await desk.router.press(token, "skip", "ann", dedup="p", channel="fake")
    else:
        await desk.say(how)
    await desk.settle(1)
    assert not ran
    (question,) = await desk.store.questions(thread="fake:1")
    assert question.status is Status.CANCELLED
    assert question.decision.how is Way.DECLINED
    await desk.close()


@pytest.mark.parametrize("kind", ["approval", "plan"])
@pytest.mark.parametrize(
    "form",
    [
        bool,
        str,
        {"type": "boolean"},
        {"enum": ["yes", "no"]},
        {"type": "object", "required": ["x"]},
    ],
)
async def test_a_form_that_takes_no_decision_is_not_asked(
    tmp_path: Path, kind: str, form: Any
) -> None:
    ran: list[Any] = []
    desk = await asking_for_leave(tmp_path, ran, kind=kind, response_schema=form)
    assert not desk.channel.prompts
    (result,) = await results(desk)
    assert result.startswith("response_schema: ")
    assert not ran
    await desk.close()


@pytest.mark.parametrize(("text", "approved"), [("yes", True), ("no", False)])
async def test_a_form_that_takes_decisions_is(tmp_path: Path, text: str, approved: bool) -> None:
    ran: list[Any] = []
    desk = await asking_for_leave(tmp_path, ran, response_schema=Verdict)
    await desk.say(text)
    await desk.settle(1)
    assert [verdict.approved for verdict in ran] == [approved]
    assert len(desk.channel.prompts) == 1
    await desk.close()
