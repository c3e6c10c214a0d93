"""RACES 20: what was to join and didn't keeps its place: at a pause, a stop, a failure, a crash."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway.core.errors import ModelFailed
from gateway.core.messages import UserMessage
from gateway.core.queueing import Mode, Priority
from gateway.policy import Policy
from gateway.ports.rows import InputState, Outcome
from gateway.runs.tools import tool
from tests.flows.desk import Desk, Script, agent_of, call, open_desk
from tests.flows.watching import TOOLS, model, working

pytestmark = pytest.mark.looptime

STEER = Policy(mode=Mode.STEER)


async def texts(desk: Desk) -> list[str]:
    return [m.text for m in await desk.history() if isinstance(m, UserMessage)]


async def test_at_a_pause_it_waits_in_its_place(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS), policy=STEER)
    await desk.say("ask")
    await desk.settle(1)
    one = await desk.say("one", override=Priority.NEXT)
    two = await desk.say("two", override=Priority.LATER)
    await desk.settle(1)
    row = await desk.row(one)
    assert (row.state, row.seq) == (InputState.WAITING, 2)
    await desk.say("yes")
    await desk.settle(5)
    assert await desk.outcome(one) is Outcome.STEERED
    assert await desk.outcome(two) is Outcome.ANSWERED
    await desk.close()


async def test_after_a_failure_it_is_the_next_run(tmp_path: Path) -> None:
    steps: list[Any] = [["half", 2.0, ModelFailed("MODEL_UNAVAILABLE", "down")], working]
    desk = await open_desk(tmp_path / "a.db", agent_of(Script(*steps), *TOOLS), policy=STEER)
    first = await desk.say("go")
    await desk.settle(1)
    joins = await desk.say("and this")
    later = await desk.say("later", override=Priority.LATER)
    await desk.settle(5)
    assert await desk.outcome(first) is Outcome.FAILED
    assert await desk.outcome(joins) is Outcome.ANSWERED
    assert await desk.outcome(later) is Outcome.ANSWERED
    assert await texts(desk) == ["go", "and this", "later"]
    await desk.close()


async def test_after_a_budget_it_is_the_next_run(tmp_path: Path) -> None:
    policy = Policy(mode=Mode.STEER, run_seconds=2.0)
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS), policy=policy)
    first = await desk.say("talk")
    await desk.settle(1)
    joins = await desk.say("and this")
    await desk.settle(5)
    assert (await desk.row(first)).detail == "BUDGET_EXCEEDED"
    assert await desk.outcome(joins) is Outcome.ANSWERED
    await desk.close()


async def test_after_a_now_it_follows_the_now(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS), policy=STEER)
    await desk.say("talk")
    await desk.settle(1)
    joins = await desk.say("and this")
    now = await desk.say("work now", override=Priority.NOW)
    await desk.settle(10)
    assert await desk.outcome(now) is Outcome.ANSWERED
    assert await desk.outcome(joins) is Outcome.STEERED
    assert await texts(desk) == ["talk", "work now", "and this"]
    await desk.close()


async def test_after_a_crash_it_joins_the_run_that_goes_on(tmp_path: Path) -> None:
    @tool
    async def slow() -> str:
        """Takes a while."""
        await asyncio.sleep(5.0)
        return "slow"

    brain = Script([call("slow")], ["fine"])
    desk = await open_desk(tmp_path / "a.db", agent_of(brain, slow), policy=STEER)
    first = await desk.say("go")
    await desk.settle(1)
    joins = await desk.say("and this")
    await desk.settle(0.5)
    clock = desk.router.wiring.clock
    await desk.kill()
    desk = await open_desk(
        tmp_path / "a.db",
        agent_of(brain, slow),
        policy=STEER,
        first_id=1_000,
        clock=clock,  # type: ignore[arg-type]
    )
    await desk.settle(10)
    assert await desk.outcome(first) is Outcome.ANSWERED
    assert await desk.outcome(joins) is Outcome.STEERED
    assert await texts(desk) == ["go", "and this"]
    assert "OUTCOME_UNKNOWN" in str(brain.requests[-1].messages)
    await desk.close()
