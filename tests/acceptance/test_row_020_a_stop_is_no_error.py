"""Row 20: a stop is not an error: no error styling, no error status."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime
ERRORS = {"RUN_FAILED", "INPUT_FAILED", "INTERNAL", "INTERNAL_ERROR"}


@tool(behavior="COOPERATIVE")
async def work(context: ToolContext) -> str:
    """Runs until stopped."""
    await context.signal.wait()
    context.signal.checkpoint()
    return "not reached"


@pytest.mark.parametrize("step", [["Some text ", 1000.0], ["Let me ", call("work")], [1000.0]])
async def test_stopped_in_text_in_a_tool_and_before_either(tmp_path: Path, step: list):
    fake = FakeChannel("fake", share=1.0)
    desk = Desk(tmp_path, Agent("tester", Script(step), "", [work]), channels=[fake], allow=["bob"])
    async with desk:
        ann, bob = await desk.person("ann"), desk.member("bob", "fake:1", "fake")
        said = await ann.say("go")
        await bob.say("go")
        await asyncio.sleep(1)
        stop = await ann.stop()
        await bob.stop()
        assert await ann.outcome(said, within=1) == ("interrupted", "USER_SIGINT")
        assert await ann.outcome(stop, within=1) == ("handled", "STOPPED")
        ended = await ann.ended()
        assert (ended["end"], ended["reason"]) == ("interrupted", "USER_SIGINT")
        assert ended["error"] is None
        assert ended["errorId"] is None
        await asyncio.sleep(2)
        assert ann.find("error") == []
        assert not ERRORS & {*ann.codes(), *bob.told()}
        assert "rror" not in ann.saw()
        assert "STOPPED" in bob.told()
        assert desk.failures() == []
        metrics = await desk.metrics()
        assert 'bargein_runs_total{end="interrupted",reason="USER_SIGINT"} 2.0' in metrics
        assert 'bargein_inputs_total{outcome="interrupted"} 2.0' in metrics
        assert "failed" not in metrics
        errors = [line for line in metrics.splitlines() if line.startswith("bargein_errors_total")]
        assert [line for line in errors if "StoreWarning" not in line] == []


async def test_the_control_a_failure_is_one(tmp_path: Path):
    model = Script([RuntimeError("the model is broken")])
    async with Desk(tmp_path, Agent("tester", model)) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        assert (await ann.outcome(await ann.say("go")))[0] == "failed"
        assert "RUN_FAILED" in ann.codes()
        assert len(desk.failures()) == 1
