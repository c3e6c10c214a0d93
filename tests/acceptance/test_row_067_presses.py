"""Row 67: each press is acknowledged once, with the right notice, whatever goes on."""

import asyncio
from pathlib import Path

import pytest

from tests.acceptance.telegram import BOB, EVE, TelegramDesk
from tests.acceptance.telegram_agents import agent
from tests.fakes.telegram.faults import bad

pytestmark = pytest.mark.looptime


def results(desk, window):
    return [text for text in window.texts() if text.startswith("result")]


async def test_yes_by_button_folds_the_message(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask bool")
        question = await ann.asks("The bool?")
        assert question.labels == ["yes", "no"]
        assert all(len(b["callback_data"].encode()) <= 20 for b in question.buttons)
        press = ann.press(question, "yes")
        assert await press.notice() == "Taken: yes"
        await ann.shows("result: bool=True")
        await asyncio.sleep(1)
        assert question.buttons == []
        assert question.text.endswith("✓ yes")
        assert len(press.answers) == 1


async def test_a_double_press_is_one_decision_without_a_visible_error(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask bool")
        question = await ann.asks("The bool?")
        presses = [ann.press(question, "yes") for _ in range(3)]
        for press in presses:
            await press.notice()
        await ann.shows("result: bool=True")
        await asyncio.sleep(3)
        assert len(model.requests) == 2
        assert len(ann.texts()) == 2


async def test_a_stale_press_alerts_and_takes_the_keyboard_away(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask bool")
        question = await ann.asks("The bool?")
        data = question.buttons[0]["callback_data"]
        desk.server.fault("editMessageText", bad("something else"), message=question.id)
        desk.may_fail = True
        ann.say("yes")
        await ann.shows("result")
        await asyncio.sleep(2)
        assert question.buttons
        press = ann.press_data(question, data)
        assert "decided already" in await press.notice()
        assert press.alert
        await asyncio.sleep(1)
        assert question.buttons == []


async def test_an_old_button_never_answers_a_newer_question(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask bool")
        old = await ann.asks("The bool?")
        data = old.buttons[0]["callback_data"]
        ann.say("no")
        await ann.shows("bool=False")
        ann.say("ask bool")
        await asyncio.sleep(2)
        ann.press_data(old, data)
        new = ann.visible()[-1]
        ann.press_data(new, data)
        await asyncio.sleep(3)
        assert new.text.startswith("The bool?")
        assert new.buttons
        assert len(results(desk, ann)) == 1


async def test_somebody_else_s_press_gets_a_private_notice(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann, bob, eve = desk.group(), desk.group(BOB, "Bob"), desk.group(EVE, "Eve")
        ann.mention("ask bool")
        question = await ann.asks("The bool?")
        for other in (bob, eve):
            press = other.press(question, "yes")
            assert "Somebody else" in await press.notice()
            assert press.alert
        bob.say("yes", reply_to=question)
        eve.say("yes", reply_to=question)
        await asyncio.sleep(3)
        assert question.buttons
        ann.say("no", reply_to=question)
        await ann.shows("bool=False")


async def test_the_first_press_after_a_restart_works(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask size")
        question = await ann.asks("The size?")
        await desk.kill()
        await desk.start()
        press = ann.press(question, "large")
        assert await press.notice() == "Taken: large"
        await ann.shows("size=large")
        await asyncio.sleep(1)
        assert question.buttons == []


async def test_a_press_is_acknowledged_within_a_second_during_a_run(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, queue_mode="parallel") as desk:
        ann = desk.private()
        ann.say("ask bool")
        question = await ann.asks("The bool?")
        ann.say("slow it down please right now")
        await asyncio.sleep(1)
        assert await ann.press(question, "no").notice(within=1.0) == "Taken: no"


async def test_an_acknowledgement_that_times_out_still_removes_the_keyboard(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask bool")
        question = await ann.asks("The bool?")
        desk.server.fault("answerCallbackQuery", lost="before", times=5)
        ann.press(question, "yes")
        await ann.shows("bool=True")
        await asyncio.sleep(2)
        assert question.buttons == []
