"""`max_concurrent_runs`: who waits holds no slot, is told, and can be stopped."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway.core.errors import StoreFailed
from gateway.core.queueing import Priority
from gateway.ports.rows import Outcome
from tests.flows.desk import Script, agent_of, open_desk
from tests.flows.watching import TOOLS, model

pytestmark = pytest.mark.looptime


async def test_the_third_waits_is_told_and_can_be_stopped(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS), limit=2)
    one, two = [await desk.say("work", thread=f"fake:{n}") for n in (1, 2)]
    await desk.settle(0.5)
    three = await desk.say("work", thread="fake:3")
    four = await desk.say("work", thread="fake:4")
    await desk.settle(0.5)
    assert [n.thread for n in desk.told("WAITS_FOR_SLOT")] == ["fake:3", "fake:4"]
    brain = desk.router.wiring.agent.model  # type: ignore[attr-defined]
    assert len(brain.requests) == 2
    await desk.say("/stop", thread="fake:3")
    await desk.settle(0.1)
    assert await desk.outcome(three) is Outcome.INTERRUPTED
    await desk.settle(10)
    got = [await desk.outcome(r) for r in (one, two, four)]
    assert got == [Outcome.ANSWERED] * 3
    assert not [r for r in brain.requests if r.thread == "fake:3"]
    await desk.close()


async def test_asking_holds_no_slot_and_a_resume_goes_first(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS), limit=1)
    brain = desk.router.wiring.agent.model  # type: ignore[attr-defined]
    asks = await desk.say("ask", thread="fake:1")
    await desk.settle(1)
    two = await desk.say("work", thread="fake:2")
    await desk.settle(0.5)
    three = await desk.say("hi", thread="fake:3")
    yes = await desk.say("yes", thread="fake:1")
    await desk.settle(20)
    got = [await desk.outcome(r) for r in (asks, two, three)]
    assert got == [Outcome.ANSWERED] * 3
    assert await desk.outcome(yes) is Outcome.DECIDED
    order = [request.thread for request in brain.requests]
    assert order.index("fake:3") > max(n for n, t in enumerate(order) if t == "fake:1")
    await desk.close()


async def test_a_now_replaces_a_run_that_waits_for_a_slot(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS), limit=1)
    await desk.say("work", thread="fake:1")
    await desk.settle(0.5)
    waits = await desk.say("work", thread="fake:2")
    now = await desk.say("hi", thread="fake:2", override=Priority.NOW)
    await desk.settle(20)
    assert await desk.outcome(waits) is Outcome.INTERRUPTED
    assert await desk.outcome(now) is Outcome.ANSWERED
    brain = desk.router.wiring.agent.model  # type: ignore[attr-defined]
    assert len([r for r in brain.requests if r.thread == "fake:2"]) == 1
    await desk.close()


async def test_a_run_that_is_granted_its_slot_twice_begins_once(tmp_path: Path) -> None:
    began: list[str] = []
    script = Script([1.5, "one"], ["two"])
    desk = await open_desk(tmp_path / "a.db", agent_of(script, before_run=[began.append]), limit=1)
    await desk.say("first", thread="fake:1")
    await desk.settle(0.5)
    waits = await desk.say("second", thread="fake:2")
    await desk.settle(0.5)
    commit, accept = desk.store.commit, desk.store.accept

    async def slow(thread: str, *given: Any) -> None:
        await commit(thread, *given)
        await asyncio.sleep(1.0 if thread == "fake:2" else 0)

    async def full(*given: Any) -> Any:
        raise StoreFailed("STORE_FULL", "full")

    object.__setattr__(desk.store, "commit", slow)
    await desk.say("/status", thread="fake:2")
    await desk.settle(0.2)
    object.__setattr__(desk.store, "accept", full)
    stop = await desk.say("/stop", thread="fake:2")
    assert stop.code == "STORE_FULL"
    object.__setattr__(desk.store, "accept", accept)
    await desk.settle(10)
    assert began == ["first", "second"]
    assert await desk.outcome(waits) is Outcome.ANSWERED
    assert not desk.errors
    await desk.close()
