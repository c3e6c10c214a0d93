"""RACES 1: an answer's time is when it was stored; the expiry waits for what was in time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gateway.core.interrupts import Status
from gateway.ports.rows import Outcome
from tests.builders import LoopClock
from tests.flows.asking import asker, results
from tests.flows.desk import Desk, Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime
NOBODY = 'Nobody answered "Well?" before it expired at 2026-03-02T09:01:00.000000Z'


async def waiting(path: Path, *steps: Any, **options: Any) -> Desk:
    """A desk whose question expires 60 s after nine."""
    model = Script([call("ask")], *(steps or (["fine"],)))
    agent = agent_of(model, asker("Well?", bool, expires_in=60))
    desk = await open_desk(path / "a.db", agent, **options)
    await desk.say("go")
    return desk


class Slow:
    """Lets the storing of answers take its time: stored at once, said so later."""

    def __init__(self, desk: Desk, seconds: float, write: Callable[..., Any] | None = None) -> None:
        self.write: Callable[..., Any] = write or desk.store.accept
        self.seconds = seconds

    async def __call__(self, *given: Any) -> Any:
        stored = await self.write(*given)
        await asyncio.sleep(self.seconds)
        return stored


@pytest.mark.parametrize(
    ("at", "outcome", "result"),
    [
        (59.999, Outcome.DECIDED, "ask=True"),
        (60.0, Outcome.REFUSED, NOBODY),
        (61.0, Outcome.REFUSED, NOBODY),
    ],
)
async def test_race_01_before_at_and_after(
    tmp_path: Path, at: float, outcome: Outcome, result: str
) -> None:
    desk = await waiting(tmp_path)
    await desk.settle(at)
    said = await desk.say("yes")
    await desk.settle(5)
    row = await desk.row(said)
    assert row.outcome is outcome
    assert await results(desk) == [result]
    assert row.detail == ("INTERRUPT_EXPIRED" if outcome is Outcome.REFUSED else row.detail)
    assert bool(desk.told("QUESTION_EXPIRED")) == (outcome is Outcome.REFUSED)
    assert not desk.errors
    await desk.close()


@pytest.mark.parametrize(
    ("seconds", "outcome", "status"),
    [(4.0, Outcome.DECIDED, Status.ANSWERED), (14.0, Outcome.REFUSED, Status.EXPIRED)],
)
async def test_race_01_the_expiry_waits_ten_seconds_for_what_was_said_in_time(
    tmp_path: Path, seconds: float, outcome: Outcome, status: Status
) -> None:
    desk = await waiting(tmp_path)
    await desk.settle(50)
    await desk.say("wait")
    await desk.settle(9)
    object.__setattr__(desk.store, "accept", Slow(desk, seconds))
    said = asyncio.ensure_future(desk.say("yes"))
    await desk.settle(9)
    (question,) = await desk.store.questions(thread="fake:1")
    assert question.status is (Status.ANSWERED if seconds < 9 else Status.PENDING)
    await desk.settle(12)
    (question,) = await desk.store.questions(thread="fake:1")
    assert question.status is status
    row = await desk.row(await said)
    assert row.outcome is outcome
    assert row.detail in (question.id, "INTERRUPT_EXPIRED")
    assert not desk.errors
    await desk.close()


async def test_race_01_a_late_sentence_is_normal_input(tmp_path: Path) -> None:
    desk = await waiting(tmp_path, ["one"], ["two"])
    await desk.settle(70)
    said = await desk.say("please tell me the weather in Paris")
    await desk.settle(2)
    assert await desk.outcome(said) is Outcome.ANSWERED
    bare = await desk.say("yes")
    await desk.settle(2)
    assert await desk.outcome(bare) is Outcome.ANSWERED, "they have said something since"
    await desk.close()


async def test_race_01_a_late_answer_is_told_so_also_after_a_kill(tmp_path: Path) -> None:
    clock = LoopClock()
    desk = await waiting(tmp_path, clock=clock)
    await desk.settle(70)
    await desk.kill()
    desk = await open_desk(tmp_path / "a.db", agent_of(Script(["x"])), first_id=900, clock=clock)
    late = await desk.say("yes")
    await desk.settle(2)
    row = await desk.row(late)
    assert (row.outcome, row.detail) == (Outcome.REFUSED, "INTERRUPT_EXPIRED")
    again = await desk.say("yes")
    await desk.settle(2)
    assert await desk.outcome(again) is Outcome.ANSWERED
    await desk.close()


async def test_race_01_an_answer_stored_in_time_behind_the_expiry_in_the_mailbox_counts(
    tmp_path: Path,
) -> None:
    desk = await waiting(tmp_path)
    await desk.settle(59.7)
    commit = desk.store.commit
    object.__setattr__(desk.store, "accept", Slow(desk, 0.2))
    object.__setattr__(desk.store, "commit", Slow(desk, 2.0, commit))
    busy = asyncio.ensure_future(desk.say("/status"))
    await desk.settle(0.25)
    said = asyncio.ensure_future(desk.say("yes"))
    await desk.settle(10)
    await busy
    row = await desk.row(await said)
    assert row.accepted_at.isoformat() == "2026-03-02T09:00:59.950000+00:00"
    assert row.outcome is Outcome.DECIDED
    assert await results(desk) == ["ask=True"]
    assert not desk.errors
    await desk.close()
