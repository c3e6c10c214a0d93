"""RACES rows as a person in a chat sees them; each test is named by its number."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.telegram import BOSS, TelegramDesk
from tests.acceptance.telegram_agents import agent, said

pytestmark = pytest.mark.looptime


def outcomes(rows):
    return [out for _, out in rows]


async def test_race_01_an_answer_stored_before_the_expiry_counts_and_a_late_one_is_told(
    tmp_path: Path,
):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask short")
        question = await ann.asks("The short?")
        data = question.buttons[0]["callback_data"]
        await asyncio.sleep(1001)
        await ann.shows("Nobody answered")
        press = ann.press_data(question, data)
        assert await press.notice()
        assert press.alert
        ann.say("yes")
        await ann.shows("came too late")
        await asyncio.sleep(2)
        assert sum(text.startswith("result") for text in ann.texts()) == 1


async def test_race_02_stop_first_then_a_press_is_told_and_its_keyboard_goes(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask bool")
        question = await ann.asks("The bool?")
        data = question.buttons[0]["callback_data"]
        ann.say("/stop")
        press = ann.press_data(question, data)
        await press.notice()
        await ann.shows("Stopped.")
        await asyncio.sleep(2)
        assert question.buttons == []
        assert len(model.requests) == 1
        assert await ann.press_data(question, data).notice() != "Taken: yes"


async def test_race_02_answer_first_then_a_stop(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask bool")
        question = await ann.asks("The bool?")
        await asyncio.sleep(0.5)
        ann.press(question, "yes")
        ann.say("/stop")
        await ann.shows("✓ yes")
        await asyncio.sleep(3)
        assert sum("Stopped" in text for text in ann.texts()) <= 1
        assert len(model.requests) <= 2


async def test_race_05_a_stop_gives_a_waiting_now_back(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("slow")
        await asyncio.sleep(1)
        ann.say("/later echo one")
        await asyncio.sleep(0.5)
        ann.say("/stop")
        await ann.asks("Not sent: echo one")
        await asyncio.sleep(5)
        assert "you said" not in ann.screen()


async def test_race_06_now_during_now_runs_both_in_order(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("count")
        await ann.shows("1 2 3")
        ann.say("/now hello one")
        ann.say("/now hello two")
        await ann.shows("hello there")
        await asyncio.sleep(3)
        assert ann.screen().count("⏹") == 1
        assert said(model.requests[-1]) == "hello two"


async def test_race_07_a_now_as_the_run_ends_leaves_the_reply_whole(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("hello")
        await ann.shows("hello there")
        ann.say("/now echo more")
        await ann.shows("you said")
        await asyncio.sleep(2)
        assert "⏹" not in ann.screen()
        assert ann.texts()[0] == "hello there"


@pytest.mark.parametrize("text", ["/now hello", "стоп, hello", "wait, hello"])
async def test_race_08_a_now_closes_the_question(tmp_path: Path, text: str):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask size")
        question = await ann.asks("The size?")
        ann.say(text)
        await asyncio.sleep(4)
        assert question.buttons == []
        assert "you went on" in question.text
        assert len(model.requests) == 2


async def test_race_16_what_was_written_before_the_question_is_no_answer(tmp_path: Path):
    """The message's number is below the prompt's, though it arrives after it."""
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask bool")
        early = ann.chat.add(ann.who.user(), "yes")
        question = await ann.asks("The bool?")
        await asyncio.sleep(1)
        desk.bot.put(message=early.json())
        await asyncio.sleep(3)
        assert question.buttons
        ann.say("yes")
        await ann.shows(lambda m: question.buttons == [])


async def test_race_17_a_press_proves_delivery_text_waits_for_it(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        gate = asyncio.Event()
        desk.server.fault("sendMessage", hold=gate)
        ann.say("ask bool")
        question = await ann.asks("The bool?")
        ann.say("yes")
        await asyncio.sleep(3)
        assert question.buttons
        ann.press(question, "no")
        await asyncio.sleep(2)
        gate.set()
        await ann.shows("bool=False", within=60)
        await asyncio.sleep(2)
        assert question.buttons == []


async def test_race_18_two_channels_the_first_decision_wins_and_the_other_folds(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, admins=[str(BOSS)]) as desk:
        boss = desk.private(BOSS, "Boss")
        desk_side = await desk.person(str(BOSS), thread=f"telegram:{BOSS}")
        boss.say("ask size")
        question = await boss.asks("The size?")
        data = question.buttons[0]["callback_data"]
        await desk_side.say("/status")
        await desk_side.frame("question")
        await desk_side.say("large")
        await boss.shows("size=large")
        await asyncio.sleep(1)
        assert question.buttons == []
        assert "decided already" in await boss.press_data(question, data).notice()


async def test_race_25_the_last_edit_writes_what_was_saved(tmp_path: Path):
    """A stop meets an edit in flight whose outcome nobody knows."""
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("count")
        await ann.shows("1 2 3")
        desk.server.fault("editMessageText", slow=2.0, lost="after")
        await asyncio.sleep(1.5)
        ann.say("/stop")
        await ann.shows("⏹ stopped")
        await asyncio.sleep(5)
        shown = ann.visible()[0].text.split("\n")[0]
        entries = await desk.app.store.entries("telegram:1001")
        saved = [e.body["text"] for e in entries if e.kind.value == "assistant"]
        assert [text.strip() for text in saved] == [shown]


async def test_race_26_second_thoughts(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask bool")
        question = await ann.asks("The bool?")
        ann.press(question, "yes")
        await asyncio.sleep(0.2)
        ann.say("нет, стой")
        await asyncio.sleep(3)
        assert question.text.endswith("✓ yes")


async def test_race_27_a_stop_behind_load(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("slow")
        await asyncio.sleep(1)
        others = [desk.private(3000 + n, f"P{n}") for n in range(50)]
        bot: Any = desk.app.bot
        bot.gate.allow.update(str(person.who.number) for person in others)
        for person in others:
            person.say("count")
        ann.say("/stop")
        await ann.shows("Stopped.", within=0.5)


async def test_race_17_an_approver_s_yes_waits_for_the_send_s_outcome(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, approvers=[str(BOSS)]) as desk:
        ann, boss = desk.private(), desk.private(BOSS, "Boss")
        gate = asyncio.Event()
        desk.server.fault("sendMessage", hold=gate, chat=BOSS)
        ann.say("boss")
        question = await boss.asks("May I?")
        boss.say("yes")
        await asyncio.sleep(3)
        assert question.buttons
        gate.set()
        await ann.shows("approved", within=60)
        assert await desk.inputs(f"telegram:{BOSS}") == []
