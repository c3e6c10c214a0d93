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
from tests.fakes.provider import STALL, Delta, FakeProvider, says, streams

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


async def test_with_a_provider_its_own_socket_sees_the_close(tmp_path: Path):
    cut = streams(Delta({"role": "assistant", "content": ""}), Delta({"content": "One."}), STALL)
    async with FakeProvider(cut, says("Go ", "on.")) as provider:
        given: dict[str, Any] = {
            "model": "openai:gpt-test",
            "model_base_url": provider.base_url,
            "model_api_key": "key",
        }
        async with Desk(tmp_path, None, **given) as desk:
            ann = await desk.person("ann")
            said = await ann.say("count")
            await ann.shows("One.")
            (exchange,) = provider.exchanges
            began = desk.time()
            await ann.stop()
            await asyncio.wait_for(exchange.left.wait(), 1)
            assert exchange.left_at is not None
            assert exchange.left_at - began <= 0.2
            assert await ann.outcome(said, within=1) == ("interrupted", "USER_SIGINT")
            assert (await ann.outcome(await ann.say("go on")))[0] == "answered"
            read = [message["content"] for message in provider.exchanges[1].messages()[1:]]
            assert read == ["count", "One. [interrupted by the user]", "go on"]


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
