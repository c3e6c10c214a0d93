"""RACES 29 and 30: a run whose end is on its way when it is stopped keeps what was shown of it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway.core.messages import AssistantMessage
from gateway.core.queueing import Mode, Priority
from gateway.policy import Policy
from gateway.ports.rows import Outcome
from tests.fakes.channel import FakeChannel
from tests.flows.desk import Desk, Script, agent_of, open_desk

pytestmark = pytest.mark.looptime


async def held_up(tmp_path: Path, share: float, mode: Mode) -> tuple[Desk, Any, asyncio.Event]:
    """A run that ends at the first second, and an actor that is held up from half of it on."""
    channel = FakeChannel("fake", share=share)
    brain = Script(["hello all", 1.0], ["bye"])
    desk = await open_desk(
        tmp_path / "a.db",
        agent_of(brain),
        policy=Policy(mode=mode),
        channels={"fake": channel},
    )
    said = await desk.say("hi")
    await desk.settle(0.5)
    commit, gate = desk.store.store.commit, asyncio.Event()

    async def blocked(*given: Any) -> None:
        await gate.wait()
        await commit(*given)

    vars(desk.store)["commit"] = blocked
    await desk.say("/status")
    return desk, said, gate


@pytest.mark.parametrize("mode", [Mode.STEER, Mode.ROLLBACK])
async def test_a_now_before_the_end_of_a_reply_that_was_shown_whole(
    tmp_path: Path, mode: Mode
) -> None:
    desk, said, gate = await held_up(tmp_path, 1.0, mode)
    now = await desk.say("now", override=Priority.NOW)
    await desk.settle(1)
    gate.set()
    await desk.settle(5)
    assert await desk.outcome(said) is Outcome.ANSWERED
    assert await desk.outcome(now) is Outcome.ANSWERED
    replies = [m for m in await desk.history() if isinstance(m, AssistantMessage)]
    assert replies == [AssistantMessage("hello all"), AssistantMessage("bye")]
    assert not desk.errors
    await desk.close()


@pytest.mark.parametrize("share", [0.5, 1.0])
async def test_a_stop_at_the_door_after_the_end_was_sent(tmp_path: Path, share: float) -> None:
    desk, said, gate = await held_up(tmp_path, share, Mode.STEER)
    await desk.settle(1)
    await desk.say("/stop")
    gate.set()
    await desk.settle(5)
    assert not desk.errors, desk.errors
    whole = share == 1.0
    row = await desk.row(said)
    reply = (await desk.history())[-1]
    if whole:
        assert row.outcome is Outcome.ANSWERED
        assert reply == AssistantMessage("hello all")
    else:
        assert (row.outcome, row.detail) == (Outcome.INTERRUPTED, "USER_SIGINT")
        assert reply == AssistantMessage("hell", interrupted=True, reason="USER_SIGINT")
    assert desk.told("STOPPED")
    assert not desk.errors
    await desk.close()
