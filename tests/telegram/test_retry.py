"""Row 57 from a chat: /retry after a stop, a failure, a restart; refused, or nothing to retry."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, tool
from gateway.core.messages import UserMessage
from tests.acceptance.scripted import Script, call
from tests.acceptance.telegram import BOB, TelegramDesk
from tests.acceptance.telegram_agents import agent

pytestmark = pytest.mark.looptime
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 50


async def test_row_57_twice_and_after_a_restart_with_its_picture(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.photo(PNG, "count")
        for _ in range(2):
            await asyncio.sleep(4)
            ann.say("/stop")
            await asyncio.sleep(1)
            await desk.restart()
            ann.say("/retry")
            await ann.shows("[retrying] count")
        await ann.shows("19 20", within=60)
        await asyncio.sleep(3)
        assert sum("19 20" in text for text in ann.texts()) == 1
        said = [m for m in model.requests[-1].messages if isinstance(m, UserMessage)]
        assert [(m.text, len(m.attachments)) for m in said] == [("count", 1)]
        ann.say("/retry")
        await ann.shows("Nothing to retry")


async def test_row_57_refused_during_a_run(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("count")
        await asyncio.sleep(2)
        ann.say("/retry")
        await ann.shows("Something is running")


async def test_row_57_somebody_else_s_run_is_not_theirs_to_retry(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann, bob = desk.group(), desk.group(BOB, "Bob")
        ann.mention("count")
        await ann.shows("1 2 3")
        ann.say("/stop")
        await ann.shows("⏹ stopped")
        bob.say(f"/retry@{desk.bot.username}")
        await bob.shows("Nothing to retry")


async def test_row_57_after_a_failure_nothing_that_returned_runs_again(tmp_path: Path):
    ran = []

    @tool
    async def pay() -> str:
        """Pays."""
        ran.append(1)
        return "paid"

    model = Script([call("pay")], [RuntimeError("broken")], ["all done"])
    async with TelegramDesk(tmp_path, Agent("a", model, "", [pay])) as desk:
        desk.may_fail = True
        ann = desk.private()
        ann.say("go")
        await ann.shows("/retry")
        await desk.restart()
        ann.say("/retry")
        await ann.shows("all done")
        assert ran == [1]
