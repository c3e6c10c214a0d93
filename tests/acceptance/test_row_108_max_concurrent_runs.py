"""Row 108: `max_concurrent_runs`: who waits holds no slot, is told, and can be stopped."""

from pathlib import Path

import pytest

from tests.acceptance.desk import Desk
from tests.acceptance.work import worker

pytestmark = pytest.mark.looptime


async def test_three_runs_and_a_limit_of_two(tmp_path: Path):
    agent, model = worker()
    async with Desk(tmp_path, agent, max_concurrent_runs=2) as desk:
        ann, bob, cid, dan = [
            await desk.person(name, thread=f"local:{name}") for name in ("ann", "bob", "cid", "dan")
        ]
        first, second = await ann.say("work"), await bob.say("work")
        await ann.frame("call", state="started")
        await bob.frame("call", state="started")
        third, fourth = await cid.say("work"), await dan.say("hi")
        told = (await cid.frame("notice", within=1, code="WAITS_FOR_SLOT"))["data"]
        assert told["text"]
        await dan.frame("notice", within=1, code="WAITS_FOR_SLOT")
        assert len(model.requests) == 2
        stop = await cid.stop()
        assert await cid.outcome(stop, within=0.5) == ("handled", "STOPPED")
        assert await cid.outcome(third, within=0.5) == ("interrupted", "USER_SIGINT")
        assert await ann.outcome(first, within=5) == ("answered", "")
        assert await bob.outcome(second, within=5) == ("answered", "")
        assert await dan.outcome(fourth, within=5) == ("answered", "")
        assert not [r for r in model.requests if r.thread == "local:cid"]


async def test_who_is_asked_holds_no_slot(tmp_path: Path):
    agent, _ = worker()
    async with Desk(tmp_path, agent, max_concurrent_runs=1) as desk:
        ann = await desk.person("ann", thread="local:ann")
        bob = await desk.person("bob", thread="local:bob")
        asks = await ann.say("ask me")
        await ann.frame("question")
        other = await bob.say("hi")
        assert await bob.outcome(other, within=1) == ("answered", "")
        await ann.say("yes")
        assert await ann.outcome(asks, within=1) == ("answered", "")
