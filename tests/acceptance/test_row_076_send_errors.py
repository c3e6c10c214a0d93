"""Row 76: send errors are classed, each with its own consequence."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent
from tests.acceptance.scripted import Script
from tests.acceptance.telegram import GROUP, TelegramDesk
from tests.acceptance.telegram_agents import agent
from tests.fakes.telegram.faults import BLOCKED, Refusal, bad

pytestmark = pytest.mark.looptime


def saying(*steps) -> Agent:
    return Agent("a", Script(*steps), "")


async def test_an_entity_error_is_sent_once_more_as_plain_text(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying(["this is **bold** text"])) as desk:
        ann = desk.private()
        desk.server.fault("editMessageText", bad("can't parse entities: x"))
        ann.say("hi")
        await asyncio.sleep(5)
        assert ann.texts() == ["this is **bold** text"]
        ann.say("again")
        await asyncio.sleep(5)
        assert ann.texts()[1] == "this is bold text"
        assert ann.visible()[1].entities[0]["type"] == "bold"


async def test_a_reply_target_that_is_gone_is_left_out(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying([1.0, "one two three"])) as desk:
        ann = desk.group()
        said = ann.mention("hi")
        await asyncio.sleep(0.5)
        ann.delete(said)
        await ann.shows("one two three")
        assert ann.visible()[0].reply_to is None


async def test_other_refusals_are_dead_letters(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying(["one two"], ["three four"])) as desk:
        desk.may_fail = True
        ann = desk.private()
        desk.server.fault("sendMessage", bad("TOPIC_CLOSED"))
        ann.say("hi")
        await asyncio.sleep(5)
        assert ann.texts() == []
        ann.say("again")
        await ann.shows("three four")
        await asyncio.sleep(2)
        assert len(desk.calls("sendMessage")) == 2


async def test_a_5xx_is_tried_again(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying(["one two three four"])) as desk:
        ann = desk.private()
        for method in ("sendMessage", "editMessageText"):
            desk.server.fault(method, Refusal(502, "Bad Gateway"), times=3)
        ann.say("hi")
        await ann.shows("three four")
        assert ann.texts() == ["one two three four"]


async def test_a_blocked_bot_tries_once_and_goes_on_after_it_is_unblocked(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying(["one two"], ["three four"])) as desk:
        ann = desk.private()
        ann.chat.refuses = "Forbidden: bot was blocked by the user"
        ann.say("hi")
        await asyncio.sleep(60)
        assert len(desk.calls("sendMessage")) == 1
        await desk.restart()
        ann.unblock()
        ann.say("again")
        await ann.shows("three four")


async def test_a_403_at_the_prompt_is_one_attempt(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        desk.server.fault("sendMessage", Refusal(403, BLOCKED))
        ann.say("ask bool")
        await asyncio.sleep(10)
        assert len(desk.calls("sendMessage")) == 1
        assert "could not be delivered" in str(model.requests[-1].messages[-1])


async def test_blocking_the_bot_cancels_what_is_asked_there(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask bool")
        await ann.asks("The bool?")
        await asyncio.sleep(1)
        ann.block()
        await asyncio.sleep(5)
        assert "could not be delivered" in str(model.requests[-1].messages[-1])
        ann.unblock()
        ann.say("hello")
        await ann.shows("hello there")


async def test_a_group_that_moves_keeps_its_conversation(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.group()
        ann.mention("hello one")
        await ann.shows("hello there")
        moved = ann.migrate(-1009)
        moved.mention("hello two")
        await moved.shows("hello there")
        assert len(model.requests[1].messages) == 3
        await desk.restart()
        moved.mention("echo three")
        await moved.shows("you said")
        assert len(await desk.inputs(f"telegram:{GROUP}")) == 3
