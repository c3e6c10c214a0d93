"""Row 2: the first reason wins."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, tool
from tests.acceptance.desk import Desk
from tests.acceptance.faults import HoldingStore
from tests.acceptance.log import bodies, results
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime


@tool
async def lookup() -> str:
    """Looks something up for 300 ms; nobody may cut it."""
    await asyncio.sleep(0.3)
    return "found"


async def stopped_then_shut_down(desk: Desk, before: float) -> dict:
    ann = await desk.person("ann")
    await ann.say("look it up")
    await ann.frame("call", state="started")
    if before >= 0:
        await ann.stop()
        await asyncio.sleep(before)
    await desk.restart()
    ann = await desk.person("ann")
    return await ann.export()


@pytest.mark.parametrize("before", [0.0, 0.01])
async def test_a_stop_stays_the_reason_of_a_run_that_is_then_shut_down(
    tmp_path: Path, before: float
):
    model = Script([call("lookup")], ["not reached"])
    async with Desk(tmp_path, Agent("tester", model, "", [lookup])) as desk:
        log = await stopped_then_shut_down(desk, before)
    said, stop = log["inputs"]
    assert (said["outcome"], said["detail"]) == ("interrupted", "USER_SIGINT")
    assert (stop["outcome"], stop["detail"]) == ("handled", "STOPPED")
    assert bodies(log, "interrupt")[-1] == {"status": "closed", "reason": "USER_SIGINT"}
    assert "SYSTEM_SHUTDOWN" not in str(log)
    assert results(log) == {"lookup": ("found", None)}
    assert len(model.requests) == 1


async def test_the_control_a_shutdown_alone_is_the_reason(tmp_path: Path):
    model = Script([call("lookup")], ["not reached"])
    async with Desk(tmp_path, Agent("tester", model, "", [lookup])) as desk:
        log = await stopped_then_shut_down(desk, -1)
    assert log["inputs"][0]["detail"] == "SYSTEM_SHUTDOWN"


async def test_a_stop_that_is_still_being_stored_was_first(tmp_path: Path):
    """It trips at the door; a shutdown that is handled before it changes nothing."""
    model = Script([call("lookup")], ["not reached"])
    store = HoldingStore()
    async with Desk(tmp_path, Agent("tester", model, "", [lookup]), wrap=store) as desk:
        ann = await desk.person("ann")
        await ann.say("look it up")
        await ann.frame("call", state="started")
        store.hold_accepts()
        await ann.send({"type": "stop", "id": "stop-1"})
        await asyncio.sleep(0.01)
        stopping = asyncio.create_task(desk.stop())
        await asyncio.sleep(0.01)
        store.release_accepts()
        await stopping
        await desk.start()
        ann = await desk.person("ann")
        log = await ann.export()
        assert log["inputs"][0]["detail"] == "USER_SIGINT"
        assert "SYSTEM_SHUTDOWN" not in str(log["entries"])
