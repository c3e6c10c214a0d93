"""RACES 6: a NOW during a NOW, and a stop during a NOW's grace."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.core.messages import UserMessage
from gateway.core.queueing import Mode, Priority
from gateway.policy import Policy
from gateway.ports.rows import Outcome
from tests.flows.desk import Desk, agent_of, open_desk
from tests.flows.watching import TOOLS, model, most_at_once

pytestmark = pytest.mark.looptime

NOW = Priority.NOW


async def ended_at(desk: Desk, run: object) -> float:
    """How long it takes until this run has ended."""
    for tenth in range(300):
        if any(u["run"] == run and u["state"] == "ended" for u in desk.channel.of_type("run")):
            return tenth / 10
        await desk.settle(0.1)
    raise AssertionError("it never ended")


@pytest.mark.parametrize("mode", [Mode.STEER, Mode.INTERRUPT, Mode.ROLLBACK])
async def test_nows_that_wait_for_the_settling_start_one_run(tmp_path: Path, mode: Mode) -> None:
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS), policy=Policy(mode=mode))
    work = await desk.say("finish")
    await desk.settle(1)
    nows = [await desk.say(f"n{i}", override=NOW) for i in range(3)]
    await desk.settle(20)
    assert await desk.outcome(work) is Outcome.INTERRUPTED
    assert [await desk.outcome(r) for r in nows] == [
        Outcome.ANSWERED,
        Outcome.MERGED,
        Outcome.MERGED,
    ]
    said = [m.text for m in await desk.history() if isinstance(m, UserMessage)]
    assert said[-3:] == ["n0", "n1", "n2"]
    assert most_at_once(desk.channel) == 1
    row = await desk.row(work)
    assert row.detail == "NOW_PRIORITY_INPUT"
    await desk.close()


async def test_a_now_stops_the_run_of_the_now_before(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS))
    outcomes = []
    for text in ("work 1", "work 2", "work 3"):
        outcomes.append(await desk.say(text, override=NOW))
        await desk.settle(1)
    await desk.settle(10)
    got = [await desk.outcome(r) for r in outcomes]
    assert got == [Outcome.INTERRUPTED, Outcome.INTERRUPTED, Outcome.ANSWERED]
    assert most_at_once(desk.channel) == 1
    await desk.close()


async def test_a_stop_shortens_a_nows_grace_and_its_reason_stays(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS))
    work = await desk.say("finish")
    await desk.settle(1)
    now = await desk.say("other", override=NOW)
    await desk.settle(0.5)
    await desk.say("/stop")
    run = (await desk.row(work)).run
    assert await ended_at(desk, run) <= 0.7
    assert (await desk.row(work)).detail == "NOW_PRIORITY_INPUT"
    assert await desk.outcome(now) is Outcome.RETURNED
    await desk.settle(10)
    assert len(desk.told("MAY_STILL_RUN")) == 1
    await desk.close()


async def test_nothing_lengthens_a_stops_grace(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS))
    work = await desk.say("finish")
    await desk.settle(1)
    await desk.say("/stop")
    await desk.settle(0.1)
    now = await desk.say("other", override=NOW)
    run = (await desk.row(work)).run
    assert await ended_at(desk, run) <= 0.6
    await desk.settle(5)
    assert await desk.outcome(now) is Outcome.ANSWERED
    assert (await desk.row(work)).detail == "USER_SIGINT"
    await desk.close()
