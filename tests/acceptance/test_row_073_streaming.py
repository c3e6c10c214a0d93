"""Row 73: the latest text wins, limits and penalties are obeyed, other chats go on."""

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest

from gateway import Agent
from tests.acceptance.scripted import Script
from tests.acceptance.telegram import BOB, GROUP, TelegramDesk
from tests.fakes.telegram.faults import flood

pytestmark = pytest.mark.looptime


def saying(*steps) -> Agent:
    return Agent("a", Script(*steps), "")


async def test_a_429_holds_up_its_own_chat_only(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying(["one two three four"])) as desk:
        ann, bob = desk.private(), desk.private(BOB, "Bob")
        desk.server.fault("editMessageText", flood(41), chat=ann.chat.id)
        ann.say("hi")
        await asyncio.sleep(1)
        bob.say("hi")
        await bob.shows("three four", within=3.0)
        assert "three four" not in ann.screen()
        await asyncio.sleep(38)
        assert "three four" not in ann.screen()
        await ann.shows("three four", within=5.0)
        assert ann.texts() == ["one two three four"]


async def test_a_ten_minute_stream_into_a_group_stays_below_the_limit(tmp_path: Path):
    step = [item for n in range(1190) for item in (f"w{n} ", 0.5)]
    async with TelegramDesk(tmp_path, saying(step)) as desk:
        ann = desk.group()
        ann.mention("hi")
        await asyncio.sleep(700)
        times = [s.at for s in ann.chat.log if s.what in ("sent", "edited") and s.message > 1]
        for at in times:
            assert ann.chat.sent_between(at, at + 60) <= 20
        assert " ".join(ann.texts()).split() == [f"w{n}" for n in range(1190)]
        gaps = [b - a for a, b in pairwise(times)]
        assert len(times) > 100
        assert sum(gap >= 3.9 for gap in gaps) > len(gaps) * 0.9


async def test_two_edits_are_never_in_flight_and_the_latest_text_wins(tmp_path: Path):
    step = [item for n in range(20) for item in (f"w{n} ", 0.5)]
    async with TelegramDesk(tmp_path, saying(step)) as desk:
        ann = desk.private()
        gate = asyncio.Event()
        desk.server.fault("editMessageText", hold=gate)
        ann.say("hi")
        await asyncio.sleep(6)
        before = len(desk.calls("editMessageText"))
        assert before == 1
        gate.set()
        await ann.shows("w19")
        await asyncio.sleep(5)
        assert ann.texts() == [" ".join(f"w{n}" for n in range(20))]


async def answered(desk: TelegramDesk, count: int) -> None:
    """Wait until so many messages in the group were answered: none has to wait for another."""
    async with asyncio.timeout(60):
        while True:
            inputs = await desk.inputs(f"telegram:{GROUP}")
            if [outcome for _, outcome in inputs] == ["answered"] * count:
                return
            await asyncio.sleep(0.05)


async def test_many_replies_to_a_group_stay_below_the_limit_and_all_come(tmp_path: Path):
    steps = [[f"reply number {n} of many"] for n in range(25)]
    async with TelegramDesk(tmp_path, saying(*steps)) as desk:
        ann = desk.group()
        for n in range(25):
            ann.mention(f"hi {n}")
            await asyncio.sleep(0.2)
            await answered(desk, n + 1)
        await ann.shows("number 24", within=400)
        await asyncio.sleep(100)
        assert sorted(ann.texts()) == sorted(step[0] for step in steps)
        assert all(ann.chat.sent_between(s.at, s.at + 60) <= 20 for s in ann.chat.log)
