"""Replies that grow as drafts: only where it is asked for, with the client's own Stop."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent
from tests.acceptance.scripted import Script
from tests.acceptance.telegram import TelegramDesk
from tests.acceptance.telegram_agents import agent
from tests.fakes.telegram.faults import Refusal, bad

pytestmark = pytest.mark.looptime
DRAFTS: dict[str, Any] = {"drafts": True}


def saying(*steps: Any) -> Agent:
    return Agent("a", Script(*steps), "")


async def test_none_unless_it_is_set(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("count")
        await ann.shows("1 2 3")
        assert desk.calls("sendMessageDraft") == []


async def test_a_reply_grows_as_a_draft_and_is_one_message_in_the_end(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, telegram=DRAFTS) as desk:
        ann, group = desk.private(), desk.group()
        ann.say("count")
        await ann.drafts("1 2 3")
        assert ann.texts() == []
        assert all(call["can_stop"] for call in desk.calls("sendMessageDraft"))
        await ann.shows("19 20")
        await asyncio.sleep(5)
        assert ann.texts() == [" ".join(map(str, range(1, 21)))]
        assert ann.draft() == ""
        drafts = len(desk.calls("sendMessageDraft"))
        assert drafts <= 21
        group.mention("count")
        await group.shows("1 2 3")
        assert len(desk.calls("sendMessageDraft")) == drafts


async def test_the_client_s_own_stop_keeps_what_the_draft_showed(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, telegram=DRAFTS) as desk:
        ann = desk.private()
        ann.say("count")
        await ann.drafts("1 2 3")
        assert "stopped_message_generation" in (desk.bot.allowed or [])
        seen = ann.draft()
        ann.stop_generation()
        await ann.shows("⏹ stopped")
        await ann.shows("Stopped.")
        await asyncio.sleep(2)
        entries = await desk.app.store.entries("telegram:1001")
        (saved,) = [e.body["text"].strip() for e in entries if e.kind.value == "assistant"]
        assert saved == seen.strip()
        assert ann.texts() == [f"{saved}\n\n⏹ stopped", "Stopped."]
        assert ann.draft() == ""


async def test_the_stop_of_a_draft_that_is_over_stops_nothing(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, telegram=DRAFTS) as desk:
        ann = desk.private()
        ann.say("count")
        await ann.drafts("1 2 3")
        old = ann.stop_generation()
        await ann.shows("Stopped.")
        ann.say("count")
        await ann.drafts("1 2 3")
        ann.stop_generation(old)
        await ann.shows("19 20")


async def test_a_draft_is_kept_up_and_comes_back_after_a_notice(tmp_path: Path):
    pause = saying(["one two three", 60.0, " four"])
    async with TelegramDesk(tmp_path, pause, telegram=DRAFTS) as desk:
        ann = desk.private()
        ann.say("hi")
        await ann.drafts("one two three")
        await asyncio.sleep(35)
        assert ann.draft() == "one two three"
        ann.say("/whoami")
        await ann.shows("You are")
        await ann.drafts("one two three", within=15.5)
        await ann.shows("one two three four", within=60)


async def test_a_long_reply_is_seen_once_though_its_beginning_is_sent_meanwhile(tmp_path: Path):
    words = [f"word{n}" for n in range(1500)]
    step = [item for n in range(0, 1500, 50) for item in (" ".join(words[n : n + 50]) + " ", 0.5)]
    async with TelegramDesk(tmp_path, saying(step), telegram=DRAFTS) as desk:
        ann = desk.private()
        ann.say("hi")
        await ann.drafts("word900")
        assert "word100" in ann.screen()
        assert "word100 " not in ann.draft()
        await ann.shows("word1499")
        await asyncio.sleep(5)
        assert " ".join(ann.texts()).split() == words


@pytest.mark.parametrize("refusal", [Refusal(404, "Not Found: method not found"), bad("DRAFT")])
async def test_a_server_without_drafts_gets_edits(tmp_path: Path, refusal: Refusal):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, telegram=DRAFTS) as desk:
        desk.server.fault("sendMessageDraft", refusal, times=100)
        ann = desk.private()
        ann.say("count")
        shown = await ann.shows("1 2 3")
        assert shown.labels == ["Stop"]
        assert len(desk.calls("sendMessageDraft")) == 1
        await ann.shows("19 20")


@pytest.mark.parametrize("lost", ["before", "after"])
async def test_a_kill_while_drafting_leaves_what_was_shown_once(tmp_path: Path, lost: str):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, telegram=DRAFTS) as desk:
        ann = desk.private()
        ann.say("count")
        await ann.drafts("1 2 3 4 5")
        await asyncio.sleep(0.5)
        desk.server.fault("sendMessage", lost=lost)
        await desk.kill()
        await desk.start()
        await ann.shows("1 2 3 4 5")
        await ann.shows("19 20", within=60)
        await asyncio.sleep(5)
        whole = [text for text in ann.texts() if "1 2 3 4 5" in text]
        assert len(whole) == 2
        assert whole[0].endswith("⏹ interrupted")
        assert whole[1].endswith("19 20")
