"""A message goes in, the reply comes out: the shortest way through everything."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent
from tests.acceptance.scripted import Script
from tests.acceptance.telegram import TelegramDesk

pytestmark = pytest.mark.looptime


async def test_a_person_writes_and_is_answered(tmp_path: Path):
    model = Script(["Hello ", 0.5, "Ann, ", 3.0, "how are you?"])
    async with TelegramDesk(tmp_path, Agent("a", model, "")) as desk:
        ann = desk.private()
        ann.say("hi")
        await ann.shows("how are you?")
        await asyncio.sleep(5)
        assert ann.texts() == ["Hello Ann, how are you?"]
        assert await desk.inputs("telegram:1001") == [("hi", "answered")]
        assert desk.bot.confirmed == 1001


async def test_it_goes_on_after_a_restart(tmp_path: Path):
    async with TelegramDesk(tmp_path, Agent("a", Script(["one"], ["two"]), "")) as desk:
        ann = desk.private()
        ann.say("hi")
        await ann.shows("one")
        await desk.restart()
        ann.say("again")
        await ann.shows("two")
        assert ann.texts() == ["one", "two"]
        assert [text for text, _ in await desk.inputs("telegram:1001")] == ["hi", "again"]
