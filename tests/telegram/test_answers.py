"""Answers from a chat: what counts, what never does, and what becomes of a question."""

import asyncio
from pathlib import Path

import pytest

from tests.acceptance.telegram import BOSS, EVE, TelegramDesk
from tests.acceptance.telegram_agents import agent

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("text", ["не надо", "yes but not now", "no problem", "да нет", "maybe"])
async def test_row_41_unclear_never_approves(tmp_path: Path, text: str):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private(language="ru")
        ann.say("deploy")
        await ann.asks("deploy")
        ann.say(text)
        await asyncio.sleep(5)
        assert "deployed" not in ann.screen()


@pytest.mark.parametrize(
    ("text", "seen"),
    [("отмена", "✗ Отклонено"), ("cancel", "✗ Отклонено"), ("/отмена", "✗ Отклонено")],
)
async def test_row_43_controls_are_no_answers(tmp_path: Path, text: str, seen: str):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private(language="ru")
        ann.say("ask size")
        question = await ann.asks("The size?")
        ann.say("помощь")
        ann.say("повтори")
        await asyncio.sleep(2)
        ann.say(text)
        await asyncio.sleep(2)
        assert question.text.endswith(seen)
        assert question.buttons == []
        assert len(model.requests) == 1


async def test_row_44_limits_hold_and_the_problem_is_said_once(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private(language="ru")
        ann.say("ask number")
        await ann.shows("The number?")
        ann.say("7")
        await asyncio.sleep(2)
        assert len(ann.texts()) == 2
        assert "5" in ann.texts()[1]
        ann.say("пять")
        await ann.shows("number=5")


async def test_row_48_a_new_request_closes_the_question_and_is_answered(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask size")
        question = await ann.asks("The size?")
        ann.say("hello could you tell me about the weather")
        await ann.shows("hello there")
        await asyncio.sleep(1)
        assert "you went on" in question.text
        assert question.buttons == []


async def test_row_42_the_third_unclear_answer_releases_the_question(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask number")
        await ann.shows("The number?")
        for text in ("7", "8", "9"):
            ann.say(text)
            await asyncio.sleep(1)
        await ann.shows("going on with your message")


async def test_row_50_contradicting_presses_make_one_decision(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("deploy")
        question = await ann.asks("May deploy run?")
        data = {b["text"]: b["callback_data"] for b in question.buttons}
        presses = [
            ann.press_data(question, data[label])
            for label in ("Approve", "Approve", "Deny", "Approve")
        ]
        for press in presses:
            await press.notice()
        await ann.shows("deployed to eu")
        await asyncio.sleep(2)
        assert question.text.endswith("✓ Approved")
        assert len(model.requests) == 2


async def test_row_52_ids_and_the_digest_stay_here(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("deploy")
        await ann.asks("May deploy run?")
        (asked,) = await desk.app.store.questions(open_only=True)
        wire = str(desk.bot.calls)
        assert asked.arguments_digest not in wire
        assert asked.id not in wire


async def test_row_53_two_open_questions_are_told_apart(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, queue_mode="parallel") as desk:
        ann = desk.private()
        ann.say("ask bool")
        first = await ann.asks("The bool?")
        ann.say("/next ask size")
        await ann.asks("The size?")
        ann.say("2: large")
        await ann.shows("size=large")
        ann.say("yes", reply_to=first)
        await ann.shows("bool=True")


async def test_row_56_what_is_asked_can_be_cancelled_after_a_restart(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask size")
        question = await ann.asks("The size?")
        await asyncio.sleep(1)
        await desk.restart()
        ann.say("/questions")
        await ann.shows("The size?")
        operator = await desk.person("op", thread="local:op")
        await asyncio.sleep(1)
        assert operator is not None
        count = await desk.app.router.cancel_pause("telegram:1001", "1001")
        assert count == 1
        await asyncio.sleep(1)
        assert question.buttons == []


async def test_row_106_an_approver_s_right_withdrawn_before_the_tool_runs(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester, approvers=[str(BOSS)]) as desk:
        ann, boss = desk.private(), desk.private(BOSS, "Boss")
        ann.say("boss")
        question = await boss.asks("May I?")
        desk.app.router.wiring.access.withdraw(str(BOSS))
        press = boss.press(question, "Approve")
        assert await press.notice() != "Taken: Approve"
        await asyncio.sleep(2)
        assert len(model.requests) == 1


async def test_row_110_the_customer_can_t_decide_for_the_approver(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester, approvers=[str(BOSS)]) as desk:
        ann, boss, eve = desk.private(), desk.private(BOSS, "Boss"), desk.private(EVE, "Eve")
        ann.say("boss")
        question = await boss.asks("May I?")
        for other in (ann, eve):
            press = other.press_data(question, question.buttons[0]["callback_data"])
            assert "Somebody else" in await press.notice()
        boss.say("hello there my friend, how are you today")
        await boss.shows("hello there")
        assert question.buttons
        boss.say("no", reply_to=question)
        await asyncio.sleep(2)
        assert question.text.endswith("✗ Denied")
        assert len(model.requests) == 3
