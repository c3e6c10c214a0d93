"""RACES 5: a stop gives back what its person has waiting, a NOW too; what others sent goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.core.messages import UserMessage
from gateway.core.queueing import Mode, Priority
from gateway.policy import Policy
from gateway.ports.channel import Delivery
from gateway.ports.rows import Outcome
from tests.fakes.channel import Ask, FakeChannel
from tests.flows.desk import Desk, agent_of, open_desk
from tests.flows.watching import TOOLS, model

pytestmark = pytest.mark.looptime


async def desk_of(tmp_path: Path, mode: Mode) -> Desk:
    policy = Policy(mode=mode, shared_mode=mode)
    return await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS), policy=policy)


@pytest.mark.parametrize("mode", [Mode.STEER, Mode.ENQUEUE, Mode.COLLECT, Mode.INTERRUPT])
async def test_what_waits_and_a_now_are_given_back(tmp_path: Path, mode: Mode) -> None:
    desk = await desk_of(tmp_path, mode)
    work = await desk.say("finish")
    await desk.settle(1)
    waits = [await desk.say(f"m{wish}", override=wish) for wish in Priority]
    await desk.settle(0.1)
    stop = await desk.say("/stop")
    await desk.settle(30)
    assert await desk.outcome(work) is Outcome.INTERRUPTED
    assert [await desk.outcome(r) for r in waits] == [Outcome.RETURNED] * 3
    assert sorted(str(n.params["text"]) for n in desk.told("RETURNED")) == ["m0", "m1", "m2"]
    assert await desk.outcome(stop) is Outcome.HANDLED
    assert [m.text for m in await desk.history() if isinstance(m, UserMessage)] == ["finish"]
    again = await desk.say("hi")
    await desk.settle(2)
    assert await desk.outcome(again) is Outcome.ANSWERED
    await desk.close()


async def test_what_others_sent_goes_on(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Mode.ENQUEUE)
    await desk.share()
    work = await desk.say("finish")
    await desk.settle(1)
    ann, bob = await desk.say("a"), await desk.say("b", by="bob")
    await desk.say("/stop")
    await desk.settle(20)
    assert await desk.outcome(work) is Outcome.INTERRUPTED
    assert await desk.outcome(ann) is Outcome.RETURNED
    assert await desk.outcome(bob) is Outcome.ANSWERED
    await desk.close()


async def test_others_stop_gives_back_their_own_only(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path, Mode.ENQUEUE)
    await desk.share()
    work = await desk.say("work")
    await desk.settle(1)
    ann, bob = await desk.say("a"), await desk.say("b", by="bob")
    await desk.say("/stop", by="bob")
    await desk.settle(20)
    assert await desk.outcome(work) is Outcome.ANSWERED
    assert await desk.outcome(ann) is Outcome.ANSWERED
    assert await desk.outcome(bob) is Outcome.RETURNED
    await desk.close()


async def test_what_is_held_for_a_prompt_is_given_back_too(tmp_path: Path) -> None:
    channel = FakeChannel("fake", share=1.0, asks=[Ask.HOLD])
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS), channels={"fake": channel})
    asks = await desk.say("ask")
    await desk.settle(1)
    held = await desk.say("tell me about something else entirely")
    await desk.settle(1)
    await desk.say("/stop")
    await desk.settle(0.1)
    channel.release(Delivery.CONFIRMED)
    await desk.settle(30)
    assert await desk.outcome(asks) is Outcome.INTERRUPTED
    assert await desk.outcome(held) is Outcome.RETURNED
    assert len(desk.router.wiring.agent.model.requests) == 1  # type: ignore[attr-defined]
    await desk.close()
