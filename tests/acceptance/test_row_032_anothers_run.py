"""Row 32: another person's run is not touched, in a private and in a shared thread."""

import asyncio
from pathlib import Path

import pytest

from tests.acceptance.desk import Desk
from tests.acceptance.work import most_at_once, worker
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("busy", [True, False])
async def test_private_denied_before_anything_waits(tmp_path: Path, busy: bool):
    agent, model = worker()
    fake = FakeChannel("fake", share=1.0)
    desk = Desk(tmp_path, agent, channels=[fake], allow=["ann", "bob"], queue_mode="interrupt")
    async with desk:
        ann, bob = (desk.member(name, "fake:1", "fake") for name in ("ann", "bob"))
        await ann.say("work" if busy else "hi")
        await asyncio.sleep(1)
        for text in ("mine now", "/now mine", "/stop", "/queue parallel"):
            receipt = await bob.say(text)
            assert (receipt.row, receipt.code) == (None, "THREAD_ACCESS_DENIED")
        assert (await bob.stop()).code == "THREAD_ACCESS_DENIED"
        await asyncio.sleep(5)
        ended = [u for u in fake.of_type("run") if u["state"] == "ended"]
        assert [u["end"] for u in ended] == ["completed"]
        assert "mine" not in str([r.messages for r in model.requests])


@pytest.mark.parametrize("wish", [None, "now"])
@pytest.mark.parametrize("mode", ["interrupt", "rollback", "steer"])
async def test_shared_b_waits_as_next_and_is_answered(tmp_path: Path, mode: str, wish: str | None):
    agent, _ = worker()
    fake = FakeChannel("fake", share=1.0)
    async with Desk(
        tmp_path,
        agent,
        channels=[fake],
        allow=["ann", "bob", "cid"],
        shared=["fake:g"],
        shared_queue_mode=mode,
    ) as desk:
        ann, bob, cid = (desk.member(name, "fake:g", "fake") for name in ("ann", "bob", "cid"))
        await ann.say("work")
        await asyncio.sleep(1)
        await cid.say("c first")
        await bob.say("b", override=wish)
        await bob.stop()
        await bob.say("b again", override=wish)
        await asyncio.sleep(10)
        assert "WAITS" in bob.told()
        assert "JOINS" not in bob.told()
        assert fake.texts() == ["after worked", "done c first", "done b again"]
        ended = [u for u in fake.of_type("run") if u["state"] == "ended"]
        assert [u["end"] for u in ended] == ["completed"] * 3
        assert most_at_once(fake.of_type("run")) == 1
