"""Row 12: a child run gets PARENT_CANCELLED; its own deadline leaves the parent running."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, InterruptReason, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.log import results
from tests.acceptance.scripted import Gate, Script, call

pytestmark = pytest.mark.looptime


async def test_a_stopped_parent_leaves_nothing_of_two_nested_children_running(tmp_path: Path):
    reasons: list[tuple[str, InterruptReason | None]] = []
    running: set[str] = set()
    digging = asyncio.Event()

    @tool(behavior="COOPERATIVE")
    async def dig(context: ToolContext) -> str:
        """Digs until stopped."""
        running.add("dig")
        digging.set()
        reason = await context.signal.wait()
        running.remove("dig")
        reasons.append(("dig", reason))
        context.signal.checkpoint()
        return "not reached"

    inner_model = Script([call("dig")])
    inner = Agent("inner", inner_model, "", [dig])

    @tool(behavior="COOPERATIVE")
    async def delegate(context: ToolContext) -> str:
        """Lets the inner agent dig."""
        running.add("delegate")
        try:
            result = await context.run_child(inner, "dig")
            reasons.append(("delegate", result.reason))
        finally:
            running.remove("delegate")
        return "not reached"

    middle_model = Script([call("delegate")])
    middle = Agent("middle", middle_model, "", [delegate])

    @tool(behavior="COOPERATIVE")
    async def research(context: ToolContext) -> str:
        """Lets the middle agent delegate."""
        running.add("research")
        try:
            await context.run_child(middle, "delegate")
        finally:
            running.remove("research")
            reasons.append(("research", context.signal.reason))
        return "not reached"

    model = Script([call("research")])
    async with Desk(tmp_path, Agent("outer", model, "", [research])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("find out")
        await asyncio.wait_for(digging.wait(), 5)
        assert running == {"research", "delegate", "dig"}
        began = desk.time()
        await ann.stop()
        assert await ann.outcome(said, within=2) == ("interrupted", "USER_SIGINT")
        assert desk.time() - began <= 0.2
        assert running == set()
        assert dict(reasons) == {
            "dig": InterruptReason.PARENT_CANCELLED,
            "research": InterruptReason.USER_SIGINT,
        }
        cut = ("Interrupted: USER_SIGINT", "TOOL_INTERRUPTED")
        assert results(await ann.export()) == {"research": cut}
        await asyncio.sleep(20)
        assert [len(m.requests) for m in (model, middle_model, inner_model)] == [1, 1, 1]
        assert not any(m.open_streams for m in (model, middle_model, inner_model))
        assert "MAY_STILL_RUN" not in ann.codes()


async def test_a_stop_closes_a_childs_stream(tmp_path: Path):
    gate = Gate()
    child_model = Script(["thinking ", gate])
    child = Agent("child", child_model)

    @tool(behavior="COOPERATIVE")
    async def research(context: ToolContext) -> str:
        """Lets the child think."""
        return (await context.run_child(child, "think")).text

    async with Desk(tmp_path, Agent("outer", Script([call("research")]), "", [research])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("find out")
        await gate.reached.wait()
        await ann.stop()
        assert await ann.outcome(said, within=2) == ("interrupted", "USER_SIGINT")
        assert not child_model.open_streams


async def test_a_childs_own_deadline_leaves_the_parent_running(tmp_path: Path):
    ends: list[tuple[str | None, InterruptReason | None]] = []
    child_model = Script(["thinking ", 1000.0])
    child = Agent("child", child_model, timeout_seconds=2)

    @tool(behavior="COOPERATIVE")
    async def research(context: ToolContext) -> str:
        """Lets the child think, for two seconds at most."""
        result = await context.run_child(child, "think")
        ends.append((result.end.value if result.end else None, result.reason))
        return "the child ran out of time"

    model = Script([call("research")], ["I found nothing."])
    async with Desk(tmp_path, Agent("outer", model, "", [research])) as desk:
        ann = await desk.person("ann")
        assert await ann.outcome(await ann.say("find out"), within=5) == ("answered", "")
        assert ends == [("interrupted", InterruptReason.BUDGET_EXCEEDED)]
        assert ann.texts() == ["I found nothing."]
        assert not child_model.open_streams
        assert results(await ann.export()) == {"research": ("the child ran out of time", None)}
