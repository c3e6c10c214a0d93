"""Row 34: the queue's cap and what gives way; the person is told how many were not taken."""

import asyncio
from pathlib import Path

import pytest

from tests.acceptance.desk import Desk
from tests.acceptance.log import bodies
from tests.acceptance.work import worker

pytestmark = pytest.mark.looptime


async def test_one_more_than_the_default_cap_is_refused(tmp_path: Path):
    agent, _ = worker()
    async with Desk(tmp_path, agent, queue_mode="enqueue") as desk:
        ann = await desk.person("ann", language="ru")
        await ann.say("work")
        await ann.frame("call", state="started")
        said = [await ann.say(f"m{n}") for n in range(22)]
        assert await ann.outcome(said[20], within=1) == ("dropped", "QUEUE_FULL")
        assert await ann.outcome(said[21], within=1) == ("dropped", "QUEUE_FULL")
        told = ann.find("notice", code="QUEUE_FULL")
        assert [data["params"]["count"] for data in told] == [1, 2]
        assert "2" in told[1]["text"]
        await asyncio.sleep(30)
        assert [await ann.outcome(r) for r in said[:20]] == [("answered", "")] * 20


async def test_the_oldest_gives_way(tmp_path: Path):
    agent, _ = worker()
    queue = {"cap": 2, "drop": "drop_oldest"}
    async with Desk(tmp_path, agent, queue_mode="enqueue", queue=queue) as desk:
        ann = await desk.person("ann")
        await ann.say("work")
        await ann.frame("call", state="started")
        said = [await ann.say(f"m{n}") for n in range(4)]
        await asyncio.sleep(10)
        got = [(await ann.outcome(receipt))[0] for receipt in said]
        assert got == ["dropped", "dropped", "answered", "answered"]
        told = ann.find("notice", code="DROPPED_OLDEST")
        assert [data["params"]["count"] for data in told] == [1, 2]


async def test_what_waits_is_shortened(tmp_path: Path):
    agent, model = worker()
    queue = {"cap": 2, "drop": "summarize"}
    async with Desk(tmp_path, agent, queue_mode="enqueue", queue=queue) as desk:
        ann = await desk.person("ann")
        await ann.say("work")
        await ann.frame("call", state="started")
        said = [await ann.say(text) for text in ("a" * 80, "bb", "cc")]
        await asyncio.sleep(10)
        got = [(await ann.outcome(receipt))[0] for receipt in said]
        assert got == ["answered", "merged", "answered"]
        texts = [body["text"] for body in bodies(await ann.export(), "user")]
        assert texts[1] == "[2 messages, shortened]\n- " + "a" * 60 + "\n- bb"
        assert texts[2] == "cc"
        assert [data["params"]["count"] for data in ann.find("notice", code="SUMMARIZED")] == [2]
        assert len(model.requests) == 4
