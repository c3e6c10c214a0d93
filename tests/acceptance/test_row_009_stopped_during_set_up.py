"""Row 9: a run stopped during set-up makes no model call."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent
from tests.acceptance.desk import Desk
from tests.acceptance.log import bodies
from tests.acceptance.scripted import Gate, Script, by_text

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("opens", [True, False])
async def test_a_stop_while_the_input_is_checked(tmp_path: Path, opens: bool):
    gate = Gate()

    async def check(text: str) -> None:
        if text == "go":
            await gate.wait()

    model = Script(["not for go"])
    async with Desk(tmp_path, Agent("tester", model, before_run=[check])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        await gate.reached.wait()
        began = desk.time()
        await ann.stop()
        if opens:
            gate.open()
        assert await ann.outcome(said, within=2) == ("interrupted", "USER_SIGINT")
        assert desk.time() - began <= (0.1 if opens else 0.7)
        await asyncio.sleep(5)
        assert model.requests == []
        log = await ann.export()
        assert bodies(log, "assistant") == []
        assert await ann.outcome(await ann.say("again")) == ("answered", "")


async def test_a_stop_while_the_run_waits_for_its_turn(tmp_path: Path):
    gate = Gate()
    model = Script(by_text(long=[gate, "done"], short=["not reached"]))
    async with Desk(tmp_path, Agent("tester", model), max_concurrent_runs=1) as desk:
        bob = await desk.person("bob", thread="local:bob")
        ann = await desk.person("ann", thread="local:ann")
        theirs = await bob.say("long")
        await gate.reached.wait()
        mine = await ann.say("short")
        await ann.frame("notice", within=1, code="WAITS_FOR_SLOT")
        await ann.stop()
        assert await ann.outcome(mine, within=0.5) == ("interrupted", "USER_SIGINT")
        gate.open()
        assert await bob.outcome(theirs) == ("answered", "")
        await asyncio.sleep(5)
        assert len(model.requests) == 1
