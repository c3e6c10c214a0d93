"""Questions that take several options: switches and Done."""

import asyncio
from pathlib import Path

import pytest

from tests.acceptance.telegram import BOB, TelegramDesk
from tests.acceptance.telegram_agents import agent

pytestmark = pytest.mark.looptime


async def test_switches_and_done_also_over_a_restart(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask sizes")
        question = await ann.asks("The sizes?")
        assert question.labels == ["☐ small", "☐ large", "☐ huge", "Done"]
        for label in ("huge", "small", "large"):
            assert await ann.press(question, label).notice() == ""
            await asyncio.sleep(1)
        assert question.labels == ["☑ small", "☑ large", "☑ huge", "Done"]
        await desk.kill()
        await desk.start()
        ann.press(question, "large")
        await asyncio.sleep(1)
        assert question.labels == ["☑ small", "☐ large", "☑ huge", "Done"]
        done = ann.press(question, "Done")
        assert await done.notice() == "Taken: small, huge"
        await ann.shows("sizes=['small', 'huge']")
        await asyncio.sleep(1)
        assert question.buttons == []
        assert question.text == "The sizes?\n\n✓ small, huge"


async def test_done_too_early_says_what_is_missing_and_the_question_stays(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask sizes")
        question = await ann.asks("The sizes?")
        early = ann.press(question, "Done")
        assert "one or more of: small" in await early.notice()
        assert early.alert
        assert question.buttons
        assert len(model.requests) == 1
        ann.say("small and huge")
        await ann.shows("sizes=['small', 'huge']")


async def test_a_press_that_is_delivered_again_switches_nothing(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask sizes")
        question = await ann.asks("The sizes?")
        ann.press(question, "large")
        update = desk.bot.updates[-1]
        await asyncio.sleep(1)
        desk.bot.put_again(update)
        await asyncio.sleep(1)
        assert question.labels[1] == "☑ large"


async def test_pages_keep_what_is_on_and_have_done_on_each(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask days")
        question = await ann.asks("The days?")
        assert question.labels[7:] == ["☐ day 8", "More ›", "Done"]
        ann.press(question, "day 2")
        await asyncio.sleep(1)
        ann.press(question, "More")
        await asyncio.sleep(1)
        assert question.labels == ["☐ day 9", "☐ day 10", "‹ Earlier", "Done"]
        ann.press(question, "day 10")
        await asyncio.sleep(1)
        assert question.labels == ["☐ day 9", "☑ day 10", "‹ Earlier", "Done"]
        ann.press(question, "Earlier")
        await asyncio.sleep(1)
        assert question.labels[1] == "☑ day 2"
        ann.press(question, "Done")
        await ann.shows("days=['day 2', 'day 10']")


async def test_only_the_person_asked_switches(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann, bob = desk.group(), desk.group(BOB, "Bob")
        ann.mention("ask sizes")
        question = await ann.asks("The sizes?")
        assert await bob.press(question, "large").notice() == "Somebody else is asked here."
        assert await bob.press(question, "Done").notice() == "Somebody else is asked here."
        await asyncio.sleep(1)
        assert question.labels == ["☐ small", "☐ large", "☐ huge", "Done"]


async def test_an_option_that_may_be_left_out_has_buttons(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask maybe")
        question = await ann.asks("The maybe?")
        assert question.labels == ["small", "large", "Skip"]
        ann.press(question, "large")
        await ann.shows("maybe=large")
