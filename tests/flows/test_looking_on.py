"""Who looks at a thread from another channel sees it change, and nothing that isn't theirs."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.people import Refused
from tests.acceptance.scripted import Script, call
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime


@tool
async def work(context: ToolContext) -> str:
    """Tells how it goes."""
    await context.progress("half of it", 0.5)
    return "worked"


async def test_a_terminal_sees_what_is_said_and_done_in_a_chat(tmp_path: Path):
    chat = FakeChannel("chat", share=1.0)
    model = Script([call("work")], ["all done"])
    agent = Agent("tester", model, "", [work])
    async with Desk(tmp_path, agent, channels=[chat], allow=["ann"]) as desk:
        ann = desk.member("ann", "chat:1", "chat")
        viewer = await desk.person("ann", thread="chat:1")
        elsewhere = await desk.person("ann", thread="local:1")
        stranger = await desk.person("bob", thread="local:bob")
        with pytest.raises((Refused, AssertionError)):
            await stranger.hello("chat:1")
        await ann.say("go")
        await viewer.frame("entry", lambda d: d["body"].get("text") == "go", within=1)
        await viewer.frame("progress", within=1, text="half of it")
        await viewer.frame("entry", lambda d: d["body"].get("text") == "all done", within=1)
        assert (await viewer.ended(within=1))["end"] == "completed"
        await asyncio.sleep(1)
        assert {frame["type"] for frame in elsewhere.frames} <= {"welcome", "threads"}
        assert {frame["type"] for frame in stranger.frames} <= {"welcome", "error"}
