"""What the agent says is seen once, whole, in time, whatever Telegram answers."""

import asyncio
from pathlib import Path

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
