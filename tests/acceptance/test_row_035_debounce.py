"""Row 35: a burst to an idle thread is one run, with a longest wait; some things never wait."""

import asyncio
from pathlib import Path

import pytest

from tests.acceptance.desk import Desk
from tests.acceptance.work import users, worker

pytestmark = pytest.mark.looptime


async def test_three_messages_in_300_ms_are_one_run(tmp_path: Path):
    agent, model = worker()
    async with Desk(tmp_path, agent, queue={"debounce_ms": 300}) as desk:
        ann = await desk.person("ann")
        said = []
        for text in ("one", "two", "three"):
            said.append(await ann.say(text))
            await asyncio.sleep(0.1)
        got = [(await ann.outcome(receipt))[0] for receipt in said]
        assert got == ["answered", "merged", "merged"]
        assert [users(r) for r in model.requests] == [["one", "two", "three"]]


async def test_a_typist_who_never_pauses(tmp_path: Path):
    agent, model = worker()
    queue = {"debounce_ms": 500, "debounce_longest_ms": 2_000}
    async with Desk(tmp_path, agent, queue=queue) as desk:
        ann = await desk.person("ann")
        began = desk.time()
        while not model.requests:
            await ann.say("more")
            await asyncio.sleep(0.2)
            assert desk.time() - began < 3
        assert desk.time() - began >= 1.9


async def test_commands_answers_stops_and_now_never_wait(tmp_path: Path):
    agent, _ = worker()
    queue = {"debounce_ms": 2_000, "debounce_longest_ms": 9_000}
    async with Desk(tmp_path, agent, queue_mode="enqueue", queue=queue) as desk:
        ann = await desk.person("ann")
        asks = await ann.say("ask me")
        command = await ann.say("/status")
        assert await ann.outcome(command, within=0.2) == ("handled", "STATUS")
        await ann.frame("question", within=5)
        answer = await ann.say("yes")
        assert (await ann.outcome(answer, within=0.2))[0] == "decided"
        assert await ann.outcome(asks, within=1) == ("answered", "")
        burst = await ann.say("in a burst")
        now = await ann.say("/now at once")
        assert await ann.outcome(now, within=0.2) == ("answered", "")
        stop = await ann.say("stop")
        assert await ann.outcome(stop, within=0.2) == ("handled", "STOPPED")
        assert await ann.outcome(burst, within=0.2) == ("returned", "USER_SIGINT")
        await asyncio.sleep(20)
        assert "done in a burst" not in ann.texts()
