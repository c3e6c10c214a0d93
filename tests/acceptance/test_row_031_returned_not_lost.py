"""Row 31: what was not delivered is returned, not lost: `undelivered`, `refused` with a code."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.library import program, soon
from tests.acceptance.scripted import Script, call
from tests.acceptance.work import work, worker

pytestmark = pytest.mark.looptime


@tool
async def ask_later(context: ToolContext) -> str:
    """Works for a second, then asks."""
    await asyncio.sleep(1)
    return str(await context.interrupt(message="Shall I?", response_schema=bool))


async def test_a_program_gets_back_what_waits_at_a_pause_and_at_an_abort(tmp_path: Path):
    model = Script([call("ask_later")], [call("work")], ["done"])
    async with program(tmp_path, Agent("worker", model, "", [work, ask_later])) as gateway:
        handle = await gateway.start("ask me", thread="t", principal="ann")
        await asyncio.sleep(0.5)
        assert handle.steer("one")
        assert handle.follow_up("two")
        result = await soon(handle.result())
        assert result.status == "paused"
        assert list(result.undelivered) == ["one", "two"]
        assert not handle.steer("three")
        handle = await gateway.start("work", thread="u", principal="ann")
        await asyncio.sleep(1)
        assert handle.steer("one")
        assert handle.follow_up("two")
        assert await soon(handle.abort()) == ["one", "two"]


async def test_a_person_keeps_their_place_at_a_pause_and_gets_it_back_at_a_stop(tmp_path: Path):
    agent, model = worker()
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        await ann.say("ask me")
        await ann.frame("question")
        one, two = await ann.say("/next one"), await ann.say("/later two")
        await ann.say("/stop")
        assert await ann.outcome(one, within=1) == ("returned", "USER_SIGINT")
        assert await ann.outcome(two, within=1) == ("returned", "USER_SIGINT")
        texts = [data["params"]["text"] for data in ann.find("notice", code="RETURNED")]
        assert texts == ["one", "two"]
        await asyncio.sleep(30)
        assert len(model.requests) == 1


async def test_a_refused_one_has_its_code(tmp_path: Path):
    agent, _ = worker()
    async with Desk(tmp_path, agent, queue_mode="reject") as desk:
        ann = await desk.person("ann")
        first = await ann.say("work")
        await ann.frame("call", state="started")
        refused = await ann.say("and this")
        assert await ann.outcome(refused, within=1) == ("refused", "THREAD_BUSY")
        assert "THREAD_BUSY" in ann.codes()
        assert await ann.outcome(first, within=5) == ("answered", "")
