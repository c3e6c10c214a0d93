"""RACES 2, 5, 6, 8, 16, 26 with what makes them hard: a slot that is taken, a call that goes on."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, tool
from gateway.core.messages import UserMessage
from tests.acceptance.scripted import Script, call
from tests.acceptance.telegram import BOB, GROUP, TelegramDesk
from tests.acceptance.telegram_agents import agent, ask, said

pytestmark = pytest.mark.looptime


@tool
async def grind() -> str:
    """Can't be interrupted, and takes five seconds."""
    await asyncio.sleep(5)
    return "ground"


def grinder() -> tuple[Agent, Script]:
    """Grinds when told so, else says hello."""

    def step(request: Any) -> Any:
        if type(request.messages[-1]).__name__ == "ToolResult":
            return ["done"]
        return [call("grind")] if said(request) == "grind" else [f"hello, {said(request)}"]

    model = Script(step)
    return Agent("g", model, "", [grind]), model


async def test_race_02_a_stop_between_the_decision_and_the_call(tmp_path: Path):
    """The decision stands, the call does not go on, and /retry asks anew."""
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, max_concurrent_runs=1) as desk:
        ann, bob = desk.private(), desk.private(BOB, "Bob")
        ann.say("ask bool")
        question = await ann.asks("The bool?")
        bob.say("slow")
        await asyncio.sleep(1)
        assert await ann.press(question, "yes").notice() == "Taken: yes"
        await asyncio.sleep(1)
        ann.say("/stop")
        await ann.shows("Stopped.")
        await asyncio.sleep(40)
        assert question.text.endswith("✓ yes")
        assert "bool=" not in ann.screen()
        ann.say("/retry")
        again = await ann.asks("The bool?")
        ann.press(again, "no")
        await ann.shows("bool=False")


async def test_race_05_a_stop_gives_a_now_back_that_waits_for_the_settling(tmp_path: Path):
    tester, _ = grinder()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("grind")
        await asyncio.sleep(1)
        ann.say("/now two")
        await ann.shows("Finishing grind first.")
        ann.say("/stop")
        back = await ann.asks("Not sent: two")
        await asyncio.sleep(10)
        assert "hello" not in ann.screen()
        ann.press(back, "Send it")
        await ann.shows("hello, two")


async def test_race_05_what_others_sent_goes_on(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann, bob = desk.group(), desk.group(BOB, "Bob")
        ann.mention("slow")
        await asyncio.sleep(1)
        bob.mention("hello")
        ann.mention("/later echo mine")
        await asyncio.sleep(1)
        ann.say("стоп")
        await bob.shows("hello there", within=3)
        await ann.asks("Not sent: echo mine")
        await asyncio.sleep(5)
        assert "you said" not in ann.screen()


async def test_race_06_a_stop_shortens_the_grace_of_a_now(tmp_path: Path):
    tester, _ = grinder()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("grind")
        await asyncio.sleep(1)
        ann.say("/now two")
        await ann.shows("Finishing grind first.")
        ann.say("/stop")
        await ann.shows("Stopped waiting for grind; it may still be running.", within=1.0)


async def test_race_06_nows_that_wait_for_the_settling_start_one_run_in_order(tmp_path: Path):
    tester, model = grinder()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("grind")
        await asyncio.sleep(1)
        ann.say("/now two")
        ann.say("/now three")
        await ann.shows("hello, three")
        await asyncio.sleep(2)
        assert len(model.requests) == 2
        read = [m.text for m in model.requests[1].messages if isinstance(m, UserMessage)]
        assert read == ["grind", "two", "three"]


@pytest.mark.parametrize("wish", ["/next", "/later"])
async def test_race_08_next_and_later_wait_and_the_question_stays(tmp_path: Path, wish: str):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, queue_mode="enqueue") as desk:
        ann = desk.private()
        ann.say("ask bool")
        question = await ann.asks("The bool?")
        await asyncio.sleep(0.5)
        ann.say(f"{wish} echo me")
        await asyncio.sleep(3)
        assert question.buttons
        assert "you said" not in ann.screen()
        ann.press(question, "yes")
        await ann.shows("bool=True")
        await ann.shows("you said")


async def test_race_08_a_hold_word_alone_is_no_try(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private(language="ru")
        ann.say("ask bool")
        question = await ann.asks("The bool?")
        for word in ("подожди", "wait", "секунду", "hold on"):
            await asyncio.sleep(1)
            ann.say(word)
        await asyncio.sleep(2)
        assert question.buttons
        ann.say("да")
        await ann.shows("bool=True")


async def test_race_16_in_a_group_too_and_it_is_an_input(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.group()
        ann.mention("deploy")
        early = ann.chat.add(ann.who.user(), f"@{desk.bot.username} yes")
        early.entities = [{"type": "mention", "offset": 0, "length": len(desk.bot.username) + 1}]
        question = await ann.asks("May deploy run?")
        await asyncio.sleep(1)
        desk.bot.put(message=early.json())
        await asyncio.sleep(3)
        assert question.buttons
        assert "deployed" not in ann.screen()
        assert (await desk.inputs(f"telegram:{GROUP}"))[-1] == ("yes", None)


@pytest.mark.parametrize(("second", "seen"), [("нет, стой", "⏹ stopped"), ("4", "corrected: 4")])
async def test_race_26_a_stop_or_a_correction_right_after_the_answer(
    tmp_path: Path, second: str, seen: str
):
    def step(request: Any) -> Any:
        last = request.messages[-1]
        if type(last).__name__ == "ToolResult":
            return [item for n in range(20) for item in (f"{n} ", 1.0)]
        texts = [m.text for m in request.messages if isinstance(m, UserMessage)]
        return [call("ask", what="number")] if len(texts) == 1 else [f"corrected: {texts[-1]}"]

    async with TelegramDesk(tmp_path, Agent("a", Script(step), "", [ask])) as desk:
        ann = desk.private()
        ann.say("go")
        question = await ann.shows("The number?")
        await asyncio.sleep(0.5)
        ann.say("3")
        await ann.shows("0 1 2")
        ann.say(second)
        await ann.shows(seen)
        await asyncio.sleep(2)
        assert question.text.endswith("✓ 3")
        assert "18 19" not in ann.screen()
