"""Row 70: a queued message changes, a running one is offered as a correction."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.scripted import Script
from tests.acceptance.telegram import TelegramDesk
from tests.acceptance.telegram_agents import agent, said

pytestmark = pytest.mark.looptime
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 50


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


@pytest.mark.parametrize("killed", [False, True])
async def test_a_piece_that_is_edited_while_it_waits_changes(tmp_path: Path, killed: bool):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        first, _ = ann.paste("a" * 4096, "b" * 4096)
        await asyncio.sleep(0.5)
        ann.edit(first, "x" * 4096)
        ann.edit(first, "c" * 4000)
        await asyncio.sleep(0.5)
        if killed:
            await desk.kill()
            await desk.start()
        await ann.shows("ok")
        await asyncio.sleep(5)
        whole = "c" * 4000 + "b" * 4096
        assert heard(model) == [whole]
        assert await desk.inputs("telegram:1001") == [(whole, "answered")]


async def test_what_is_edited_while_it_waits_behind_a_piece_changes(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        pictures = [ann.photo(PNG, "one", album="a"), ann.photo(PNG, album="a")]
        await asyncio.sleep(0.3)
        ann.edit(pictures[1], " and two")
        desk.server.fault("file", slow=3.0)
        behind = ann.say("echo old")
        await asyncio.sleep(1)
        ann.edit(behind, "/new")
        ann.edit(behind, "echo new words")
        await asyncio.sleep(30)
        said = [text for text, _ in await desk.inputs("telegram:1001")]
        assert said == ["one and two", "echo new words"]
        assert "echo new words" in heard(model)


@pytest.mark.parametrize("fault", [{"slow": 3.0}, {"slow": 3.0, "lost": "before"}])
async def test_what_is_edited_while_its_file_is_fetched_changes(tmp_path: Path, fault: Any):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, queue_mode="enqueue") as desk:
        ann = desk.private()
        ann.say("slow")
        await asyncio.sleep(1)
        desk.server.fault("file", **fault)
        note = ann.document(b"words", "a.txt", "text/plain", "echo old")
        await asyncio.sleep(1)
        ann.edit(note, "echo new words")
        await asyncio.sleep(60)
        said = [text for text, _ in await desk.inputs("telegram:1001")]
        assert said == ["slow", "echo new words"]
