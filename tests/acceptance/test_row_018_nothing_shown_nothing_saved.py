"""Row 18: nothing shown, nothing saved."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent
from tests.acceptance.desk import Desk
from tests.acceptance.log import bodies
from tests.acceptance.scripted import Gate, Script, messages
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime


async def test_a_stop_before_the_first_delta(tmp_path: Path):
    gate = Gate()
    model = Script([gate, "too late"], ["next"])
    async with Desk(tmp_path, Agent("tester", model)) as desk:
        ann = await desk.person("ann")
        said = await ann.say("count")
        await gate.reached.wait()
        await ann.stop()
        assert await ann.outcome(said, within=1) == ("interrupted", "USER_SIGINT")
        gate.open()
        await asyncio.sleep(1)
        assert bodies(await ann.export(), "assistant") == []
        assert ann.texts() == []
        await ann.outcome(await ann.say("go on"))
        assert messages(model.requests[1]) == [("user", "count"), ("user", "go on")]


async def test_text_that_no_channel_showed_is_not_saved(tmp_path: Path):
    gate, dark = Gate(), FakeChannel("dark", share=0.0)
    model = Script(["all this text ", gate], ["next"])
    async with Desk(tmp_path, Agent("tester", model), channels=[dark], allow=["ann"]) as desk:
        ann = desk.member("ann", "dark:1", "dark")
        await ann.say("count")
        await gate.reached.wait()
        await ann.stop()
        await asyncio.sleep(1)
        export = await (await desk.person("ann", thread="dark:1")).export()
        assert bodies(export, "assistant") == []
        assert export["inputs"][0]["outcome"] == "interrupted"
