"""Questions in chats: asked with buttons, answered once by whom they are for, folded."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from gateway.core.messages import Json
from tests.acceptance.scripted import Script, call
from tests.acceptance.telegram import ANN, BOB, BOSS, TelegramDesk
from tests.acceptance.telegram_agents import agent
from tests.fakes.telegram.faults import bad, flood

pytestmark = pytest.mark.looptime


def results(desk, window):
    return [text for text in window.texts() if text.startswith("result")]


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


async def test_in_a_group_the_reply_field_opens_for_the_person_asked_after_a_restart_too(
    tmp_path: Path,
):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann, bob = desk.group(), desk.group(BOB, "Bob")
        asked = ann.mention("ask number")
        bob.say("me too")
        desk.server.fault("sendMessage", flood(60))
        await asyncio.sleep(20)
        await desk.kill()
        await desk.start()
        question = await ann.shows("The number?")
        assert question.markup is not None
        assert question.markup["selective"]
        assert question.reply_to == asked.id


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


async def test_no_argument_hides_or_passes_for_another(tmp_path: Path):
    text = "fine\nto: bob \u202e\x1b[2K" + "x" * 2_000

    @tool(approval=True)
    def pay(note: str, to: str) -> str:
        """Pay."""
        return to

    payer = Agent("payer", Script([call("pay", note=text, to="eve")], ["Paid."]), "", [pay])
    async with TelegramDesk(tmp_path, payer) as desk:
        ann = desk.private(language="ru")
        ann.say("pay")
        question = await ann.asks("pay")
        assert "note: fine\n  to: bob \\u202e\\x1b[2K" in question.text
        assert "to: eve" not in question.text
        hidden = 2_001 - question.text.count("x") + len("\nto: eve")
        assert f"Не показано символов: {hidden}" in question.text


async def test_no_step_of_a_plan_hides_or_passes_for_another(tmp_path: Path):
    steps: list[Json] = ["dig\n2. rest \u202e", "x" * 1_300, "burn it all"]

    @tool
    async def follow(context: ToolContext) -> str:
        """Follow."""
        message = "Follow \u202eit?" + "y" * 2_600
        agreed = await context.interrupt(message=message, kind="plan", details={"plan": steps})
        return str(agreed)

    gardener = Agent("gardener", Script([call("follow")], ["Done."]), "", [follow])
    async with TelegramDesk(tmp_path, gardener) as desk:
        ann = desk.private()
        ann.say("garden")
        question = await ann.asks("Follow \\u202eit?")
        assert "1. dig\n  2. rest \\u202e\n2. xxx" in question.text
        assert "burn" not in question.text
        assert question.text.count("Characters not shown: ") == 2


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


async def test_a_prompt_of_unknown_outcome_is_sent_again_and_either_answers(tmp_path: Path):
    """Lost before the effect it stands there once; after it twice, and both fold."""
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann, bob = desk.private(), desk.private(BOB, "Bob")
        desk.server.fault("sendMessage", lost="before", chat=BOB)
        bob.say("ask bool")
        await bob.asks("The bool?")
        bob.say("no")
        await bob.shows("bool=False")
        assert sum("The bool?" in text for text in bob.texts()) == 1
        desk.server.fault("sendMessage", lost="after", chat=ann.chat.id)
        ann.say("ask bool")
        first = await ann.asks("The bool?")
        second = await ann.shows(lambda m: "The bool?" in m.text and m.id != first.id)
        await asyncio.sleep(2)
        ann.press(first, "yes")
        await ann.shows("bool=True")
        await asyncio.sleep(2)
        assert first.text == second.text == "The bool?\n\n✓ yes"
        assert first.buttons == second.buttons == []


async def test_a_prompt_whose_outcome_stays_unknown_takes_a_press_or_a_reply_only(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        desk.server.fault("sendMessage", lost="after", times=3)
        ann.say("ask bool")
        question = await ann.asks("The bool?")
        await asyncio.sleep(15)
        ann.say("yes")
        await asyncio.sleep(2)
        assert question.buttons
        ann.press(question, "no")
        await ann.shows("✓ no")


@pytest.mark.parametrize("tries", [3, 6])
async def test_a_prompt_that_never_went_is_sent_again_when_it_can_be(tmp_path: Path, tries: int):
    """Every try was lost, also those a minute later: it comes all the same."""
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        desk.server.fault("sendMessage", lost="before", times=tries)
        ann.say("ask bool")
        await asyncio.sleep(50)
        assert ann.texts() == []
        await ann.asks("The bool?", within=30 if tries == 3 else 700)
        await asyncio.sleep(2)
        ann.say("yes")
        await ann.shows("bool=True")
        assert sum("The bool?" in text for text in ann.texts()) == 1


async def test_a_prompt_that_never_went_is_sent_when_its_person_writes(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        desk.server.fault("sendMessage", lost="before", times=3)
        ann.say("ask bool")
        await asyncio.sleep(30)
        ann.say("yes")
        await ann.asks("The bool?", within=3)
        await asyncio.sleep(2)
        assert not any("✓" in text for text in ann.texts())
        ann.say("no")
        await ann.shows("✓ no")


async def test_a_prompt_that_never_went_is_not_sent_after_its_end(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        desk.server.fault("sendMessage", lost="before", times=3)
        ann.say("ask bool")
        await asyncio.sleep(30)
        ann.say("/stop")
        await asyncio.sleep(200)
        assert not any("The bool?" in text for text in ann.texts())


async def test_a_prompt_that_a_kill_kept_back_is_sent_after_the_restart(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        desk.server.fault("sendMessage", flood(600))
        ann.say("ask bool")
        await asyncio.sleep(30)
        await desk.kill()
        await desk.start()
        await ann.asks("The bool?")
        await asyncio.sleep(1)
        ann.say("yes")
        await ann.shows("bool=True")


async def test_a_prompt_behind_a_penalty_is_answered_when_it_comes(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        desk.server.fault("sendMessage", flood(41))
        ann.say("ask bool")
        question = await ann.asks("The bool?", within=60)
        await asyncio.sleep(1)
        ann.say("yes")
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


async def test_a_question_that_was_asked_again_is_reminded_of_once_after_a_restart(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask short")
        first = await ann.asks("The short?")
        await asyncio.sleep(1)
        ann.say("maybe")
        again = await ann.shows(lambda m: "The short?" in m.text and m.id > first.id)
        await asyncio.sleep(1)
        await desk.restart()
        reminder = await ann.shows("Still waiting", within=950)
        await asyncio.sleep(60)
        assert sum("Still waiting" in text for text in ann.texts()) == 1
        assert reminder.reply_to == again.id


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


@pytest.mark.parametrize("number", [0, 1, 2])
async def test_a_reply_answers_a_prompt_whose_outcome_stays_unknown(tmp_path: Path, number: int):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann, bob = desk.private(), desk.private(BOB, "Bob")
        desk.server.fault("sendMessage", lost="after", times=3, chat=ann.chat.id)
        ann.say("ask bool")
        await asyncio.sleep(15)
        asked = [message for message in ann.chat.visible(None) if "The bool?" in message.text]
        assert len(asked) == 3
        bob.say("no")
        ann.say("no", reply_to=asked[number])
        await ann.shows("bool=False")
        await asyncio.sleep(200)
        assert "✓ no" in asked[number].text
        assert sum("The bool?" in text for text in ann.texts()) == 3
