"""Stopping from a chat: by command, by word, by button, by the client's own Stop."""

import asyncio
from pathlib import Path

import pytest

from tests.acceptance.telegram import BOB, GROUP, TelegramDesk
from tests.acceptance.telegram_agents import agent

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("word", ["/stop", "стоп", "stop", "Stop!", "/стоп"])
async def test_a_stop_is_acknowledged_once_within_half_a_second(tmp_path: Path, word: str):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("slow")
        await asyncio.sleep(2)
        began = asyncio.get_running_loop().time()
        ann.say(word)
        await ann.shows("Stopped.", within=0.5)
        assert asyncio.get_running_loop().time() - began < 0.5
        await asyncio.sleep(5)
        assert ann.texts() == ["Stopped."]
        assert [out for _, out in await desk.inputs("telegram:1001")] == ["interrupted", "handled"]


async def test_the_button_under_a_streaming_message_stops_and_the_text_stays_with_its_mark(
    tmp_path: Path,
):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private(language="ru")
        ann.say("count")
        message = await ann.shows("1 2 3 4")
        assert message.labels == ["Остановить"]
        press = ann.press(message, "Остановить")
        assert await press.notice() == "Останавливаю…"
        await ann.shows("⏹ остановлено")
        await asyncio.sleep(30)
        assert message.buttons == []
        shown = message.text.split("\n")[0]
        assert shown.startswith("1 2 3 4")
        assert "9" not in shown
        rows = (await desk.app.store.entries("telegram:1001"))[-2:]
        saved = [entry.body["text"] for entry in rows if entry.kind.value == "assistant"]
        assert [text.strip() for text in saved] == [shown]


async def test_somebody_else_s_stop_button_stops_nothing(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann, bob = desk.group(), desk.group(BOB, "Bob")
        ann.mention("count")
        message = await ann.shows("1 2 3")
        await bob.press(message, "Stop").notice()
        await ann.shows("20", within=60)
        assert "⏹" not in ann.screen()


async def test_a_stop_gives_back_what_waits_and_one_tap_sends_it(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, queue_mode="enqueue") as desk:
        ann = desk.private()
        ann.say("slow")
        await asyncio.sleep(1)
        ann.say("echo this please")
        await asyncio.sleep(1)
        ann.say("/stop")
        returned = await ann.asks("Not sent: echo this please")
        await asyncio.sleep(5)
        assert "you said" not in ann.screen()
        press = ann.press(returned, "Send it")
        assert await press.notice() == "Sent."
        await ann.shows("you said")
        assert returned.buttons == []


async def test_a_stop_word_in_a_group_stops_only_one_s_own_run(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann, bob = desk.group(), desk.group(BOB, "Bob")
        ann.mention("count")
        await ann.shows("1 2 3")
        bob.say("stop")
        await asyncio.sleep(2)
        assert "⏹" not in ann.screen()
        assert "Nothing is running" not in ann.screen()
        ann.say("stop")
        await ann.shows("⏹ stopped")


async def test_a_slow_run_delays_nobody(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann, bob = desk.private(), desk.private(BOB, "Bob")
        ann.say("slow")
        await asyncio.sleep(1)
        bob.say("hello")
        await bob.shows("hello there", within=0.5)
        ann.say("/status")
        await ann.shows("Running: working", within=0.5)


async def test_a_now_interrupts_and_says_so_in_the_text(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("count")
        await ann.shows("1 2 3")
        ann.say("стоп, hello")
        await ann.shows("interrupted by a newer message")
        ann.say("/now hello")
        await ann.shows("hello there")


async def test_retry_runs_it_again(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("count")
        await ann.shows("1 2 3")
        ann.say("/stop")
        await ann.shows("⏹ stopped")
        ann.say("/retry")
        await ann.shows("[retrying] count")
        await ann.shows("20", within=60)


async def test_sigterm_keeps_what_is_asked_and_says_what_was_interrupted(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann, bob = desk.private(), desk.private(BOB, "Bob")
        ann.say("count")
        bob.say("ask size")
        await ann.shows("1 2 3")
        question = await bob.asks("The size?")
        await desk.restart()
        await asyncio.sleep(2)
        assert "⏹ interrupted" in ann.screen()
        assert "/retry" in ann.screen()
        bob.press(question, "small")
        await bob.shows("size=small")


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("text", ["stop", "стоп", "cancel"])
async def test_in_a_group_who_is_asked_can_stop_without_a_name(
    tmp_path: Path, text: str, restart: bool
):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann, bob = desk.group(), desk.group(BOB, "Bob")
        ann.mention("ask number")
        await ann.shows("The number?")
        await asyncio.sleep(1)
        if restart:
            await desk.restart()
        bob.say(text)
        await asyncio.sleep(2)
        assert len(await desk.inputs(f"telegram:{GROUP}")) == 1
        ann.say(text)
        await asyncio.sleep(2)
        outcomes = [outcome for _, outcome in await desk.inputs(f"telegram:{GROUP}")]
        assert outcomes == ["interrupted", "handled"]
        assert len(model.requests) == 1
