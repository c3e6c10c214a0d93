"""Row 25: NOW reaches one thread's run only."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, InterruptReason, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, by_text, call

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("how", ["switch", "/now", "wait, x"])
async def test_two_people_with_the_same_agent_both_running(tmp_path: Path, how: str):
    seen: dict[str, InterruptReason | None] = {}

    @tool(behavior="COOPERATIVE")
    async def work(context: ToolContext) -> str:
        """Works for five seconds, or until stopped."""
        try:
            async with asyncio.timeout(5):
                await context.signal.wait()
        except TimeoutError:
            pass
        seen[context.principals[0]] = context.signal.reason
        context.signal.checkpoint()
        return "worked"

    def step(request):
        last = request.messages[-1]
        if type(last).__name__ == "ToolResult":
            return ["done"]
        return by_text(work=[call("work")], instead=["instead"], wait=["instead"])(request)

    async with Desk(tmp_path, Agent("tester", Script(step), "", [work])) as desk:
        ann = await desk.person("ann", thread="local:ann")
        bob = await desk.person("bob", thread="local:bob")
        hers, his = await ann.say("work"), await bob.say("work")
        await ann.frame("call", state="started")
        await bob.frame("call", state="started")
        await asyncio.sleep(1)
        match how:
            case "switch":
                urgent = await ann.say("instead", override="now")
            case "/now":
                urgent = await ann.say("/now instead")
            case _:
                urgent = await ann.say("Wait, do something else instead")
        assert await ann.outcome(hers, within=1) == ("interrupted", "NOW_PRIORITY_INPUT")
        assert await ann.outcome(urgent, within=1) == ("answered", "")
        assert "bob" not in seen
        assert await bob.outcome(his, within=6) == ("answered", "")
        assert seen == {"ann": InterruptReason.NOW_PRIORITY_INPUT, "bob": None}
        assert bob.texts() == ["done"]
        assert "instead" not in str(bob.frames)
