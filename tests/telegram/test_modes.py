"""Row 29, 34, 35, 36: what a second message does in each mode, caps, bursts, as a chat shows it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway.core.messages import UserMessage
from gateway.settings import Settings
from tests.acceptance.telegram import BOB, TelegramDesk
from tests.acceptance.telegram_agents import agent, said

pytestmark = pytest.mark.looptime

WORKED = "result: worked"
SHOWS = {
    "steer": ["hello there"],
    "enqueue": [WORKED, "hello there"],
    "collect": [WORKED, "hello there"],
    "interrupt": ["hello there"],
    "rollback": ["hello there"],
    "reject": ["Not taken: the agent is working. Send it again when it is done.", WORKED],
    "parallel": ["hello there", WORKED],
}
"""What stands in the chat in the end, in order; reactions off show waiting in words, left out."""
AT_ONCE = ("interrupt", "rollback", "reject", "parallel")


@pytest.mark.parametrize("where", ["whole server", "channel", "conversation"])
@pytest.mark.parametrize("mode", SHOWS)
async def test_row_29_a_second_message_in_each_mode(tmp_path: Path, mode: str, where: str):
    tester, model = agent()
    other = "enqueue" if mode != "enqueue" else "reject"
    desk = TelegramDesk(tmp_path, tester, queue_mode=mode if where == "whole server" else other)
    if where != "whole server":
        on_channel: Any = {"telegram": {"queue_mode": mode if where == "channel" else other}}
        channels = Settings(channels=on_channel).channels
        desk.settings = desk.settings.model_copy(update={"channels": channels})
    async with desk:
        ann = desk.private()
        if where == "conversation":
            ann.say(f"/queue {mode}")
        ann.say("/queue")
        await ann.shows(f"(set for the {where})")
        told = len(ann.texts())
        ann.say("slow")
        await asyncio.sleep(1)
        ann.say("hello")
        await asyncio.sleep(3)
        soon = [text for text in ann.texts()[told:] if text != "Waiting; 1 in the queue."]
        assert soon == (SHOWS[mode][:1] if mode in AT_ONCE else [])
        await asyncio.sleep(40)
        seen = [text for text in ann.texts()[told:] if text != "Waiting; 1 in the queue."]
        assert seen == SHOWS[mode]
        read = [m.text for m in model.requests[-1].messages if isinstance(m, UserMessage)]
        assert ("slow" in read) is (mode != "rollback")


@pytest.mark.parametrize(
    ("drop", "told", "outcomes"),
    [
        ("drop_oldest", "1 older message was not taken", ["dropped", "answered", "answered"]),
        ("summarize", "2 waiting messages were shortened into one", ["answered", "merged"]),
    ],
)
async def test_row_34_other_ways_to_drop_are_told_too(
    tmp_path: Path, drop: str, told: str, outcomes: list[str]
):
    tester, _ = agent()
    queue = {"cap": 2, "drop": drop}
    async with TelegramDesk(tmp_path, tester, queue_mode="enqueue", queue=queue) as desk:
        ann = desk.private()
        ann.say("slow")
        await asyncio.sleep(1)
        for n in range(3):
            ann.say(f"echo {n}")
        await ann.shows(told)
        await asyncio.sleep(60)
        rows = await desk.inputs("telegram:1001")
        assert [out for _, out in rows][1 : 1 + len(outcomes)] == outcomes


async def test_row_35_a_typist_who_never_pauses_and_a_stop_that_doesn_t_wait(tmp_path: Path):
    tester, model = agent()
    queue = {"debounce_ms": 1000, "debounce_longest_ms": 3000}
    async with TelegramDesk(tmp_path, tester, queue=queue) as desk:
        ann = desk.private()
        for n in range(8):
            ann.say(f"echo {n}")
            await asyncio.sleep(0.8)
            if model.requests:
                break
        assert n <= 4
        await asyncio.sleep(5)
        ann.say("ask bool")
        question = await ann.asks("The bool?")
        await asyncio.sleep(0.5)
        ann.say("yes")
        await asyncio.sleep(0.5)
        assert question.text.endswith("✓ yes")
        ann.say("/status")
        await ann.shows("Running", within=0.5)


async def test_row_36_an_edit_claims_the_message_or_comes_too_late(tmp_path: Path):
    """At every moment around the taking the agent reads the one text or the other, once."""
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester, queue_mode="enqueue") as desk:
        ann = desk.private()
        for early_ms in (-200, 0, 5, 10, 20, 200):
            ann.say("slow")
            await asyncio.sleep(1)
            waiting = ann.say("echo old")
            await asyncio.sleep(29 + early_ms / 1000)
            ann.edit(waiting, "echo new")
            await asyncio.sleep(20)
        read = [said(request) for request in model.requests if said(request).startswith("echo")]
        assert len(read) == 6
        assert set(read) == {"echo old", "echo new"}
        offered = sum("You changed a message" in text for text in ann.texts())
        assert offered <= read.count("echo old")


async def test_row_36_a_group_s_queue_is_one_s_own_to_change(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann, bob = desk.group(), desk.group(BOB, "Bob")
        ann.mention("slow")
        await asyncio.sleep(1)
        bob.mention("echo mine")
        await asyncio.sleep(1)
        ann.say(f"/queue@{desk.bot.username} drop 1")
        await asyncio.sleep(2)
        assert "Taken out" not in ann.screen()
        bob.say(f"/queue@{desk.bot.username} drop 1")
        await bob.shows("Taken out of the queue: echo mine")
