"""What a client that connects in the middle of something draws of it: nothing twice."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent
from gateway.channels.link import Who
from gateway.channels.terminal.view import View
from gateway.ports.store import AppendEntry, Write
from tests.acceptance.desk import THREAD, Desk
from tests.acceptance.faults import SlowToTell
from tests.acceptance.scripted import Gate, Script

pytestmark = pytest.mark.looptime


def logs(write: Write) -> bool:
    """Whether the log goes on with this."""
    return isinstance(write, AppendEntry)


@pytest.mark.parametrize("begun", [False, True])
async def test_a_terminal_that_comes_just_then_draws_everything_once(tmp_path: Path, begun: bool):
    gate, store = Gate(), SlowToTell(logs)
    agent = Agent("a", Script([gate, "one\n", "two"]), "")
    async with Desk(tmp_path, agent, wrap=store) as desk:
        ann = await desk.person("ann")
        if not begun:
            store.hold()
        await ann.say("go")
        if begun:
            await gate.reached.wait()
            store.hold()
            store.held.clear()
            gate.open()
        await store.held.wait()
        coming = asyncio.create_task(desk.person("ann"))
        await asyncio.sleep(1)
        store.release()
        there = await coming
        gate.open()
        await asyncio.sleep(1)
        lines: list[str] = []
        view = View(Who(THREAD, "ann", "en"), lines.append)
        for frame in there.frames:
            view.take(frame)
        assert lines == ["ann go", "one", "two"]
