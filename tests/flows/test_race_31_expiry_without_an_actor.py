"""RACES 31: an expiry while the thread has no actor, or the process is gone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.builders import LoopClock
from tests.flows.asking import asker, results
from tests.flows.desk import Desk, Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime
NOBODY = 'Nobody answered "Well?" before it expired at 2026-03-02T09:01:00.000000Z'


async def waiting(path: Path, clock: LoopClock) -> Desk:
    """A desk whose question expires 60 s after nine."""
    agent = agent_of(Script([call("ask")], ["fine"]), asker("Well?", bool, expires_in=60))
    desk = await open_desk(path / "a.db", agent, clock=clock)
    await desk.say("go")
    return desk


async def test_race_31_an_expiry_rings_a_thread_without_an_actor(tmp_path: Path) -> None:
    desk = await waiting(tmp_path, LoopClock())
    await desk.settle(55)
    assert not desk.router._sessions
    await desk.settle(10)
    assert await results(desk) == [NOBODY]
    assert desk.told("QUESTION_EXPIRED")
    await desk.close()


async def test_race_31_an_expiry_while_the_process_is_gone(tmp_path: Path) -> None:
    clock = LoopClock()
    desk = await waiting(tmp_path, clock)
    await desk.settle(10)
    await desk.kill()
    await asyncio.sleep(100)
    model = Script(["fine"])
    agent = agent_of(model, asker("Well?", bool, expires_in=60))
    desk = await open_desk(tmp_path / "a.db", agent, first_id=900, clock=clock)
    await desk.settle(5)
    assert await results(desk) == [NOBODY]
    assert len(model.requests) == 1
    await desk.close()
