"""Row 71: a long paste in pieces is one input, byte for byte; so is an album."""

import asyncio
from pathlib import Path

import pytest

from gateway.core.messages import UserMessage
from tests.acceptance.scripted import Script
from tests.acceptance.telegram import TelegramDesk
from tests.acceptance.telegram_agents import agent, said

pytestmark = pytest.mark.looptime

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 50


def heard(model: Script) -> list[str]:
    return [said(request) for request in model.requests]


async def test_a_long_paste_in_three_pieces_is_one_input(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        text = "".join(chr(97 + n % 26) if n % 7 else " " for n in range(9000))
        ann.paste(text[:4096], text[4096:8192], text[8192:])
        await ann.shows("ok")
        assert heard(model) == [text]
        await asyncio.sleep(1)
        assert await desk.inputs("telegram:1001") == [(text, "answered")]


async def test_a_long_text_alone_waits_for_no_more_than_a_moment(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("x" * 4000)
        await ann.shows("ok", within=2.0)
        assert len(model.requests) == 1


async def test_an_album_is_one_input_with_every_picture(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.photo(PNG + b"1", "what is this", album="a")
        ann.photo(PNG + b"2", album="a")
        ann.photo(PNG + b"3", album="a")
        await ann.shows("ok")
        message = model.requests[0].messages[-1]
        assert isinstance(message, UserMessage)
        assert message.text == "what is this"
        assert [a.media_type for a in message.attachments] == ["image/png"] * 3
        assert len({a.blob for a in message.attachments}) == 3


async def test_pieces_survive_a_kill_and_are_known_when_they_come_again(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("hello")
        await ann.shows("hello there")
        before = list(desk.bot.updates)
        ann.paste("y" * 4096, "y" * 4096)
        pieces = list(desk.bot.updates)[-2:]
        await asyncio.sleep(0.5)
        await desk.kill()
        await desk.start()
        ann.say("tail")
        pieces.append(desk.bot.updates[-1])
        await ann.shows("ok")
        await asyncio.sleep(5)
        assert "y" * 8192 + "tail" in heard(model)
        count = len(model.requests)
        for update in [*before, *pieces]:
            desk.bot.put_again(update)
        await asyncio.sleep(10)
        assert len(model.requests) == count


async def test_an_album_before_a_mention_counts_with_it(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.group()
        ann.photo(PNG + b"1", album="a")
        message = ann.photo(PNG + b"2", f"@{desk.bot.username} what is this", album="a")
        assert message.id
        await ann.shows("ok")
        last = model.requests[0].messages[-1]
        assert isinstance(last, UserMessage)
        assert len(last.attachments) == 2
