"""Row 26: NOW to a child stops the child only; so does a stop that names it."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, InterruptReason, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.library import program, soon
from tests.acceptance.log import results
from tests.acceptance.scripted import Script, call, messages

pytestmark = pytest.mark.looptime

MODES = ["steer", "enqueue", "collect", "interrupt", "rollback", "reject", "parallel"]


class Office:
    """An agent whose tool lets a researcher look things up, and a clerk who only counts."""

    def __init__(self) -> None:
        self.ends: list[tuple[str, InterruptReason | None]] = []
        self.digger = Script([call("dig")], ["dug"])
        self.model = Script([call("research"), call("count")], ["understood"])
        office = self

        @tool(behavior="COOPERATIVE")
        async def dig(context: ToolContext) -> str:
            """Digs for a minute, or until stopped."""
            try:
                await asyncio.wait_for(context.signal.wait(), 60)
            except TimeoutError:
                return "gold"
            context.signal.checkpoint()
            return "not reached"

        researcher = Agent("researcher", self.digger, "", [dig])

        @tool
        async def research(context: ToolContext) -> str:
            """Lets the researcher dig."""
            result = await context.run_child(researcher, "dig")
            assert result.end is not None
            office.ends.append((result.end.value, result.reason))
            return f"the researcher {result.end.value}"

        @tool
        async def count() -> str:
            """Counts."""
            return "three"

        self.agent = Agent("boss", self.model, "", [research, count])


STOPPED_CHILD = [
    ("user", "find out"),
    ("call", "research"),
    ("call", "count"),
    ("result", "the researcher interrupted"),
    ("result", "three"),
]


@pytest.mark.parametrize("mode", MODES)
async def test_now_to_a_child_stops_it_and_its_parent_reads_it(tmp_path: Path, mode: str):
    office = Office()
    async with Desk(tmp_path, office.agent, queue_mode=mode) as desk:
        ann = await desk.person("ann")
        said = await ann.say("find out")
        child = (await ann.frame("child", on=True))["data"]
        assert child["agent"] == "researcher"
        await asyncio.sleep(1)
        began = desk.time()
        urgent = await ann.say("look at the map", override="now", run=child["child"])
        assert await ann.outcome(urgent, within=2) == ("steered", "")
        assert await ann.outcome(said, within=2) == ("answered", "")
        assert desk.time() - began <= 0.7
        assert office.ends == [("interrupted", InterruptReason.NOW_PRIORITY_INPUT)]
        assert messages(office.model.requests[1]) == [*STOPPED_CHILD, ("user", "look at the map")]
        assert results(await ann.export())["count"] == ("three", None)
        assert len(office.digger.requests) == 1
        assert (await ann.frame("child", on=False))["data"]["child"] == child["child"]
        late = await ann.say("and now?", override="now", run=child["child"])
        assert await ann.outcome(late, within=2) == ("answered", "")


async def test_a_stop_that_names_a_child_stops_nothing_else(tmp_path: Path):
    office = Office()
    async with Desk(tmp_path, office.agent, queue_mode="enqueue") as desk:
        ann = await desk.person("ann")
        said = await ann.say("find out")
        child = (await ann.frame("child", on=True))["data"]["child"]
        waits = await ann.say("and then")
        stop = await ann.stop(run=child)
        assert await ann.outcome(stop, within=1) == ("handled", "STOPPED")
        assert await ann.outcome(said, within=2) == ("answered", "")
        assert await ann.outcome(waits, within=2) == ("answered", "")
        assert office.ends == [("interrupted", InterruptReason.USER_SIGINT)]
        assert messages(office.model.requests[1]) == STOPPED_CHILD
        again = await ann.stop(run=child)
        assert await ann.outcome(again, within=1) == ("handled", "NOTHING_TO_STOP")


async def test_nobody_stops_anothers_child(tmp_path: Path):
    office = Office()
    async with Desk(tmp_path, office.agent, shared=["local:team"]) as desk:
        ann = await desk.person("ann", thread="local:team")
        bob = await desk.person("bob", thread="local:team")
        await ann.say("find out")
        child = (await bob.frame("child", on=True))["data"]["child"]
        stop = await bob.stop(run=child)
        assert await bob.outcome(stop, within=1) == ("handled", "NOTHING_TO_STOP")
        now = await bob.say("hurry", override="now", run=child)
        await asyncio.sleep(5)
        assert office.ends == []
        assert await bob.outcome(now, within=90) == ("answered", "")
        assert office.ends == [("completed", None)]


async def test_who_comes_later_sees_the_child(tmp_path: Path):
    office = Office()
    async with Desk(tmp_path, office.agent) as desk:
        ann = await desk.person("ann")
        await ann.say("find out")
        child = (await ann.frame("child", on=True))["data"]["child"]
        other = await desk.person("ann")
        (run,) = other.frames[0]["data"]["snapshot"]["runs"]
        assert run["children"] == [{"child": child, "agent": "researcher"}]


async def test_a_program_addresses_a_child(tmp_path: Path):
    office = Office()
    async with program(tmp_path, office.agent) as gateway:
        handle = await gateway.start("find out", thread="t", principal="ann")
        await asyncio.sleep(1)
        (child,) = handle.children
        joined = await gateway.start(
            "look at the map", thread="t", principal="ann", priority="now", run=child
        )
        result = await soon(handle.result())
        assert (result.status, result.text) == ("completed", "understood")
        assert (await soon(joined.result())).run == handle.run
        assert office.ends == [("interrupted", InterruptReason.NOW_PRIORITY_INPUT)]
        assert handle.children == ()


async def test_a_program_stops_a_child(tmp_path: Path):
    for thread, reason in (("t", "USER_SIGINT"), (None, "TASK_CANCELLED")):
        office = Office()
        async with program(tmp_path, office.agent) as gateway:
            handle = await gateway.start("find out", thread=thread, principal="ann")
            await asyncio.sleep(1)
            (child,) = handle.children
            await handle.stop_child(child)
            assert (await soon(handle.result())).status == "completed"
            assert office.ends == [("interrupted", InterruptReason(reason))]
