"""Row 19: a late result of an abandoned tool is dropped."""

import asyncio
import threading
from pathlib import Path

import pytest

from gateway import Agent, SyncToolContext, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.log import bodies
from tests.acceptance.scripted import Begun, Script, call

pytestmark = pytest.mark.looptime


async def test_a_tool_that_returns_a_second_after_the_stop(tmp_path: Path):
    after: list[str] = []

    @tool(behavior="COOPERATIVE")
    async def work(context: ToolContext) -> str:
        """Returns one second after the stop, and tries everything before."""
        await context.signal.wait()
        await asyncio.sleep(1)
        for what in (
            lambda: context.progress("late progress", 0.5),
            lambda: context.interrupt(message="late question?", response_schema=bool),
            lambda: context.once("late note", lambda: 1),
            lambda: context.run_child(Agent("child", Script(["late child"])), "late"),
        ):
            try:
                await what()
            except Exception as error:  # noqa: BLE001 - whatever it is, it has to be refused
                after.append(type(error).__name__)
        return "late result"

    model = Script([call("work")])
    async with Desk(tmp_path, Agent("tester", model, "", [work])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        await ann.frame("call", state="started")
        await ann.stop()
        assert await ann.outcome(said, within=0.8) == ("interrupted", "USER_SIGINT")
        before, frames = await ann.export(), len(ann.frames)
        await asyncio.sleep(5)
        assert len(after) == 4
        assert await ann.export() == before
        assert bodies(before, "tool_result") == []
        assert [f["type"] for f in ann.frames[frames:] if f["type"] != "result"] == []
        await desk.restart()
        ann = await desk.person("ann")
        assert await ann.export() == before


async def test_a_plain_tool_that_returns_late(tmp_path: Path):
    begun, go_on, returned = Begun(), threading.Event(), threading.Event()

    @tool(behavior="COOPERATIVE")
    def work(context: SyncToolContext) -> str:
        """Is deaf in its own thread."""
        begun.tell()
        go_on.wait(20)
        try:
            context.progress("late progress")
        finally:
            returned.set()
        return "late result"

    model = Script([call("work")])
    async with Desk(tmp_path, Agent("tester", model, "", [work])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        await begun.wait()
        await ann.stop()
        assert await ann.outcome(said, within=2) == ("interrupted", "USER_SIGINT")
        before = await ann.export()
        go_on.set()
        await asyncio.get_running_loop().run_in_executor(None, returned.wait, 5)
        await asyncio.sleep(1)
        assert await ann.export() == before
        assert ann.find("progress") == []
