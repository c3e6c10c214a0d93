"""Row 8: grace, then hard cancel; the late result is never stored."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.log import results, said
from tests.acceptance.scripted import Script, call, messages

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("behavior", ["COOPERATIVE", "NON_INTERRUPTIBLE"])
@pytest.mark.parametrize("grace_ms", [500, 200])
async def test_who_ignores_the_stop_is_given_up_after_the_grace(
    tmp_path: Path, behavior: str, grace_ms: int
):
    returned: list[str] = []

    @tool(behavior=behavior)
    async def deaf(context: ToolContext) -> str:
        """Ignores the stop for ten seconds."""
        await asyncio.sleep(10)
        returned.append("late")
        return "late result"

    model = Script([call("deaf")], ["next answer"])
    agent = Agent("tester", model, "", [deaf])
    async with Desk(tmp_path, agent, graces={"grace_ms": grace_ms}) as desk:
        ann = await desk.person("ann")
        first = await ann.say("go")
        await ann.frame("call", state="started")
        began = desk.time()
        await ann.stop()
        assert await ann.outcome(first, within=5) == ("interrupted", "USER_SIGINT")
        took = desk.time() - began
        assert grace_ms / 1000 - 0.01 <= took <= grace_ms / 1000 + 0.2
        banner = await ann.frame("notice", within=1, code="MAY_STILL_RUN")
        assert banner["data"]["params"]["tools"] == ["deaf"]
        assert "deaf" in banner["data"]["text"]

        second = await ann.say("and now?")
        assert await ann.outcome(second, within=1) == ("answered", "")
        assert (
            "result",
            "The run stopped before this tool call returned: outcome unknown, "
            "verify before retrying",
        ) in messages(model.requests[1])
        before = await ann.export()
        await asyncio.sleep(12)
        assert returned == ["late"]
        after = await ann.export()
        assert after == before
        assert results(after) == {}
        assert said(after) == ["go", "and now?", "next answer"]
