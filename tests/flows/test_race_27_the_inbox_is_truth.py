"""RACES 27: an actor that leaves as an input arrives; callers that go; stops behind load."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from gateway.core.messages import UserMessage
from gateway.core.queueing import Mode
from gateway.mail import Pump
from gateway.policy import Policy
from gateway.ports.rows import InputKind, NewInput, Outcome, ThreadRow
from tests.flows.desk import Script, agent_of, open_desk
from tests.flows.watching import TOOLS, model

pytestmark = pytest.mark.looptime


async def test_an_input_as_the_actor_leaves(tmp_path: Path) -> None:
    policy = Policy(linger_seconds=0.5)
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS), policy=policy)
    said = []
    for moment in range(490, 512):
        said.append(await desk.say("hi"))
        await desk.settle(moment / 1000)
    await desk.settle(5)
    assert {await desk.outcome(r) for r in said} == {Outcome.ANSWERED}
    assert not desk.router._sessions
    assert not desk.errors
    await desk.close()


async def test_rows_without_a_doorbell_are_found_at_the_start(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS))
    now = desk.router.wiring.clock.now()
    await desk.store.make_thread(ThreadRow(id="t", private=True, owner="ann", created_at=now))
    for number in range(3):
        new = NewInput(dedup=f"d{number}", thread="t", channel="fake", principal="ann", text="hi")
        await desk.store.accept(new, now)
    clock = desk.router.wiring.clock
    await desk.kill()
    desk = await open_desk(
        tmp_path / "a.db",
        agent_of(model(), *TOOLS),
        first_id=1_000,
        clock=clock,  # type: ignore[arg-type]
    )
    await desk.settle(10)
    rows = await desk.store.inputs("t")
    assert [row.outcome for row in rows] == [Outcome.ANSWERED, Outcome.STEERED, Outcome.ANSWERED]
    await desk.close()


@pytest.mark.parametrize("turns", range(12))
async def test_a_caller_that_goes_away_leaves_nothing_half_done(tmp_path: Path, turns: int) -> None:
    desk = await open_desk(
        tmp_path / "a.db", agent_of(model(), *TOOLS), policy=Policy(mode=Mode.ENQUEUE)
    )
    await desk.say("work")
    await desk.settle(1)
    for text, kind in (("/stop", InputKind.STOP), ("hi", InputKind.TEXT)):
        caller = asyncio.get_running_loop().create_task(desk.say(text, kind=kind))
        for _ in range(turns):
            await asyncio.sleep(0)
        caller.cancel()
        with suppress(asyncio.CancelledError):
            await caller
        await desk.settle(1)
    after = await desk.say("bye")
    await desk.settle(5)
    assert await desk.outcome(after) is Outcome.ANSWERED
    rows = await desk.store.inputs("fake:1")
    assert {row.outcome for row in rows if row.new.text == "hi"} <= {Outcome.ANSWERED}
    assert all(row.outcome is not None for row in rows)
    await desk.close()


async def test_a_stop_behind_load_trips_at_the_door(tmp_path: Path) -> None:
    brain = Script([*(part for _ in range(300) for part in ("x", 0.001)), 100.0])
    desk = await open_desk(tmp_path / "a.db", agent_of(brain))
    await desk.say("go")
    await desk.settle(0.2)
    session = desk.router._sessions["fake:1"]
    commit, gate = desk.store.store.commit, asyncio.Event()

    async def blocked(*given: Any) -> None:
        await gate.wait()
        await commit(*given)

    vars(desk.store)["commit"] = blocked
    for _ in range(300):
        session.post(Pump())
    await desk.say("/status")
    await desk.settle(0.1)
    shown = len(desk.channel.called("show"))
    await desk.say("/stop")
    await desk.settle(0.02)
    assert brain.closed == 1
    assert len(desk.channel.called("show")) <= shown + 25
    gate.set()
    await desk.settle(1)
    assert [m.text for m in await desk.history() if isinstance(m, UserMessage)] == ["go"]
    assert desk.told("STOPPED")
    await desk.close()
