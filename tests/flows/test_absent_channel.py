"""A thread whose channel is not set up any more waits for it, and says so now and then."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime


async def test_its_neighbours_go_on_and_so_does_it_once_the_channel_is_back(tmp_path: Path):
    gone: list[int] = []

    @tool
    async def look(context: ToolContext) -> str:
        """Looks."""
        gone.append(1)
        await asyncio.sleep(2)
        return "seen"

    model = Script([call("look")], ["whole"])
    fake = FakeChannel("fake", share=1.0)
    desk = Desk(tmp_path, Agent("t", model, "", [look]), channels=[fake], allow=["bob"])
    async with desk:
        desk.may_fail = True
        bob = desk.member("bob", "fake:1", "fake")
        said = await bob.say("go")
        await asyncio.sleep(1)
        await desk.kill()
        del desk.channels["fake"]
        await desk.start()
        ann = await desk.person("ann")
        assert (await ann.outcome(await ann.say("hi")))[0] == "answered"
        await asyncio.sleep(600)
        named = desk.log.getvalue().count("channel fake, which is not set up")
        assert 1 <= named <= 20
        await desk.stop()
        desk.channels["fake"] = FakeChannel("fake", share=1.0)
        await desk.start()
        await asyncio.sleep(5)
        (row,) = await desk.app.store.inputs("fake:1")
        assert (row.seq, row.outcome) == (said.row.seq, "answered")
        assert gone == [1]
