"""RACES 30: a run that ends between a stop at the door and the stop's storing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway.core.messages import UserMessage
from gateway.core.queueing import Mode
from gateway.policy import Policy
from gateway.ports.rows import InputKind, NewInput, Outcome
from tests.flows.desk import Desk, agent_of, open_desk
from tests.flows.watching import TOOLS, model

pytestmark = pytest.mark.looptime


async def slow_stop(desk: Desk, seconds: float) -> None:
    """Let the storing of a stop take this long."""
    accept = desk.store.store.accept

    async def late(new: NewInput, at: Any) -> Any:
        if new.kind is InputKind.STOP:
            await asyncio.sleep(seconds)
        return await accept(new, at)

    vars(desk.store)["accept"] = late


@pytest.mark.parametrize("first", ["work", "talk", "finish"])
async def test_nothing_of_theirs_starts_before_the_stop_is_stored(
    tmp_path: Path, first: str
) -> None:
    policy = Policy(mode=Mode.ENQUEUE, shared_mode=Mode.ENQUEUE)
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS), policy=policy)
    await desk.share()
    await slow_stop(desk, 5.0)
    await desk.say(first)
    await desk.settle(2.5)
    mine, bobs = await desk.say("mine"), await desk.say("bobs", by="bob")
    stop = asyncio.get_running_loop().create_task(desk.say("/stop"))
    await desk.settle(4)
    assert await desk.outcome(mine) is None
    assert await desk.outcome(bobs) is Outcome.ANSWERED
    await desk.settle(5)
    assert await desk.outcome(mine) is Outcome.RETURNED
    assert (await desk.row(await stop)).detail == "STOPPED"
    said = [m.text for m in await desk.history() if isinstance(m, UserMessage)]
    assert said == [first, "bobs"]
    after = await desk.say("after")
    await desk.settle(2)
    assert await desk.outcome(after) is Outcome.ANSWERED
    await desk.close()


async def test_a_stop_that_could_not_be_stored_fences_nobody(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS))
    await desk.say("hi", dedup="one")
    await desk.say("/stop", dedup="one")
    await desk.settle(1)
    after = await desk.say("after")
    await desk.settle(2)
    assert await desk.outcome(after) is Outcome.ANSWERED
    await desk.close()
