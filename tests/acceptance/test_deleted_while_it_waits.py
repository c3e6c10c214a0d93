"""What waits on a thread that is deleted comes to an end too: nobody waits for it for ever."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent
from tests.acceptance.agui import agui
from tests.acceptance.desk import THREAD, Desk
from tests.acceptance.faults import SlowRead
from tests.acceptance.rest import rest
from tests.acceptance.scripted import Gate, Script

pytestmark = pytest.mark.looptime


async def test_over_rest_it_is_given_back(tmp_path: Path):
    gate = Gate()
    agent = Agent("a", Script(["one", gate]))
    async with Desk(tmp_path, agent) as desk, rest(desk) as me, asyncio.timeout(300):
        await me.start("hi")
        await gate.reached.wait()
        later = {"input": "more", "thread": "t", "priority": "later"}
        events = me.stream("POST", "/v1/runs", later)
        await events.until("queued")
        assert (await me.ask("DELETE", "/v1/threads/t"))[0] == 200
        over = await events.finish()
        assert (over["status"], over["reason"]) == ("interrupted", "SESSION_RELEASED")
        assert over["undelivered"] == ["more"]


async def test_over_agui_it_is_cancelled(tmp_path: Path):
    gate = Gate()
    agent = Agent("tester", Script(["one", gate]))
    async with Desk(tmp_path, agent) as desk, agui(desk) as me, asyncio.timeout(300):
        first = me.open(me.input("hi"))
        await gate.reached.wait()
        wishes = {"bargein": {"priority": "later"}}
        second = me.open(me.input("more", forwardedProps=wishes))
        await asyncio.sleep(1)
        (thread,) = await desk.app.store.threads(None)
        await desk.app.router.delete(thread.id, thread.owner)
        assert [(await one.done()).outcome for one in (first, second)] == ["cancelled"] * 2


async def test_a_thread_that_is_gone_may_be_rung(tmp_path: Path):
    """A doorbell may come too late; that is no error of the operator's."""
    async with Desk(tmp_path, Agent("a", Script(["one"]))) as desk:
        ann = await desk.person("ann")
        await ann.outcome(await ann.say("hi"))
        await ann.call("threads.delete", thread=THREAD)
        desk.app.router.ring(THREAD)
        await asyncio.sleep(1)
        assert desk.failures() == []


@pytest.mark.parametrize("works", [False, True])
async def test_who_comes_while_it_is_deleted_finds_nothing_of_it(tmp_path: Path, works: bool):
    """Between its release and the storage's word that it is gone."""
    deletes, gate, store = Gate(), Gate(), SlowRead("delete_thread")
    agent = Agent("a", Script(["one"], [gate, "two"]))
    async with Desk(tmp_path, agent, wrap=store) as desk:
        desk.may_fail = works  # its run is cut off from a thread that is gone
        ann = await desk.person("ann")
        await ann.outcome(await ann.say("hi"))
        store.gate = deletes
        deleting = asyncio.create_task(ann.call("threads.delete", thread=THREAD))
        await deletes.reached.wait()
        came = await desk.person("ann")
        if works:
            await came.say("and more")
            await gate.reached.wait()
        deletes.open()
        await deleting
        assert (await came.frame("bye"))["data"]["reason"] == "deleted"
        late = await desk.person("ann")
        assert late.frames[0]["data"]["snapshot"]["entries"] == []
        assert late.frames[0]["data"]["snapshot"]["runs"] == []
        gate.open()
        await late.outcome(await late.say("anew"))
        said = [entry["body"]["text"] for entry in (await late.export())["entries"]]
        assert said == ["anew", "two"]
