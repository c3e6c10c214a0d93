"""Row 12: a child run gets PARENT_CANCELLED; its own deadline leaves the parent running."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, InterruptReason, SyncToolContext, ToolContext, tool
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


async def test_a_plain_tools_child_is_stopped_with_its_run(tmp_path: Path):
    gate = Gate()
    child_model = Script(["thinking ", gate])
    child = Agent("child", child_model)

    @tool(behavior="COOPERATIVE")
    def research(context: SyncToolContext) -> str:
        """Lets the child think, from its own thread."""
        return context.run_child(child, "think").text

    async with Desk(tmp_path, Agent("outer", Script([call("research")]), "", [research])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("find out")
        await gate.reached.wait()
        await ann.stop()
        assert await ann.outcome(said, within=2) == ("interrupted", "USER_SIGINT")
        assert not child_model.open_streams
        cut = ("Interrupted: USER_SIGINT", "TOOL_INTERRUPTED")
        assert results(await ann.export()) == {"research": cut}


async def test_a_childs_deaf_call_is_given_up_with_the_run(tmp_path: Path):
    late: list[str] = []

    @tool
    async def deaf() -> str:
        """Ignores every stop for ten seconds."""
        await asyncio.sleep(10)
        late.append("deaf")
        return "late"

    child_model = Script([call("deaf")], ["never"])
    child = Agent("child", child_model, "", [deaf])

    @tool(behavior="COOPERATIVE")
    async def research(context: ToolContext) -> str:
        """Lets the child do it."""
        return (await context.run_child(child, "do it")).text

    model = Script([call("research")], ["next"])
    async with Desk(tmp_path, Agent("outer", model, "", [research])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("find out")
        await asyncio.sleep(1)
        began = desk.time()
        await ann.stop()
        assert await ann.outcome(said, within=2) == ("interrupted", "USER_SIGINT")
        assert desk.time() - began <= 0.7
        before = await ann.export()
        await asyncio.sleep(15)
        assert late == ["deaf"]
        assert await ann.export() == before
        assert len(child_model.requests) == 1


async def test_a_stop_while_a_child_asks_closes_its_question(tmp_path: Path):
    ran: list[str] = []

    @tool
    async def deploy(context: ToolContext) -> str:
        """Asks before it deploys."""
        if await context.interrupt(message="Deploy?", response_schema=bool):
            ran.append("deployed")
        return "done"

    child_model = Script([call("deploy")], ["never"])
    child = Agent("child", child_model, "", [deploy])

    @tool
    async def research(context: ToolContext) -> str:
        """Lets the child deploy."""
        return (await context.run_child(child, "deploy")).text

    model = Script([call("research")], ["next"])
    async with Desk(tmp_path, Agent("outer", model, "", [research])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("deploy it")
        question = await ann.frame("question", within=1)
        await ann.stop()
        assert await ann.outcome(said, within=1) == ("interrupted", "USER_SIGINT")
        late = await ann.press(question, "yes")
        assert late["code"] or (await ann.outcome(late))[0] == "refused"
        await asyncio.sleep(5)
        assert ran == []
        assert [len(m.requests) for m in (model, child_model)] == [1, 1]
