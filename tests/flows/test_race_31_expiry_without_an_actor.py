"""RACES 31: an expiry while the thread has no actor, or the process is gone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gateway.core.errors import StoreFailed
from gateway.core.interrupts import Status
from tests.builders import LoopClock
from tests.fakes.channel import FakeChannel
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


async def test_race_31_a_thread_that_can_not_be_opened_holds_up_no_other_s_expiry(
    tmp_path: Path,
) -> None:
    clock, names = LoopClock(), ("fake", "gone")
    model = Script([call("ask")], [call("ask")], ["fine"])
    agent = agent_of(model, asker("Well?", bool, expires_in=60))
    both = {name: FakeChannel(name, share=1.0) for name in names}
    desk = await open_desk(tmp_path / "a.db", agent, clock=clock, channels=both)
    await desk.say("go", thread="gone:1", channel="gone")
    await desk.settle(5)
    await desk.say("go")
    await desk.settle(5)
    await desk.kill()
    desk = await open_desk(tmp_path / "a.db", agent, first_id=900, clock=clock)
    await desk.settle(40)
    assert {q.status for q in await desk.store.questions()} == {Status.PENDING}
    await desk.settle(20)
    assert [q.status for q in await desk.store.questions(thread="fake:1")] == [Status.EXPIRED]
    assert [q.status for q in await desk.store.questions(thread="gone:1")] == [Status.PENDING]
    before = len(desk.errors)
    await desk.settle(1200)
    assert len(desk.errors) - before <= 50, "it is looked at less and less often"
    await desk.close()


async def test_race_31_the_clock_goes_on_after_a_store_that_could_not_be_read(
    tmp_path: Path,
) -> None:
    clock = LoopClock()
    agent = agent_of(Script([call("ask")], ["fine"]), asker("Well?", bool, expires_in=60))
    desk = await open_desk(tmp_path / "a.db", agent, clock=clock)
    read, fails = desk.store.expiries, [True]

    async def expiries(*given: object) -> object:
        if fails:
            raise StoreFailed("STORE_UNAVAILABLE", "for a moment")
        return await read(*given)

    object.__setattr__(desk.store, "expiries", expiries)
    await desk.say("go")
    await desk.settle(10)
    fails.clear()
    await desk.settle(55)
    assert await results(desk) == [NOBODY]
    await desk.close()
