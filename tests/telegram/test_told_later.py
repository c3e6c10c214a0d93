"""What Telegram tells of a question while the storage is stuck is heeded once it is not."""

import asyncio
from pathlib import Path

import pytest

from tests.acceptance.faults import HoldingStore, StuckThenFailing
from tests.acceptance.telegram import TelegramDesk
from tests.acceptance.telegram_agents import agent
from tests.fakes.telegram.people import Window

pytestmark = pytest.mark.looptime
STUCK_SECONDS = 30


async def asks_late(desk: TelegramDesk, store: HoldingStore) -> Window:
    """A question arrives when nobody waits for that any more, and the storage is stuck by then."""
    desk.may_fail = True  # the fake server finds nobody there to hang up on
    ann = desk.private()
    desk.server.fault("sendMessage", times=2, slow=14.0, lost="before")
    ann.say("ask bool")
    await asyncio.sleep(15)
    store.hold()
    ann.say("/queue")
    await ann.asks("The bool?")
    return ann


async def test_a_prompt_that_arrives_late_is_answered_by_a_text(tmp_path: Path):
    tester, _ = agent()
    store = HoldingStore()
    async with TelegramDesk(tmp_path, tester, wrap=store) as desk:
        ann = await asks_late(desk, store)
        await asyncio.sleep(STUCK_SECONDS)
        store.release()
        await asyncio.sleep(1)
        ann.say("yes")
        await ann.shows("result: bool=True")


async def test_a_chat_that_is_lost_ends_what_is_asked_there(tmp_path: Path):
    tester, _ = agent()
    store = HoldingStore()
    async with TelegramDesk(tmp_path, tester, wrap=store) as desk:
        ann = desk.private()
        ann.say("ask bool")
        await ann.asks("The bool?")
        store.hold()
        ann.say("/queue")
        await asyncio.sleep(1)
        ann.block()
        await asyncio.sleep(STUCK_SECONDS)
        assert await desk.app.store.questions(open_only=True)
        store.release()
        await asyncio.sleep(1)
        assert not await desk.app.store.questions(open_only=True)


async def test_what_a_storage_fails_with_that_was_stuck_is_heeded_all_the_same(tmp_path: Path):
    tester, _ = agent()
    store = StuckThenFailing()
    async with TelegramDesk(tmp_path, tester, wrap=store) as desk:
        ann = await asks_late(desk, store)
        store.failing.code = "STORE_LOCKED"
        await asyncio.sleep(STUCK_SECONDS)
        store.release()
        await asyncio.sleep(STUCK_SECONDS)
        store.failing.code = ""
        await asyncio.sleep(STUCK_SECONDS)
        ann.say("yes")
        await ann.shows("result: bool=True")
