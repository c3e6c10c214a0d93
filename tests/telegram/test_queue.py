"""The queue from a chat: modes, cap, bursts, what waits seen and changed; groups."""

import asyncio
from pathlib import Path

import pytest

from gateway.core.messages import UserMessage
from tests.acceptance.telegram import BOB, GROUP, TelegramDesk
from tests.acceptance.telegram_agents import agent, said

pytestmark = pytest.mark.looptime
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 50


async def test_row_29_the_mode_is_told_with_its_source(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("/queue")
        await ann.shows("joins the work that goes on (set for the whole server)")
        ann.say("/queue reject")
        await ann.shows("is refused")
        ann.say("slow")
        await asyncio.sleep(1)
        ann.say("hello")
        await ann.shows("Not taken: the agent is working")
        ann.say("/queue")
        await ann.shows("is refused (set for the conversation)")


async def test_row_32_in_a_group_others_wait_and_nobody_is_cut(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, shared_queue_mode="interrupt") as desk:
        ann, bob = desk.group(), desk.group(BOB, "Bob")
        ann.mention("count")
        await ann.shows("1 2 3")
        bob.mention("hello")
        await bob.shows("Waiting; 1 in the queue.")
        await bob.shows("hello there", within=60)
        await asyncio.sleep(1)
        assert any(" 19 20" in text for text in ann.texts())
        rows = await desk.inputs(f"telegram:{GROUP}")
        assert [out for _, out in rows] == ["answered", "answered"]


async def test_row_34_over_the_cap_is_told_with_a_count(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, queue_mode="enqueue", queue={"cap": 3}) as desk:
        ann = desk.private()
        ann.say("slow")
        await asyncio.sleep(1)
        for n in range(5):
            ann.say(f"echo {n}")
        await ann.shows("2 messages were not taken")
        await asyncio.sleep(1)
        outcomes = [out for _, out in await desk.inputs("telegram:1001")]
        assert outcomes.count("dropped") == 2


async def test_row_35_a_burst_is_one_run(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester, queue={"debounce_ms": 300}) as desk:
        ann = desk.private()
        for text in ("echo a", "b", "c"):
            ann.say(text)
            await asyncio.sleep(0.1)
        await ann.shows("ok")
        texts = [m.text for m in model.requests[0].messages if isinstance(m, UserMessage)]
        assert texts == ["echo a", "b", "c"]
        assert len(model.requests) == 1


async def test_row_36_the_queue_is_seen_edited_and_cut_from_the_chat(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester, queue_mode="enqueue") as desk:
        ann = desk.private()
        ann.say("slow")
        await asyncio.sleep(1)
        ann.say("echo one")
        ann.say("echo two")
        await asyncio.sleep(1)
        ann.say("/queue")
        await ann.shows("1. echo one\n2. echo two")
        ann.say("/queue edit 2 echo three")
        await ann.shows("Changed to: echo three")
        ann.say("/очередь убрать 1")
        await ann.shows("Taken out of the queue: echo one")
        await asyncio.sleep(40)
        texts = [said(request) for request in model.requests]
        assert "echo three" in texts
        assert "echo one" not in texts
        assert "echo two" not in texts


async def test_row_33_a_run_out_of_time_ends_visibly(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, timeouts={"run_seconds": 5}) as desk:
        ann = desk.private()
        ann.say("slow")
        await ann.shows("Interrupted (BUDGET_EXCEEDED)")
        await asyncio.sleep(1)
        assert [out for _, out in await desk.inputs("telegram:1001")] == ["interrupted"]
