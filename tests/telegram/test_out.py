"""What the agent says is seen once, whole, in time, whatever Telegram answers."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent
from tests.acceptance.scripted import Script
from tests.acceptance.telegram import TelegramDesk
from tests.acceptance.telegram_agents import agent

pytestmark = pytest.mark.looptime
LONG = "\n\n".join(f"Paragraph {n}: " + "some words of it " * 20 for n in range(40))


def saying(*steps) -> Agent:
    return Agent("a", Script(*steps), "")


def copies(window, text: str) -> int:
    return sum(text in shown for shown in window.texts())


async def test_typing_is_renewed_while_working_and_ends(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying([12.0, "done now"])) as desk:
        ann = desk.private()
        ann.say("hi")
        await ann.shows("done now")
        typed = [seen.at for seen in ann.chat.log if seen.what == "typing"]
        assert len(typed) == 3
        await asyncio.sleep(30)
        assert len([s for s in ann.chat.log if s.what == "typing"]) == 3


async def test_status_reactions(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, telegram={"reactions": True}) as desk:
        ann = desk.private()
        first = ann.say("slow")
        await asyncio.sleep(1)
        assert ann.chat.reactions[first.id] == "✍"
        ann.say("/queue enqueue")
        second = ann.say("hello")
        await asyncio.sleep(1)
        assert ann.chat.reactions[second.id] == "👀"
        ann.say("стоп")
        await asyncio.sleep(3)
        assert ann.chat.reactions == {first.id: "🤷", second.id: "🤷"}
        third = ann.say("hello")
        await asyncio.sleep(3)
        assert ann.chat.reactions[third.id] == "👌"


async def test_a_run_ends_only_once_its_reply_is_kept(tmp_path: Path):
    """A kill between the reply and its place in the outbox loses nothing."""
    async with TelegramDesk(tmp_path, saying(["one two three four five"])) as desk:
        ann = desk.private()
        await asyncio.sleep(1)
        bot: Any = desk.app.bot

        async def never(row: object) -> None:
            await asyncio.Event().wait()

        bot.channel._tools = replace(bot.channel._tools, save=never)
        ann.say("hi")
        await asyncio.sleep(5)
        assert [out for _, out in await desk.inputs("telegram:1001")] == [None]
        await desk.kill()
        await desk.start()
        await ann.shows("four five")
        await asyncio.sleep(2)
        assert sum("four five" in text for text in ann.texts()) == 1


@pytest.mark.parametrize(("lost", "times"), [("before", 1), ("after", 2)])
async def test_what_became_of_a_message_is_told_at_least_once(
    tmp_path: Path, lost: str, times: int
):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        desk.may_fail = True
        ann = desk.private()
        desk.server.fault("sendMessage", lost=lost)
        ann.say("fail")
        await ann.shows("That failed")
        await asyncio.sleep(30)
        assert sum("That failed" in text for text in ann.texts()) == times


async def test_what_became_of_a_message_is_told_though_a_kill_comes_between(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        desk.may_fail = True
        ann = desk.private()
        desk.server.fault("sendMessage", slow=5.0, lost="before")
        ann.say("fail")
        await asyncio.sleep(2)
        await desk.kill()
        await desk.start()
        await ann.shows("That failed")
        await asyncio.sleep(30)
        assert sum("That failed" in text for text in ann.texts()) == 1


async def test_what_can_be_asked_for_again_is_told_at_most_once(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        desk.server.fault("sendMessage", lost="after")
        ann.say("/help")
        await asyncio.sleep(30)
        assert len(ann.texts()) == 1
