"""Row 14: results that finished are kept."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.log import results
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("parallel", [False, True])
async def test_the_first_is_done_the_stop_comes_in_the_second(tmp_path: Path, parallel: bool):
    ran: list[str] = []

    @tool(parallel_safe=True)
    async def quick(number: int) -> str:
        """Counts."""
        ran.append(f"quick {number}")
        await asyncio.sleep(0.1)
        return f"the real result {number}"

    @tool(behavior="COOPERATIVE", parallel_safe=True)
    async def slow(context: ToolContext) -> str:
        """Runs until stopped."""
        ran.append("slow")
        await context.signal.wait()
        context.signal.checkpoint()
        return "not reached"

    model = Script([call("quick", number=7), call("slow")])
    agent = Agent("tester", model, "", [quick, slow], parallel_tool_calls=parallel)
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        said = await ann.say("both")
        await asyncio.sleep(1)
        assert ran == ["quick 7", "slow"]
        await ann.stop()
        assert await ann.outcome(said, within=1) == ("interrupted", "USER_SIGINT")
        kept = {
            "quick": ("the real result 7", None),
            "slow": ("Interrupted: USER_SIGINT", "TOOL_INTERRUPTED"),
        }
        assert results(await ann.export()) == kept
        await desk.restart()
        ann = await desk.person("ann")
        assert results(await ann.export()) == kept
        assert len(ran) == 2
