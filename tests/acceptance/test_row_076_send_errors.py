"""Row 76: send errors are classed, each with its own consequence."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent
from tests.acceptance.scripted import Script
from tests.acceptance.telegram import BOSS, EVE, GROUP, TelegramDesk
from tests.acceptance.telegram_agents import agent
from tests.fakes.telegram.faults import BLOCKED, Refusal, bad

pytestmark = pytest.mark.looptime


def saying(*steps) -> Agent:
    return Agent("a", Script(*steps), "")


async def test_an_entity_error_is_sent_once_more_as_plain_text(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying(["this is **bold** text"])) as desk:
        ann = desk.private()
        desk.server.fault("editMessageText", bad("can't parse entities: x"))
        ann.say("hi")
        await asyncio.sleep(5)
        assert ann.texts() == ["this is **bold** text"]
        ann.say("again")
        await asyncio.sleep(5)
        assert ann.texts()[1] == "this is bold text"
        assert ann.visible()[1].entities[0]["type"] == "bold"


async def test_a_reply_target_that_is_gone_is_left_out(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying([1.0, "one two three"])) as desk:
        ann = desk.group()
        said = ann.mention("hi")
        await asyncio.sleep(0.5)
        ann.delete(said)
        await ann.shows("one two three")
        assert ann.visible()[0].reply_to is None


async def test_other_refusals_are_dead_letters(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying(["one two"], ["three four"])) as desk:
        desk.may_fail = True
        ann = desk.private()
        desk.server.fault("sendMessage", bad("TOPIC_CLOSED"))
        ann.say("hi")
        await asyncio.sleep(5)
        assert ann.texts() == []
        ann.say("again")
        await ann.shows("three four")
        await asyncio.sleep(2)
        assert len(desk.calls("sendMessage")) == 2


async def test_a_5xx_is_tried_again(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying(["one two three four"])) as desk:
        ann = desk.private()
        for method in ("sendMessage", "editMessageText"):
            desk.server.fault(method, Refusal(502, "Bad Gateway"), times=3)
        ann.say("hi")
        await ann.shows("three four")
        assert ann.texts() == ["one two three four"]


async def test_a_blocked_bot_tries_once_and_goes_on_after_it_is_unblocked(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying(["one two"], ["three four"])) as desk:
        ann = desk.private()
        ann.chat.refuses = "Forbidden: bot was blocked by the user"
        ann.say("hi")
        await asyncio.sleep(60)
        assert len(desk.calls("sendMessage")) == 1
        await desk.restart()
        ann.unblock()
        ann.say("again")
        await ann.shows("three four")


async def test_a_403_at_the_prompt_is_one_attempt(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        desk.server.fault("sendMessage", Refusal(403, BLOCKED))
        ann.say("ask bool")
        await asyncio.sleep(10)
        assert len(desk.calls("sendMessage")) == 1
        assert "could not be delivered" in str(model.requests[-1].messages[-1])


async def test_blocking_the_bot_cancels_what_is_asked_there(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask bool")
        await ann.asks("The bool?")
        await asyncio.sleep(1)
        ann.block()
        await asyncio.sleep(5)
        assert "could not be delivered" in str(model.requests[-1].messages[-1])
        ann.unblock()
        ann.say("hello")
        await ann.shows("hello there")


async def test_an_approver_who_blocks_the_bot_leaves_the_question_to_the_others(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, approvers=[str(BOSS), str(EVE)]) as desk:
        ann, boss, eve = desk.private(), desk.private(BOSS, "Boss"), desk.private(EVE, "Eve")
        ann.say("boss")
        await boss.asks("May I?")
        question = await eve.asks("May I?")
        await asyncio.sleep(1)
        boss.block()
        await asyncio.sleep(5)
        assert question.buttons
        eve.press(question, "Approve")
        await ann.shows("may={'approved': True}")


async def test_the_last_approver_who_blocks_the_bot_leaves_it_undeliverable(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester, approvers=[str(BOSS), str(EVE)]) as desk:
        ann, boss, eve = desk.private(), desk.private(BOSS, "Boss"), desk.private(EVE, "Eve")
        eve.chat.refuses = f"Forbidden: {BLOCKED}"
        ann.say("boss")
        await boss.asks("May I?")
        await asyncio.sleep(1)
        boss.block()
        await ann.shows("This question could not be delivered: May I?")
        await asyncio.sleep(3)
        assert "could not be delivered" in str(model.requests[-1].messages[-1])


async def test_who_blocks_it_while_an_approver_is_asked_takes_nothing_from_them(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester, approvers=[str(BOSS)]) as desk:
        ann, boss = desk.private(), desk.private(BOSS, "Boss")
        ann.say("boss")
        question = await boss.asks("May I?")
        await asyncio.sleep(1)
        ann.block()
        await asyncio.sleep(5)
        assert question.buttons
        boss.press(question, "Approve")
        await asyncio.sleep(3)
        assert "may={'approved': True}" in str(model.requests[-1].messages[-1])


async def test_a_block_while_the_server_is_down_is_taken_up_at_its_start(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester, approvers=[str(BOSS)]) as desk:
        ann, boss = desk.private(), desk.private(BOSS, "Boss")
        ann.say("boss")
        await boss.asks("May I?")
        await asyncio.sleep(1)
        await desk.kill()
        boss.block()
        await desk.start()
        await ann.shows("This question could not be delivered: May I?")
        await asyncio.sleep(3)
        assert "could not be delivered" in str(model.requests[-1].messages[-1])


async def test_a_group_that_moves_keeps_its_conversation(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.group()
        ann.mention("hello one")
        await ann.shows("hello there")
        moved = ann.migrate(-1009)
        moved.mention("hello two")
        await moved.shows("hello there")
        assert len(model.requests[1].messages) == 3
        await desk.restart()
        moved.mention("echo three")
        await moved.shows("you said")
        assert len(await desk.inputs(f"telegram:{GROUP}")) == 3
