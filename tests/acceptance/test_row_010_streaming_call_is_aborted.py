"""Row 10: a streaming model call is aborted at once; many calls leave no listeners behind."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.faults import HoldingStore
from tests.acceptance.log import results
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime
LONG = [part for number in range(300) for part in (f"{number} ", 0.01)]


async def test_a_stop_closes_the_stream_within_200_ms(tmp_path: Path):
    model = Script([*LONG, 1000.0])
    async with Desk(tmp_path, Agent("tester", model)) as desk:
        ann = await desk.person("ann")
        said = await ann.say("count")
        await ann.shows("10 ")
        began = desk.time()
        await ann.stop()
        assert await ann.outcome(said, within=1) == ("interrupted", "USER_SIGINT")
        (stream,) = model.streams
        assert stream.closed_at is not None
        assert stream.closed_at - began <= 0.2
        assert stream.sent < 20


async def test_a_stop_closes_a_stream_that_sends_nothing(tmp_path: Path):
    model = Script([1000.0])
    async with Desk(tmp_path, Agent("tester", model)) as desk:
        ann = await desk.person("ann")
        said = await ann.say("count")
        await ann.running()
        await asyncio.sleep(1)
        began = desk.time()
        await ann.stop()
        assert await ann.outcome(said, within=1) == ("interrupted", "USER_SIGINT")
        assert model.streams[0].closed_at is not None
        assert model.streams[0].closed_at - began <= 0.2


async def test_a_stop_behind_a_blocked_mailbox_and_300_deltas_closes_the_stream(tmp_path: Path):
    store, model = HoldingStore(), Script([*LONG, 1000.0])
    async with Desk(tmp_path, Agent("tester", model), wrap=store) as desk:
        ann = await desk.person("ann")
        said = await ann.say("count")
        await ann.shows("10 ")
        store.hold()
        await ann.shows("299 ")
        assert store.waiting == 1
        began = desk.time()
        stopped = await ann.stop()
        assert stopped["code"] == ""
        await asyncio.sleep(0.2)
        assert store.waiting == 1
        assert model.streams[0].closed_at is not None
        assert model.streams[0].closed_at - began <= 0.2
        store.release()
        assert await ann.outcome(said, within=1) == ("interrupted", "USER_SIGINT")
        assert await ann.outcome(stopped, within=1) == ("handled", "STOPPED")


async def test_a_stop_behind_a_blocked_mailbox_ends_a_plain_python_loop_inside_the_grace(
    tmp_path: Path,
):
    store, unwound, over = HoldingStore(), threading.Event(), threading.Event()

    @tool(behavior="THREAD_INTERRUPT")
    def work() -> str:
        """Loops without ever looking at a signal."""
        try:
            while not over.is_set():
                pass
        finally:
            unwound.set()
        return "finished"

    model = Script([*[f"{number} " for number in range(300)], call("work")])
    async with Desk(tmp_path, Agent("tester", model, "", [work]), wrap=store) as desk:
        ann = await desk.person("ann")
        said = await ann.say("count")
        await ann.frame("call", state="started")
        store.hold()
        waiting = [await ann.say(f"and {number}", override="later") for number in range(3)]
        assert store.waiting == 1
        stopped = await ann.stop()
        ended = await asyncio.get_running_loop().run_in_executor(None, unwound.wait, 0.5)
        over.set()
        assert ended
        assert store.waiting == 1
        store.release()
        assert await ann.outcome(said, within=2) == ("interrupted", "USER_SIGINT")
        assert await ann.outcome(stopped, within=1) == ("handled", "STOPPED")
        assert [await ann.outcome(row, within=1) for row in waiting] == [
            ("returned", "USER_SIGINT")
        ] * 3
        assert results(await ann.export()) == {
            "work": ("Interrupted: USER_SIGINT", "TOOL_INTERRUPTED")
        }


async def test_fifty_model_calls_leave_no_listeners_behind(tmp_path: Path):
    counts: list[int] = []

    @tool
    async def look(context: ToolContext) -> str:
        """Counts who listens to the run's signal."""
        signal: Any = context.signal
        counts.append(signal.listeners)
        return "looked"

    model = Script(*[[call("look")] for _ in range(50)], ["done"])
    async with Desk(tmp_path, Agent("tester", model, "", [look], max_iterations=60)) as desk:
        ann = await desk.person("ann")
        assert await ann.outcome(await ann.say("go")) == ("answered", "")
    assert len(counts) == 50
    assert counts[-1] == counts[0]
