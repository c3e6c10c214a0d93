"""Rows 65, 66, 106: everybody is reached at once, checks keep their order, rights are asked."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.scripted import Script, call
from tests.acceptance.telegram import BOB, BOSS, EVE, GROUP, TelegramDesk
from tests.acceptance.telegram_agents import agent

pytestmark = pytest.mark.looptime


async def test_row_65_press_answer_and_command_are_reached_during_others_runs(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, shared_queue_mode="parallel") as desk:
        ann, bob = desk.group(), desk.group(BOB, "Bob")
        bob.mention("ask bool")
        question = await bob.asks("The bool?")
        bob.mention("/next ask number")
        await bob.shows("The number?")
        ann.mention("slow")
        await asyncio.sleep(1)
        press = bob.press(question, "yes")
        assert await press.notice(within=0.5) == "Taken: yes"
        await bob.shows("bool=True", within=0.5)
        bob.say("4")
        await bob.shows("number=4", within=0.5)
        bob.say(f"/status@{desk.bot.username}")
        await bob.shows("Running: working", within=0.5)
        ann.say("стоп")
        await ann.shows("Stopped.", within=0.5)
        await asyncio.sleep(3)
        assert ann.texts().count("Stopped.") == 1


async def test_a_day_from_now_answers_in_a_group_without_naming_the_bot(tmp_path: Path):
    day = {"type": "string", "format": "date"}

    @tool
    async def book(context: ToolContext) -> str:
        """Book."""
        return str(await context.interrupt(message="Which day?", response_schema=day))

    booker = Agent("booker", Script([call("book")], ["Booked."]), "", [book])
    async with TelegramDesk(tmp_path, booker) as desk:
        ann = desk.group()
        ann.mention("book")
        await ann.shows("Which day?")
        ann.say("tomorrow")
        await ann.shows("Booked.")


@pytest.mark.parametrize("text", ["/stop", "стоп", "yes", "/now hello", "/queue reject", "hello"])
async def test_row_66_a_stranger_in_a_group_changes_nothing(tmp_path: Path, text: str):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester, shared_queue_mode="parallel") as desk:
        ann, eve = desk.group(), desk.group(EVE, "Eve")
        ann.mention("slow")
        await asyncio.sleep(1)
        ann.mention("/next ask bool")
        question = await ann.asks("The bool?")
        before = (ann.texts(), len(model.requests))
        eve.say(text if not text.startswith("/") else f"{text}@{desk.bot.username}")
        eve.mention(text)
        eve.say(text, reply_to=question)
        press = eve.press(question, "yes")
        assert await press.notice() == "Somebody else is asked here."
        await asyncio.sleep(3)
        assert (ann.texts(), len(model.requests)) == before
        assert question.buttons
        assert [out for _, out in await desk.inputs(f"telegram:{GROUP}")] == [None, None]


async def test_row_66_a_stop_delivered_again_stops_no_later_run(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("count")
        await ann.shows("1 2 3")
        ann.say("/stop")
        update = desk.bot.updates[-1]
        await ann.shows("Stopped.")
        ann.say("count")
        await ann.shows(
            lambda m: m.text.startswith("1 2 3") and m.id > update["message"]["message_id"]
        )
        desk.bot.put_again(update)
        await ann.shows("19 20", within=40)


async def test_row_66_a_question_is_before_the_mode_and_a_command_before_the_question(
    tmp_path: Path,
):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester, queue_mode="reject") as desk:
        ann = desk.private()
        ann.say("ask number")
        await ann.shows("The number?")
        await asyncio.sleep(0.5)
        ann.say("/status")
        await ann.shows("Open questions: 1")
        ann.say("3")
        await ann.shows("number=3")
        assert "Not taken" not in ann.screen()
        assert len(model.requests) == 2


async def test_row_106_a_right_that_goes_between_the_decision_and_the_call(tmp_path: Path):
    """The decision is taken while the only slot is somebody else's; then the approver is none."""
    tester, _ = agent()
    desk = TelegramDesk(tmp_path, tester, approvers=[str(BOSS)], max_concurrent_runs=1)
    async with desk:
        ann, bob, boss = desk.private(), desk.private(BOB, "Bob"), desk.private(BOSS, "Boss")
        ann.say("boss")
        question = await boss.asks("May I?")
        bob.say("slow")
        await asyncio.sleep(1)
        assert await boss.press(question, "Approve").notice() == "Taken: Approve"
        await asyncio.sleep(1)
        access: Any = desk.app.router.wiring.access
        access.withdraw(str(BOSS))
        await ann.shows("may not run here", within=60)
        assert "may=" not in ann.screen()
