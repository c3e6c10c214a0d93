"""Row 70: a queued message changes, a running one is offered as a correction."""

import asyncio
from pathlib import Path

import pytest

from tests.acceptance.scripted import Script
from tests.acceptance.telegram import TelegramDesk
from tests.acceptance.telegram_agents import agent, said

pytestmark = pytest.mark.looptime


def heard(model: Script) -> list[str]:
    return [said(request) for request in model.requests]


async def test_a_queued_message_that_is_edited_changes(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester, queue_mode="enqueue") as desk:
        ann = desk.private()
        ann.say("slow")
        await asyncio.sleep(1)
        waiting = ann.say("echo old")
        await asyncio.sleep(1)
        ann.edit(waiting, "echo new words")
        ann.edit(waiting, "echo new words")
        await asyncio.sleep(1)
        await asyncio.sleep(40)
        assert "echo new words" in heard(model)
        assert "echo old" not in heard(model)


async def test_an_edit_of_what_is_worked_on_is_offered_as_a_correction(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        working = ann.say("slow")
        await asyncio.sleep(1)
        ann.edit(working, "slow")
        await asyncio.sleep(1)
        assert ann.texts() == []
        ann.edit(working, "hello instead")
        offer = await ann.asks("You changed a message")
        press = ann.press(offer, "Go on")
        assert await press.notice() == "Going on with the change."
        await ann.shows("hello there")
        assert heard(model)[-1] == "hello instead"
        await asyncio.sleep(2)
        assert offer.buttons == []


async def test_an_edit_of_a_command_or_of_what_is_done_does_nothing(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        done = ann.say("hello")
        await ann.shows("hello there")
        command = ann.say("/status")
        await ann.shows("Running")
        ann.edit(done, "hello twice")
        ann.edit(command, "/new")
        await asyncio.sleep(3)
        assert len(model.requests) == 1
        assert len(ann.texts()) == 2
