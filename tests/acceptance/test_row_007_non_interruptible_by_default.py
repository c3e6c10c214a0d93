"""Row 7: NON_INTERRUPTIBLE is the default."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, tool
from tests.acceptance.desk import Desk
from tests.acceptance.log import bodies, results
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime


async def test_an_undeclared_tool_finishes_and_no_model_call_follows(tmp_path: Path):
    finished: list[float] = []

    @tool
    async def lookup() -> str:
        """Takes 300 ms."""
        await asyncio.sleep(0.3)
        finished.append(asyncio.get_running_loop().time())
        return "found"

    model = Script([call("lookup")], ["not reached"])
    async with Desk(tmp_path, Agent("tester", model, "", [lookup])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("look it up")
        await ann.frame("call", state="started")
        await asyncio.sleep(0.05)
        await ann.stop()
        assert finished == []
        assert await ann.outcome(said, within=1) == ("interrupted", "USER_SIGINT")
        assert len(finished) == 1
        log = await ann.export()
        assert results(log) == {"lookup": ("found", None)}
        assert bodies(log, "assistant") == []
        await asyncio.sleep(20)
        assert len(model.requests) == 1
