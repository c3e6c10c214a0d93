"""Questions in chats: asked with buttons, answered once by whom they are for, folded."""

import asyncio
from pathlib import Path

import pytest

from tests.fakes.telegram.faults import BLOCKED, Refusal, bad, flood
from tests.telegram.agents import CITIES, agent
from tests.telegram.desk import ANN, BOB, BOSS, EVE, TelegramDesk

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


async def test_a_typed_answer_in_russian(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private(language="ru")
        ann.say("ask bool")
        await ann.asks("The bool?")
        ann.say("да")
        await ann.shows("result: bool=True")


async def test_an_unclear_answer_is_asked_again_then_released(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask number")
        await ann.shows("The number?")
        ann.say("7")
        again = await ann.shows(lambda m: "The number?" in m.text and "5" in m.text)
        ann.say("9")
        await asyncio.sleep(2)
        ann.say("3", reply_to=again)
        await ann.shows("result: number=3")
        await asyncio.sleep(2)
        assert all("✓ 3" in m.text for m in ann.visible() if "The number?" in m.text)


async def test_sixty_letter_labels_in_pages(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask cities")
        question = await ann.asks("The cities?")
        assert question.labels == [*CITIES[:8], "More ›"]
        await ann.press(question, "More").notice()
        await ann.shows(lambda m: CITIES[8] in m.labels)
        assert question.labels == [*CITIES[8:16], "‹ Earlier", "More ›"]
        await ann.press(question, "More").notice()
        await ann.shows(lambda m: CITIES[19] in m.labels)
        ann.press(question, CITIES[17])
        await ann.shows(f"result: cities={CITIES[17]}")


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
        desk.server.fault("editMessageText", bad("something else"), times=1)
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


async def test_in_a_group_a_bare_answer_of_the_person_asked_counts(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann, bob = desk.group(), desk.group(BOB, "Bob")
        ann.mention("ask number")
        question = await ann.shows("The number?")
        assert question.markup is not None
        assert question.markup["force_reply"]
        assert question.markup["selective"]
        bob.say("2")
        ann.say("well, Bob and I are still talking about it")
        await asyncio.sleep(2)
        ann.say("4")
        await ann.shows("number=4")


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


async def test_approvals_show_their_arguments(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("deploy")
        question = await ann.asks("May deploy run?")
        assert "region: eu" in question.text
        assert question.labels == ["Approve", "Approve always here", "Deny", "Deny with a reason"]
        ann.press(question, "Approve")
        await ann.shows("deployed to eu")
        ann.say("deploy")
        again = await ann.asks("May deploy run?")
        ann.press(again, "always")
        await ann.shows(lambda m: len(results(desk, ann)) == 2)
        ann.say("deploy")
        await ann.shows(lambda m: len(results(desk, ann)) == 3)


async def test_denied_with_a_reason(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("deploy")
        question = await ann.asks("May deploy run?")
        await ann.press(question, "with a reason").notice()
        why = await ann.shows("Why not?")
        assert why.markup is not None
        assert why.markup["force_reply"]
        await asyncio.sleep(0.5)
        ann.say("it is friday", reply_to=why)
        await ann.shows("result: Denied: it is friday")
        await asyncio.sleep(1)
        assert "it is friday" in question.text


async def test_a_plan_shows_its_steps(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("plan")
        question = await ann.asks("Follow it?")
        assert "1. dig\n2. plant" in question.text
        assert question.labels == ["Approve", "Deny", "Deny with a reason"]
        ann.press(question, "Deny")
        await ann.shows("result: plan=")


async def test_approvers_are_asked_in_their_own_chats(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester, approvers=[str(BOSS)]) as desk:
        ann, boss = desk.private(), desk.private(BOSS, "Boss")
        ann.say("boss")
        question = await boss.asks("May I?")
        ann.say("yes")
        await asyncio.sleep(2)
        assert question.buttons
        assert not any("May I?" in text for text in ann.texts())
        boss.press(question, "Approve")
        await asyncio.sleep(3)
        results = [m.content for m in model.requests[1].messages if hasattr(m, "content")]
        assert results == ["may={'approved': True}"]
        assert question.text.endswith("✓ Approved")


async def test_a_question_that_can_t_be_delivered_lets_the_run_go_on(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        desk.may_fail = True
        ann = desk.private()
        desk.server.fault("sendMessage", bad("CHAT_RESTRICTED"))
        ann.say("ask bool")
        await ann.shows("could not be delivered")
        ann.say("hello")
        await ann.shows("hello there")


async def test_blocking_the_bot_cancels_what_is_asked_there(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask bool")
        await ann.asks("The bool?")
        ann.block()
        await asyncio.sleep(5)
        assert "could not be delivered" in model.requests[-1].messages[-1].content
        ann.unblock()
        ann.say("hello")
        await ann.shows("hello there")
        assert BLOCKED


async def test_a_403_at_the_prompt_is_one_attempt(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        desk.server.fault("sendMessage", Refusal(403, BLOCKED))
        ann.say("ask bool")
        await asyncio.sleep(10)
        assert len(desk.calls("sendMessage")) == 1
        assert "could not be delivered" in model.requests[-1].messages[-1].content


async def test_a_prompt_of_unknown_outcome_takes_a_press_or_a_reply_only(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        desk.server.fault("sendMessage", lost="after")
        ann.say("ask bool")
        question = await ann.asks("The bool?")
        await asyncio.sleep(15)
        ann.press(question, "yes")
        await ann.shows("bool=True")
        assert sum("The bool?" in text for text in ann.texts()) == 1


async def test_a_prompt_behind_a_penalty_is_answered_when_it_comes(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        desk.server.fault("sendMessage", flood(41))
        ann.say("ask bool")
        question = await ann.asks("The bool?", within=60)
        ann.press(question, "yes")
        await ann.shows("bool=True")
        await asyncio.sleep(2)
        assert question.buttons == []


async def test_a_reminder_then_the_expiry(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask short")
        question = await ann.asks("The short?")
        await ann.shows("Still waiting", within=950)
        await ann.shows("Nobody answered in time", within=200)
        await asyncio.sleep(2)
        assert question.buttons == []
        assert "Nobody answered" in question.text
        ann.say("yes")
        await ann.shows("came too late")


async def test_questions_are_listed_and_told_apart(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, queue_mode="parallel") as desk:
        ann = desk.private()
        ann.say("ask bool")
        first = await ann.asks("The bool?")
        ann.say("/queue parallel")
        ann.say("ask size please give it to me")
        await asyncio.sleep(2)
        ann.say("/questions")
        await ann.shows("1. The bool?")
        ann.say("no", reply_to=first)
        await ann.shows("bool=False")
        assert ANN
