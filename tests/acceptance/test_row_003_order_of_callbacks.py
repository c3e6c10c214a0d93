"""Row 3: listeners run before terminators, each in registration order, once."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime


async def test_listeners_then_terminators_in_order_once_for_two_stops(tmp_path: Path):
    order: list[str] = []
    over = asyncio.Event()

    @tool(behavior="EXTERNALLY_TERMINATED")
    async def work(context: ToolContext) -> str:
        """Registers three of each, interleaved."""
        assert context.registrar is not None
        for number in (1, 2, 3):
            context.registrar.register(partial(order.append, f"terminator {number}"))
            context.signal.on_cancel(partial(order.append, f"listener {number}"))
        removed = context.signal.on_cancel(lambda: order.append("removed"))
        removed.remove()
        removed.remove()
        await over.wait()
        return "over"

    model = Script([call("work")])
    async with Desk(tmp_path, Agent("tester", model, "", [work])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        await ann.frame("call", state="started")
        assert order == []
        await ann.stop()
        await ann.stop()
        await asyncio.sleep(0.1)
        over.set()
        assert await ann.outcome(said) == ("interrupted", "USER_SIGINT")
        await asyncio.sleep(1)
    listeners = [f"listener {n}" for n in (1, 2, 3)]
    assert order == listeners + [f"terminator {n}" for n in (1, 2, 3)]
