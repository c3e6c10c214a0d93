"""RACES 26: second thoughts within ten seconds of a decision, the run still on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gateway.core.messages import UserMessage
from gateway.core.queueing import Mode
from gateway.policy import Policy
from gateway.ports.rows import Outcome
from gateway.runs.context import ToolContext
from gateway.runs.tools import tool
from tests.flows.desk import Desk, Script, agent_of, call, open_desk
from tests.flows.watching import most_at_once

pytestmark = pytest.mark.looptime


@tool
async def deploy(context: ToolContext) -> str:
    """Asks, then takes twenty seconds."""
    count = await context.interrupt(message="How many?", response_schema=int)
    try:
        await asyncio.wait_for(context.signal.wait(), 20.0)
    except TimeoutError:
        return f"deployed {count}"
    return "stopped"


async def decided(tmp_path: Path, mode: Mode = Mode.STEER) -> tuple[Desk, object]:
    brain = Script([call("deploy")], ["fi", 10.0, "ne"])
    desk = await open_desk(tmp_path / "a.db", agent_of(brain, deploy), policy=Policy(mode=mode))
    first = await desk.say("deploy")
    await desk.settle(1)
    two = await desk.say("2")
    await desk.settle(2)
    assert await desk.outcome(two) is Outcome.DECIDED
    return desk, first


@pytest.mark.parametrize("words", ["no", "нет, стой", "нет"])
async def test_a_no_stops_the_run_and_the_decision_stands(tmp_path: Path, words: str) -> None:
    desk, first = await decided(tmp_path)
    no = await desk.say(words)
    await desk.settle(30)
    row = await desk.row(first)  # type: ignore[arg-type]
    assert (row.outcome, row.detail) == (Outcome.INTERRUPTED, "USER_SIGINT")
    assert await desk.outcome(no) is Outcome.HANDLED
    (question,) = await desk.store.questions()
    assert question.decision.value == 2
    await desk.close()


@pytest.mark.parametrize("mode", [Mode.STEER, Mode.ROLLBACK, Mode.PARALLEL, Mode.ENQUEUE])
async def test_another_value_is_a_correction(tmp_path: Path, mode: Mode) -> None:
    desk, first = await decided(tmp_path, mode)
    three = await desk.say("три" if mode is Mode.STEER else "3")
    await desk.settle(30)
    row = await desk.row(first)  # type: ignore[arg-type]
    assert (row.outcome, row.detail) == (Outcome.INTERRUPTED, "NOW_PRIORITY_INPUT")
    assert await desk.outcome(three) is Outcome.ANSWERED
    said = [m.text for m in await desk.history() if isinstance(m, UserMessage)]
    assert said[0] == "deploy"
    assert len(said) == 2
    assert most_at_once(desk.channel) == 1
    await desk.close()


@pytest.mark.parametrize(
    ("words", "reason"), [("know", "USER_SIGINT"), ("for", "NOW_PRIORITY_INPUT")]
)
async def test_what_is_said_is_read_as_speech(tmp_path: Path, words: str, reason: str) -> None:
    desk, first = await decided(tmp_path)
    await desk.say(words, how="voice")
    await desk.settle(30)
    row = await desk.row(first)  # type: ignore[arg-type]
    assert (row.outcome, row.detail) == (Outcome.INTERRUPTED, reason)
    await desk.close()


async def test_the_same_value_and_a_late_one_are_messages(tmp_path: Path) -> None:
    desk, first = await decided(tmp_path)
    same = await desk.say("2")
    await desk.settle(11)
    late = await desk.say("no")
    await desk.settle(30)
    assert await desk.outcome(first) is Outcome.ANSWERED  # type: ignore[arg-type]
    assert await desk.outcome(same) is Outcome.STEERED
    assert await desk.outcome(late) is Outcome.ANSWERED
    await desk.close()


async def test_in_parallel_the_correction_is_of_the_run_that_was_decided(tmp_path: Path) -> None:
    desk, first = await decided(tmp_path, Mode.PARALLEL)
    other = await desk.say("something quite different, please")
    await desk.settle(1)
    three = await desk.say("3")
    await desk.settle(30)
    row = await desk.row(first)  # type: ignore[arg-type]
    assert (row.outcome, row.detail) == (Outcome.INTERRUPTED, "NOW_PRIORITY_INPUT")
    assert await desk.outcome(other) is Outcome.ANSWERED
    assert await desk.outcome(three) is Outcome.ANSWERED
    await desk.close()
