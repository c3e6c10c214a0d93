"""RACES 19: a run that asks holds the thread and goes first when it is answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.core.messages import UserMessage
from gateway.core.queueing import Mode, Priority
from gateway.policy import Policy
from gateway.ports.rows import Outcome
from tests.flows.desk import agent_of, open_desk
from tests.flows.watching import TOOLS, model, most_at_once, users

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("mode", [Mode.STEER, Mode.ENQUEUE])
@pytest.mark.parametrize("crash", [False, True])
async def test_it_goes_on_before_what_waits(tmp_path: Path, mode: Mode, crash: bool) -> None:
    policy = Policy(mode=mode, shared_mode=mode)
    brain = model()
    desk = await open_desk(tmp_path / "a.db", agent_of(brain, *TOOLS), policy=policy)
    await desk.share()
    asks = await desk.say("ask")
    await desk.settle(1)
    mine = await desk.say("and more", override=Priority.NEXT)
    other = await desk.say("hello", by="bob")
    await desk.settle(1)
    if crash:
        clock = desk.router.wiring.clock
        await desk.kill()
        desk = await open_desk(
            tmp_path / "a.db",
            agent_of(brain, *TOOLS),
            policy=policy,
            first_id=1_000,
            clock=clock,  # type: ignore[arg-type]
        )
        await desk.settle(1)
    assert len(brain.requests) == 1
    yes = await desk.say("yes", dedup="the answer")
    await desk.settle(10)
    assert await desk.outcome(yes) is Outcome.DECIDED
    assert await desk.outcome(asks) is Outcome.ANSWERED
    joined = mode is Mode.STEER
    assert await desk.outcome(mine) is (Outcome.STEERED if joined else Outcome.ANSWERED)
    assert await desk.outcome(other) is Outcome.ANSWERED
    assert users(brain.requests[1]) == (["ask", "and more"] if joined else ["ask"])
    said = [m.text for m in await desk.history() if isinstance(m, UserMessage)]
    assert said == ["ask", "and more", "hello"]
    assert most_at_once(desk.channel) == 1
    assert not desk.errors
    await desk.close()
