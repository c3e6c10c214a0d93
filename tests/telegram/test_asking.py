"""Rows 38 to 54 as a chat shows them: the form, every way to answer, who may, and by when."""

import asyncio
from pathlib import Path

import pytest

from tests.acceptance.telegram import BOB, GROUP, TelegramDesk
from tests.acceptance.telegram_agents import agent

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize(
    ("language", "form"),
    [("en", "a number from 1 to 5"), ("ru", "число от 1 до 5")],
)
async def test_row_38_the_question_says_what_an_answer_looks_like(
    tmp_path: Path, language: str, form: str
):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private(language=language)
        ann.say("ask number")
        question = await ann.shows("The number?")
        assert form in question.text


@pytest.mark.parametrize("text", ["да", "yes"])
async def test_row_39_the_next_message_is_the_answer_of_the_same_run(tmp_path: Path, text: str):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private(language="ru")
        ann.say("ask bool")
        await ann.asks("The bool?")
        await asyncio.sleep(0.5)
        ann.say(text)
        await ann.shows("result: bool=True")
        await asyncio.sleep(2)
        rows = await desk.inputs("telegram:1001")
        assert [out for _, out in rows] == ["answered", "decided"]
        assert len(model.requests) == 2


@pytest.mark.parametrize(
    ("language", "label", "told"), [("en", "yes", "Taken: yes"), ("ru", "да", "Принято: да")]
)
async def test_row_40_by_button_in_both_languages(
    tmp_path: Path, language: str, label: str, told: str
):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private(language=language)
        ann.say("ask bool")
        question = await ann.asks("The bool?")
        assert await ann.press(question, label).notice() == told
        await ann.shows("bool=True")
        await asyncio.sleep(1)
        assert question.text.endswith(f"✓ {label}")


async def test_row_40_what_was_repaired_is_echoed(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private(language="ru")
        ann.say("ask bool")
        await ann.asks("The bool?")
        await asyncio.sleep(0.5)
        ann.say("lf")
        await ann.shows("The bool? ✓ да")
        await ann.shows("bool=True")


@pytest.mark.parametrize(
    ("language", "closed"), [("en", "The question is closed"), ("ru", "Вопрос закрыт")]
)
async def test_row_42_after_the_third_unclear_answer_it_is_told_closed(
    tmp_path: Path, language: str, closed: str
):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private(language=language)
        ann.say("ask bool")
        await ann.asks("The bool?")
        for asked in (2, 3):
            await asyncio.sleep(1)
            ann.say("maybe")
            await asyncio.sleep(1)
            assert sum("The bool?" in text for text in ann.texts()) == asked
        await asyncio.sleep(1)
        ann.say("maybe")
        await ann.shows(closed)
        await asyncio.sleep(2)
        assert all(not m.buttons for m in ann.visible())


@pytest.mark.parametrize(
    ("after", "outcome"), [(999.0, "decided"), (1000.0, "refused"), (1003.0, "refused")]
)
async def test_row_47_before_at_and_after_the_expiry(tmp_path: Path, after: float, outcome: str):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask short")
        await ann.asks("The short?")
        await asyncio.sleep(0.5)
        (question,) = await desk.app.store.questions(open_only=True)
        assert question.expires_at is not None
        left = (question.expires_at - desk.clock.now()).total_seconds()
        await asyncio.sleep(left - 1000.0 + after)
        ann.say("yes")
        await asyncio.sleep(5)
        assert (await desk.inputs("telegram:1001"))[-1] == ("yes", outcome)
        assert ("came too late" in ann.screen()) is (outcome == "refused")
        assert ("Nobody answered" in ann.screen()) is (outcome == "refused")
        assert ("short=True" in ann.screen()) is (outcome == "decided")


async def test_row_52_another_member_s_yes_is_no_answer(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann, bob = desk.group(), desk.group(BOB, "Bob")
        ann.mention("deploy")
        question = await ann.asks("May deploy run?")
        await asyncio.sleep(0.5)
        bob.say("да", reply_to=question)
        bob.mention("yes")
        await asyncio.sleep(3)
        assert question.buttons
        assert "deployed" not in ann.screen()
        ann.press(question, "Deny")
        await ann.shows("Denied")
        await asyncio.sleep(5)
        rows = await desk.inputs(f"telegram:{GROUP}")
        assert [out for text, out in rows if text in ("да", "yes")] == ["answered", "answered"]


async def test_row_53_a_bare_answer_that_fits_two_asks_which(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, queue_mode="parallel") as desk:
        ann = desk.private()
        ann.say("ask bool")
        await ann.asks("The bool?")
        ann.say("/next ask short")
        second = await ann.asks("The short?")
        await asyncio.sleep(1)
        ann.say("yes")
        await ann.shows("Which question do you answer?")
        assert second.buttons
        ann.press(second, "no")
        await ann.shows("short=False")
        ann.say("yes")
        await ann.shows("bool=True")


async def test_row_54_after_an_undelivered_prompt_the_next_message_is_an_input(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        desk.may_fail = True
        ann = desk.private()
        ann.chat.refuses = "Forbidden: user is deactivated"
        ann.say("ask bool")
        await asyncio.sleep(3)
        ann.chat.refuses = ""
        ann.say("yes")
        await asyncio.sleep(3)
        rows = await desk.inputs("telegram:1001")
        assert [out for _, out in rows] == ["answered", "answered"]
        assert "could not be delivered" in str(model.requests[1].messages[-1])
