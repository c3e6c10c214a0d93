"""Whoever looks at a thread while the process ends starts nothing there."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway.ports.channel import TextRef
from gateway.ports.rows import InputState, Outcome
from tests.flows.desk import Desk, agent_of, open_desk
from tests.flows.watching import TOOLS, model

pytestmark = pytest.mark.looptime


async def _look(desk: Desk, how: str) -> None:
    if how == "view":
        await desk.router.view("fake:2", "ann", "fake")
    else:
        desk.router.settled(TextRef("fake:2", "long ago", 1))


@pytest.mark.parametrize("how", ["view", "settled"])
async def test_a_message_that_is_kept_for_the_next_start_waits_for_it(
    tmp_path: Path, how: str
) -> None:
    brain = model()
    desk = await open_desk(tmp_path / "a.db", agent_of(brain, *TOOLS))
    await desk.say("finish", thread="fake:1")
    await desk.settle(1)
    accept = desk.store.accept

    async def slow(*given: Any) -> Any:
        stored = await accept(*given)
        await asyncio.sleep(0.2)
        return stored

    object.__setattr__(desk.store, "accept", slow)
    saying = asyncio.ensure_future(desk.say("hi", thread="fake:2"))
    await desk.settle(0.1)
    ending = asyncio.ensure_future(desk.router.shutdown(10.0))
    said = await saying
    await _look(desk, how)
    await ending
    await desk.settle(5)
    assert [request.thread for request in brain.requests] == ["fake:1"]
    row = await desk.row(said)
    assert row.state is not InputState.DONE
    await desk.close()
    desk = await open_desk(tmp_path / "a.db", agent_of(brain, *TOOLS), first_id=900)
    await desk.settle(5)
    assert await desk.outcome(said) is Outcome.ANSWERED
    await desk.close()
