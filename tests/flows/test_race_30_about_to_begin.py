"""RACES 30 and 2: between a stop at the door and its storing no task of that person's begins."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, tool
from gateway.core.errors import StoreFailed
from tests.acceptance.desk import Desk
from tests.acceptance.faults import HoldingStore
from tests.acceptance.log import results
from tests.acceptance.scripted import Gate, Script, call
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime


async def test_a_run_that_was_about_to_begin_does_not_begin(tmp_path: Path):
    store, model = HoldingStore(), Script(["never"])
    async with Desk(tmp_path, Agent("tester", model), wrap=store) as desk:
        ann = await desk.person("ann")
        store.hold()
        said = await ann.say("go")
        store.hold_accepts()
        await ann.send({"type": "stop", "id": "stop"})
        await asyncio.sleep(0.1)
        store.release()
        await asyncio.sleep(5)
        assert model.requests == []
        store.release_accepts()
        assert (await ann.outcome(said, within=1))[1] == "USER_SIGINT"
        await asyncio.sleep(5)
        assert model.requests == []


@pytest.mark.parametrize("behind", [False, True])
@pytest.mark.parametrize("how", ["approve", "answer"])
async def test_a_run_that_was_about_to_go_on_with_an_answer_does_not(
    tmp_path: Path, how: str, behind: bool
):
    """The answer is being stored as decided, or still `behind` something else in the mailbox."""
    ran: list[str] = []
    store = HoldingStore()

    @tool(approval=True)
    async def wipe() -> str:
        """Must not run."""
        ran.append("wipe")
        return "wiped"

    model = Script([call("wipe")], ["never"])
    async with Desk(tmp_path, Agent("tester", model, "", [wipe]), wrap=store) as desk:
        ann = await desk.person("ann")
        said = await ann.say("wipe it")
        question = await ann.frame("question", within=1)
        await asyncio.sleep(1)
        store.hold()
        if behind:
            await ann.say("/status")
        decided = await (ann.press(question, "approve") if how == "approve" else ann.say("yes"))
        store.hold_accepts()
        await ann.send({"type": "stop", "id": "stop"})
        await asyncio.sleep(0.1)
        store.release()
        await asyncio.sleep(5)
        assert ran == []
        store.release_accepts()
        assert await ann.outcome(said, within=1) == ("interrupted", "USER_SIGINT")
        assert (await ann.outcome(decided))[0] == "decided"
        await asyncio.sleep(5)
        assert ran == []
        assert len(model.requests) == 1
        assert results(await ann.export())["wipe"][1] is not None


async def test_a_run_that_waits_for_its_turn_does_not_begin(tmp_path: Path):
    store, gate = HoldingStore(), Gate()
    model = Script(["long ", gate], ["never"])
    agent = Agent("tester", model)
    async with Desk(tmp_path, agent, wrap=store, max_concurrent_runs=1) as desk:
        bob = await desk.person("bob", thread="local:bob")
        ann = await desk.person("ann", thread="local:ann")
        theirs = await bob.say("long")
        await gate.reached.wait()
        mine = await ann.say("short")
        await ann.frame("notice", within=1, code="WAITS_FOR_SLOT")
        store.hold_accepts()
        await ann.send({"type": "stop", "id": "stop"})
        await asyncio.sleep(0.1)
        gate.open()
        assert await bob.outcome(theirs, within=1) == ("answered", "")
        await asyncio.sleep(5)
        assert len(model.requests) == 1
        store.release_accepts()
        assert await ann.outcome(mine, within=1) == ("interrupted", "USER_SIGINT")
        assert await bob.outcome(await bob.say("again"), within=1) == ("answered", "")


@pytest.mark.parametrize("started", [False, True])
async def test_a_stop_that_could_not_be_stored_holds_nothing_back(tmp_path: Path, started: bool):
    """A run that ran was stopped all the same; one that was about to begin begins."""
    store, gate = HoldingStore(), Gate()
    model = Script(["one ", gate] if started else ["fine"], ["fine"])
    async with Desk(tmp_path, Agent("tester", model), wrap=store, queue_mode="enqueue") as desk:
        ann = await desk.person("ann")
        if not started:
            store.hold()
        first = await ann.say("one")
        if started:
            await gate.reached.wait()
        second = await ann.say("two")
        store.hold_accepts()
        await ann.send({"type": "stop", "id": "stop"})
        await asyncio.sleep(0.1)
        store.release()
        await asyncio.sleep(1)
        store.release_accepts(StoreFailed("STORE_FULL"))
        assert (await ann.frame("receipt", code="STORE_FULL"))["id"] == "stop"
        outcome = await ann.outcome(first, within=1)
        assert outcome == (("interrupted", "USER_SIGINT") if started else ("answered", ""))
        assert await ann.outcome(second, within=1) == ("answered", "")
        assert await ann.outcome(await ann.say("three"), within=1) == ("answered", "")


async def test_a_stop_while_a_thread_is_taken_up_after_a_crash_lets_its_run_not_go_on(
    tmp_path: Path,
):
    gate, store, fake = Gate(), HoldingStore(), FakeChannel("fake", share=1.0)
    model = Script(["one ", gate], ["never"])
    agent = Agent("tester", model)
    async with Desk(tmp_path, agent, channels=[fake], allow=["ann"], wrap=store) as desk:
        ann = desk.member("ann", "fake:1", "fake")
        await ann.say("one")
        await gate.reached.wait()
        await desk.kill()
        store.hold()
        await desk.start()
        store.hold_accepts()
        stopping = asyncio.create_task(ann.stop())
        await asyncio.sleep(0.1)
        store.release()
        await asyncio.sleep(5)
        assert len(model.requests) == 1
        store.release_accepts()
        assert (await stopping).code == ""
        await asyncio.sleep(1)
        rows = (await (await desk.person("ann", thread="fake:1")).export())["inputs"]
        assert (rows[0]["outcome"], rows[0]["detail"]) == ("interrupted", "USER_SIGINT")
        assert len(model.requests) == 1


async def test_a_retry_behind_the_stop_does_not_begin(tmp_path: Path):
    store = HoldingStore()
    model = Script(["one ", 1000.0], ["never"])
    async with Desk(tmp_path, Agent("tester", model), wrap=store) as desk:
        ann = await desk.person("ann")
        first = await ann.say("one")
        await ann.shows("one")
        await ann.stop()
        assert await ann.outcome(first, within=1) == ("interrupted", "USER_SIGINT")
        store.hold()
        await ann.say("/status")
        again = await ann.say("/retry")
        store.hold_accepts()
        await ann.send({"type": "stop", "id": "stop"})
        await asyncio.sleep(0.1)
        store.release()
        await asyncio.sleep(5)
        assert len(model.requests) == 1
        store.release_accepts()
        assert (await ann.outcome(again, within=1))[1] == "USER_SIGINT"
        await asyncio.sleep(5)
        assert len(model.requests) == 1
