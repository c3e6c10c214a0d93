"""What once left a thread stuck, or acted on the wrong run."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from gateway.core.errors import AccessDenied
from gateway.core.queueing import Mode, Priority
from gateway.policy import Policy
from gateway.ports.channel import Capabilities
from gateway.ports.rows import Outcome
from gateway.runs.context import ToolContext
from gateway.runs.tools import tool
from tests.builders import LoopClock
from tests.fakes.channel import Ask, FakeChannel
from tests.flows.asking import asker
from tests.flows.desk import Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime


@tool
async def work() -> str:
    """Takes five seconds."""
    await asyncio.sleep(5)
    return "worked"


async def test_a_stop_among_held_inputs_gives_back_the_others(tmp_path: Path):
    @tool
    async def ask(context: ToolContext) -> str:
        """Asks."""
        well = await context.interrupt(message="Well?", response_schema=bool)
        await asyncio.sleep(3)
        return str(well)

    channel = FakeChannel("fake", share=1.0, asks=[Ask.HOLD])
    agent = agent_of(Script([call("ask")], ["fine"]), ask)
    desk = await open_desk(tmp_path / "a.db", agent, channels={"fake": channel})
    await desk.say("go")
    await desk.settle(1)
    held = [await desk.say(text) for text in ("yes", "no", "and then write me a report")]
    await asyncio.sleep(0.2)
    channel.release()
    await desk.settle(8)
    assert not desk.errors
    assert [await desk.outcome(one) for one in held] == [
        Outcome.DECIDED,
        Outcome.HANDLED,
        Outcome.RETURNED,
    ]
    await desk.close()


async def test_a_reason_that_another_version_wrote_is_read(tmp_path: Path):
    agent = agent_of(Script([call("work")], ["x"]), work)
    desk = await open_desk(tmp_path / "a.db", agent)
    first = await desk.say("two")
    await desk.settle(0.3)
    await desk.say("/stop")
    await asyncio.sleep(0.1)
    clock = desk.router.wiring.clock
    assert isinstance(clock, LoopClock)
    await desk.kill()
    with sqlite3.connect(tmp_path / "a.db") as file:
        changed = file.execute("UPDATE run SET body = replace(body, 'USER_SIGINT', 'QUOTA_GONE')")
        assert changed.rowcount == 1
    file.close()
    again = await open_desk(tmp_path / "a.db", agent, first_id=900, clock=clock)
    await again.settle(5)
    assert await again.outcome(first) is Outcome.INTERRUPTED
    assert not again.errors
    await again.close()


async def test_an_entry_without_its_text_is_left_out_and_its_neighbours_stay(tmp_path: Path):
    model = Script(["one"], ["two"])
    desk = await open_desk(tmp_path / "a.db", agent_of(model))
    await desk.say("first")
    await desk.settle(1)
    clock = desk.router.wiring.clock
    assert isinstance(clock, LoopClock)
    await desk.close()
    with sqlite3.connect(tmp_path / "a.db") as file:
        file.execute("UPDATE entry SET body = '{}' WHERE seq = 1")
    file.close()
    again = await open_desk(tmp_path / "a.db", agent_of(model), first_id=900, clock=clock)
    said = await again.say("second")
    await again.settle(5)
    assert await again.outcome(said) is Outcome.ANSWERED
    assert "one" in str(model.requests[-1].messages)
    await again.close()


async def test_an_agent_that_cannot_start_fails_its_run(tmp_path: Path):
    class Broken:
        name, timeout_seconds, capabilities = "broken", 60.0, None

        def start(self, start, host):
            raise LookupError("no such model")

        def with_runtime(self, runtime):
            return self

    desk = await open_desk(tmp_path / "a.db", Broken())  # type: ignore[arg-type]
    said = [await desk.say("one"), await desk.say("two")]
    await desk.settle(5)
    assert [await desk.outcome(one) for one in said] == [Outcome.FAILED, Outcome.FAILED]
    assert len(desk.errors) == 2
    await desk.close()


async def test_only_its_owner_or_an_admin_deletes_a_shared_thread(tmp_path: Path):
    desk = await open_desk(tmp_path / "a.db", agent_of(Script(["fine"])))
    await desk.share()
    await desk.say("hello", by="bob")
    await desk.settle(1)
    with pytest.raises(AccessDenied):
        await desk.router.delete("fake:1", "bob")
    await desk.router.delete("fake:1", "ann")
    assert await desk.store.thread("fake:1") is None
    await desk.settle(30)
    assert not desk.errors
    await desk.close()


async def test_a_stop_that_returns_the_now_leaves_the_stopped_request_for_a_retry(tmp_path: Path):
    model = Script(["old"], [call("work")], ["new"])
    policy = Policy(mode=Mode.ROLLBACK)
    desk = await open_desk(tmp_path / "a.db", agent_of(model, work), policy=policy)
    await desk.say("one")
    await desk.settle(1)
    await desk.say("two")
    await desk.settle(0.3)
    urgent = await desk.say("three")
    await asyncio.sleep(0.05)
    await desk.say("/stop")
    await desk.settle(15)
    assert await desk.outcome(urgent) is Outcome.RETURNED
    assert "two" in str(await desk.history())
    retry = await desk.say("/retry")
    await desk.settle(10)
    assert await desk.outcome(retry) is Outcome.ANSWERED
    await desk.close()


async def test_a_view_shows_no_more_than_was_heard_nor_the_providers_parts(tmp_path: Path):
    voice = Capabilities(durable=False, voice=True)
    channel = FakeChannel("fake", voice, share=0.5)
    agent = agent_of(Script(["0123456789"]))
    desk = await open_desk(tmp_path / "a.db", agent, channels={"fake": channel})
    await desk.say("go")
    await desk.settle(1)
    view = await desk.router.view("fake:1", "ann", "fake")
    assert "01234" in str(view["runs"])
    assert "56789" not in str(view)
    assert "providerParts" not in str(view)
    await desk.close()


async def test_a_now_in_parallel_stops_the_run_it_names(tmp_path: Path):
    model = Script(["a", 20.0], ["b", 20.0], ["c"])
    policy = Policy(mode=Mode.PARALLEL)
    desk = await open_desk(tmp_path / "a.db", agent_of(model), policy=policy)
    older = await desk.say("a")
    await desk.settle(0.2)
    newer = await desk.say("b")
    await desk.settle(0.2)
    await desk.say("instead", override=Priority.NOW, run=(await desk.row(older)).run)
    await desk.settle(3)
    assert await desk.outcome(older) is Outcome.INTERRUPTED
    assert await desk.outcome(newer) is None
    await desk.close()


async def test_a_now_to_a_run_that_asks_rolls_it_back_where_that_is_the_mode(tmp_path: Path):
    model = Script(["old"], [call("ask")], ["new"])
    agent = agent_of(model, asker("Well?", bool))
    desk = await open_desk(tmp_path / "a.db", agent, policy=Policy(mode=Mode.ROLLBACK))
    await desk.say("one")
    await desk.settle(1)
    await desk.say("two")
    await desk.settle(0.3)
    await desk.say("three", override=Priority.NOW)
    await desk.settle(3)
    said = str(await desk.history())
    assert "two" not in said
    assert "one" in said
    assert "new" in said
    await desk.close()
