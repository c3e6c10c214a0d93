"""RACES 22 and 23: a call that started is never run again by us; one that only asked is."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from gateway.core.messages import OUTCOME_UNKNOWN_TEXT
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Gate, Script, call, messages

pytestmark = pytest.mark.looptime


async def test_a_call_resumed_with_an_answer_and_in_flight_at_the_crash(tmp_path: Path):
    gate, ran = Gate(), []

    @tool
    async def deploy(context: ToolContext) -> str:
        """Asks where to, and takes its time."""
        region = await context.interrupt(
            message="Which region?", response_schema={"enum": ["eu", "us"]}
        )
        ran.append(region)
        await gate.wait()
        return "deployed"

    model = Script([call("deploy")], ["I can't say whether it is deployed"])
    async with Desk(tmp_path, Agent("tester", model, "", [deploy])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("deploy")
        await ann.frame("question")
        await asyncio.sleep(1)
        answered = await ann.say("eu")
        await gate.reached.wait()
        await desk.kill()
        gate.open()
        await desk.start()
        ann = await desk.person("ann")
        assert await ann.outcome(said) == ("answered", "")
        assert await ann.outcome(said) == ("answered", "")
        log = await ann.export()
        assert [i["outcome"] for i in log["inputs"] if i["seq"] == answered["input"]] == ["decided"]
        assert ran == ["eu"]
        assert messages(model.requests[1])[-1] == ("result", OUTCOME_UNKNOWN_TEXT)
