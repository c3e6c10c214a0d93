"""Turns of protocols without streams of their own, and what is decided while they look it up."""

import asyncio
from pathlib import Path

import pytest

from tests.acceptance.asking import REGION, asking_agent
from tests.acceptance.desk import Desk
from tests.acceptance.faults import SlowRead
from tests.acceptance.scripted import Gate
from tests.mcp.editors import Window, editing

pytestmark = pytest.mark.looptime


async def test_what_was_decided_elsewhere_just_then_is_followed_to_its_end(tmp_path: Path):
    slow, agent = SlowRead("questions"), asking_agent(REGION, ["on"])
    window = Window(forms=[{"answer": "us"}], after=5)
    async with Desk(tmp_path, agent, wrap=slow) as desk, editing(desk, window) as editor:
        await editor.new()
        slow.gate = gate = Gate()
        going = asyncio.create_task(editor.prompt("go"))
        await gate.reached.wait()
        slow.gate = None
        router = desk.app.router
        (thread,) = await desk.app.store.threads()
        (asked,) = await router.waits_on(thread.id, thread.owner)
        await router.resume(thread.id, thread.owner, {asked.id: "eu"}, "local")
        await asyncio.sleep(1)
        gate.open()
        assert await going == "end_turn"
        assert window.said() == "on"
