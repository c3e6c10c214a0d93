"""What the engine counts and measures, read over HTTP."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime


@tool(behavior="COOPERATIVE")
async def choose(context: ToolContext) -> str:
    """Asks."""
    return await context.interrupt(message="Which?", response_schema={"enum": ["eu", "us"]})


async def test_a_run_and_its_stop_are_measured(tmp_path: Path):
    async with Desk(tmp_path, Agent("tester", Script(["Some text ", 1000.0]))) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        await asyncio.sleep(3)
        await ann.stop()
        await ann.outcome(said, within=1)
        metrics = await desk.metrics()
    assert "bargein_stop_seconds_count 1.0" in metrics
    assert 'bargein_stop_seconds_bucket{le="0.5"} 1.0' in metrics
    assert 'bargein_run_seconds_bucket{le="2.5"} 0.0' in metrics
    assert 'bargein_run_seconds_bucket{le="5.0"} 1.0' in metrics


async def test_questions_are_counted_when_asked_and_when_decided(tmp_path: Path):
    agent = Agent("tester", Script([call("choose")], ["Done."]), "", [choose])
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        await ann.say("go")
        await asyncio.sleep(1)
        asked = await desk.metrics()
        await ann.say("eu")
        await asyncio.sleep(1)
        decided = await desk.metrics()
    assert 'bargein_questions_total{status="asked"} 1.0' in asked
    assert 'status="answered"' not in asked
    assert 'bargein_questions_total{status="answered"} 1.0' in decided


async def test_what_waits_and_who_is_connected_is_read_at_once(tmp_path: Path):
    async with Desk(tmp_path, Agent("tester", Script(["Some text ", 1000.0]))) as desk:
        ann = await desk.person("ann")
        await ann.say("go")
        await asyncio.sleep(1)
        await ann.say("/later then this")
        await asyncio.sleep(1)
        metrics = await desk.metrics()
    assert "bargein_queue_depth 1.0" in metrics
    assert "bargein_clients 1.0" in metrics
