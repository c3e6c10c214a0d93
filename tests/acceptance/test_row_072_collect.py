"""Row 72: `collect` names each sender and keeps every attachment."""

import asyncio
from pathlib import Path

import pytest

from gateway.core.messages import UserMessage
from tests.acceptance.telegram import BOB, TelegramDesk
from tests.acceptance.telegram_agents import agent

pytestmark = pytest.mark.looptime

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 50


async def test_row_72_collect_names_each_sender_and_keeps_every_attachment(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester, shared_queue_mode="collect") as desk:
        ann, bob = desk.group(), desk.group(BOB, "Bob")
        ann.mention("hello")
        await ann.shows("hello there")
        await asyncio.sleep(2)
        ann.photo(PNG + b"1", f"@{desk.bot.username} mine")
        bob.photo(PNG + b"2", f"@{desk.bot.username} yours")
        await asyncio.sleep(6)
        last = [m for m in model.requests[-1].messages if isinstance(m, UserMessage)][-2:]
        assert {m.sender for m in last} == {"Ann", "Bob"}
        assert all(len(m.attachments) == 1 for m in last)
        assert len(model.requests) == 2
