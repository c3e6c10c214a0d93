"""Leave for a call of a child run: asked in the parent's thread, edited by the child's own form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from gateway.core.interrupts import Status
from gateway.ports.rows import Outcome
from gateway.runs.agent import Agent
from gateway.runs.context import ToolContext
from gateway.runs.tools import Tool, tool
from tests.builders import LoopClock
from tests.flows.desk import Desk, Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime


class Target(BaseModel):
    """What is wiped."""

    path: str
    depth: int = 1


def wiper(ran: list[tuple[str, int]]) -> Tool:
    @tool(approval=True)
    async def wipe(target: Target) -> str:
        """Wipes."""
        ran.append((target.path, target.depth))
        return "wiped"

    return wipe


def parent_of(ran: list[tuple[str, int]], *first: Any) -> Agent:
    """An agent whose tool runs another one; both have a tool `wipe`, of different forms."""
    child = agent_of(Script([call("wipe", target={"path": "a"})], ["child done"]), wiper(ran))

    @tool(name="wipe", approval=True)
    async def other(what: str) -> str:
        """Wipes something else."""
        return what

    @tool
    async def delegate(context: ToolContext) -> str:
        """Lets a child do it."""
        return (await context.run_child(child, "do it")).text

    return agent_of(Script(*first, [call("delegate")], ["fine"]), delegate, other)


async def press(desk: Desk, **value: Any) -> Any:
    token = desk.channel.prompts[-1].row.token
    dedup = f"p{desk.channel.seq}"
    receipt = await desk.router.press(
        token, "value", "ann", dedup=dedup, channel="fake", value=value
    )
    await desk.settle(1)
    return await desk.row(receipt)


async def paused(path: Path, ran: list[tuple[str, int]], **options: Any) -> Desk:
    desk = await open_desk(path / "a.db", parent_of(ran), **options)
    await desk.say("go")
    await desk.settle(1)
    assert [prompt.question.tool_name for prompt in desk.channel.prompts] == ["wipe"]
    return desk


@pytest.mark.parametrize("killed", [False, True])
async def test_edits_are_checked_by_the_child_s_form_and_bound(
    tmp_path: Path, killed: bool
) -> None:
    ran: list[tuple[str, int]] = []
    clock = LoopClock()
    desk = await paused(tmp_path, ran, clock=clock)
    if killed:
        agent, shown = parent_of(ran), desk.channel.prompts
        await desk.kill()
        desk = await open_desk(tmp_path / "a.db", agent, first_id=900, clock=clock)
        await desk.settle(1)
        desk.channel.prompts.extend(shown)
    for wrong in ({}, {"what": "b"}, {"target": "b"}, {"target": {"path": "b", "depth": "deep"}}):
        row = await press(desk, approved=True, updatedArguments=wrong)
        assert (row.outcome, row.detail) == (Outcome.REFUSED, "INTERRUPT_ANSWER_INVALID")
    assert not ran
    row = await press(desk, approved=True, updatedArguments={"target": {"path": "b", "depth": 2}})
    assert row.outcome is Outcome.DECIDED
    await desk.settle(1)
    assert ran == [("b", 2)]
    assert not desk.errors
    await desk.close()


async def test_no_rule_is_offered_or_kept_for_a_child_s_tool(tmp_path: Path) -> None:
    ran: list[tuple[str, int]] = []
    desk = await paused(tmp_path, ran)
    assert desk.channel.prompts[0].question.details["suggestedRule"] is None
    row = await press(desk, approved=True, remember=True)
    assert row.outcome is Outcome.DECIDED
    assert ran == [("a", 1)]
    (question,) = await desk.store.questions(thread="fake:1")
    assert question.status is Status.APPROVED
    session = await desk.router.ask("fake:1", lambda state, work: set(state.rules))
    assert session == set()
    await desk.close()


async def test_a_rule_for_the_parent_s_tool_is_none_for_the_child_s(tmp_path: Path) -> None:
    ran: list[tuple[str, int]] = []
    own = [call("wipe", what="mine")]
    desk = await open_desk(tmp_path / "a.db", parent_of(ran, own, own, ["ok"]))
    await desk.say("wipe")
    await desk.settle(1)
    await press(desk, approved=True, remember=True)
    assert len(desk.channel.prompts) == 1, "the second call was let through"
    await desk.say("delegate")
    await desk.settle(1)
    assert len(desk.channel.prompts) == 2, "the child's was not"
    assert not ran
    await desk.close()
