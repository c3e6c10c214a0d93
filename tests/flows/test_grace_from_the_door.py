"""The grace of a stop counts from the door, not from when the stop is stored."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gateway.ports.rows import Outcome
from gateway.runs.tools import Tool, tool
from tests.flows.desk import Script, agent_of, call, open_desk
from tests.flows.test_race_30_the_fence import slow_stop

pytestmark = pytest.mark.looptime


def deaf() -> Tool:
    """A tool that ignores every stop for a minute."""

    @tool
    async def deaf() -> str:
        """Ignores every stop."""
        await asyncio.sleep(60)
        return "late"

    return deaf


@pytest.mark.parametrize("now_first", [False, True])
async def test_a_deaf_tool_is_given_up_half_a_second_after_the_door(
    tmp_path: Path, now_first: bool
) -> None:
    agent = agent_of(Script([call("deaf")], ["other"]), deaf())
    desk = await open_desk(tmp_path / "a.db", agent)
    await slow_stop(desk, 0.3)
    said = await desk.say("work")
    await desk.settle(1)
    if now_first:
        await desk.say("/now other")
        await desk.settle(1)
    stop = asyncio.get_running_loop().create_task(desk.say("/stop"))
    await desk.settle(0.45)
    assert await desk.outcome(said) is None
    await desk.settle(0.1)
    assert await desk.outcome(said) is Outcome.INTERRUPTED
    assert await desk.outcome(await stop) is Outcome.HANDLED
    await desk.close()


async def test_a_stop_that_is_stored_after_its_grace_ends_the_run_at_once(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path / "a.db", agent_of(Script([call("deaf")]), deaf()))
    await slow_stop(desk, 2.0)
    said = await desk.say("work")
    await desk.settle(1)
    await desk.say("/stop")
    await desk.settle(0.05)
    assert await desk.outcome(said) is Outcome.INTERRUPTED
    await desk.close()
