"""Row 5: a raising callback stops neither its siblings nor the run's ending; a blocked one delays
no other thread.
"""

import asyncio
import threading
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, by_text, call

pytestmark = pytest.mark.looptime


async def test_the_first_of_two_raises_the_second_runs_the_run_ends(tmp_path: Path):
    ran: list[str] = []

    def fail() -> None:
        ran.append("raised")
        raise RuntimeError("a broken callback")

    @tool(behavior="EXTERNALLY_TERMINATED")
    async def work(context: ToolContext) -> str:
        """Its first listener and its first terminator raise."""
        assert context.registrar is not None
        context.signal.on_cancel(fail)
        context.signal.on_cancel(lambda: ran.append("listener"))
        context.registrar.register(fail)
        context.registrar.register(lambda: ran.append("terminator"))
        await context.signal.wait()
        await asyncio.sleep(0.3)
        return "over"

    model = Script([call("work")])
    async with Desk(tmp_path, Agent("tester", model, "", [work])) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        said = await ann.say("go")
        await ann.frame("call", state="started")
        await ann.stop()
        assert await ann.outcome(said, within=1) == ("interrupted", "USER_SIGINT")
        assert ran == ["raised", "listener", "raised", "terminator"]
        assert {line["error"] for line in desk.failures()} == {"RuntimeError"}
        assert "a broken callback" not in desk.log.getvalue()


async def test_a_callback_that_blocks_delays_nobody(tmp_path: Path):
    blocked, release = threading.Event(), threading.Event()
    released: list[bool] = []

    def block() -> None:
        blocked.set()
        released.append(release.wait(5))

    @tool(behavior="EXTERNALLY_TERMINATED")
    async def work(context: ToolContext) -> str:
        """Its only listener blocks the thread it is called on."""
        context.signal.on_cancel(block)
        await context.signal.wait()
        return "over"

    model = Script(by_text(work=[call("work")], hello=["hello back"]))
    async with Desk(tmp_path, Agent("tester", model, "", [work])) as desk:
        ann = await desk.person("ann", thread="local:ann")
        bob = await desk.person("bob", thread="local:bob")
        said = await ann.say("work")
        await ann.frame("call", state="started")
        await ann.stop()
        assert await ann.outcome(said, within=1) == ("interrupted", "USER_SIGINT")
        assert blocked.wait(5)
        began = desk.time()
        assert await bob.outcome(await bob.say("hello"), within=2) == ("answered", "")
        assert await ann.outcome(await ann.say("hello"), within=2) == ("answered", "")
        assert desk.time() - began < 1
        release.set()
        await asyncio.sleep(0.2)
        assert released == [True]
