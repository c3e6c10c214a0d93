"""Row 13: calls not started are answered "aborted before dispatch" (ABORTED_BEFORE_DISPATCH)."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.log import bodies, results
from tests.acceptance.scripted import Script, call, messages

pytestmark = pytest.mark.looptime


async def test_two_and_three_of_a_batch_stopped_in_the_first(tmp_path: Path):
    ran: list[str] = []

    @tool(behavior="COOPERATIVE")
    async def one(context: ToolContext) -> str:
        """Runs until stopped."""
        ran.append("one")
        await context.signal.wait()
        context.signal.checkpoint()
        return "not reached"

    @tool
    async def two() -> str:
        """Must not run."""
        ran.append("two")
        return "two"

    @tool(behavior="THREAD_INTERRUPT")
    def three() -> str:
        """Must not run."""
        ran.append("three")
        return "three"

    model = Script([call("one"), call("two"), call("three")], ["next"])
    async with Desk(tmp_path, Agent("tester", model, "", [one, two, three])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("all three")
        await ann.frame("call", state="started")
        await asyncio.sleep(0.5)
        await ann.stop()
        assert await ann.outcome(said, within=1) == ("interrupted", "USER_SIGINT")
        log = await ann.export()
        assert [body["name"] for body in bodies(log, "tool_call")] == ["one", "two", "three"]
        aborted = (
            "Aborted before dispatch: the run stopped before this tool call started",
            "ABORTED_BEFORE_DISPATCH",
        )
        assert results(log) == {
            "one": ("Interrupted: USER_SIGINT", "TOOL_INTERRUPTED"),
            "two": aborted,
            "three": aborted,
        }
        assert ran == ["one"]

        await ann.outcome(await ann.say("and now?"))
        assert messages(model.requests[1]) == [
            ("user", "all three"),
            ("call", "one"),
            ("call", "two"),
            ("call", "three"),
            ("result", "Interrupted: USER_SIGINT"),
            ("result", aborted[0]),
            ("result", aborted[0]),
            ("user", "and now?"),
        ]
        assert ran == ["one"]
