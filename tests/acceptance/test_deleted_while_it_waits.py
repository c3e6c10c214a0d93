"""What waits on a thread that is deleted comes to an end too: nobody waits for it for ever."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent
from tests.acceptance.agui import agui
from tests.acceptance.desk import Desk
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
