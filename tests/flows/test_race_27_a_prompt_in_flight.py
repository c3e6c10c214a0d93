"""RACES 27: the actor leaves while a prompt is on its way; the question is armed all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.policy import Policy
from gateway.ports.channel import Delivery
from gateway.ports.rows import Outcome
from tests.fakes.channel import Ask, FakeChannel
from tests.flows.desk import agent_of, open_desk
from tests.flows.watching import TOOLS, model

pytestmark = pytest.mark.looptime


async def test_its_delivery_is_not_lost(tmp_path: Path) -> None:
    channel = FakeChannel("fake", share=1.0, asks=[Ask.HOLD])
    desk = await open_desk(
        tmp_path / "a.db",
        agent_of(model(), *TOOLS),
        policy=Policy(linger_seconds=0.0),
        channels={"fake": channel},
    )
    asks = await desk.say("ask")
    await desk.settle(5)
    channel.release(Delivery.CONFIRMED)
    await desk.settle(1)
    (question,) = await desk.store.questions()
    assert question.armed_at is not None
    await desk.say("yes")
    await desk.settle(2)
    assert await desk.outcome(asks) is Outcome.ANSWERED
    assert len(channel.called("ask")) == 1
    await desk.close()
