"""Row 99: `follow_up` starts a new turn with its own iteration budget."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, RunOptions, tool
from tests.acceptance.library import program, soon, stored
from tests.acceptance.log import bodies, said
from tests.acceptance.scripted import Script, call, messages

pytestmark = pytest.mark.looptime


@tool
async def work() -> str:
    """Takes a second."""
    await asyncio.sleep(1)
    return "worked"


def users(model: Script, number: int) -> list[str]:
    return [text for kind, text in messages(model.requests[number]) if kind == "user"]


@pytest.mark.parametrize("thread", ["t1", None])
async def test_a_turn_of_its_own_with_its_own_iterations(tmp_path: Path, thread: str | None):
    model = Script([call("work")], ["first"], [call("work")], ["second"])
    agent = Agent("tester", model, "", [work], max_iterations=2)
    async with program(tmp_path, agent) as gateway:
        handle = await gateway.start("plan it", thread=thread, principal="ann")
        await asyncio.sleep(0.5)
        assert handle.follow_up("then draft it")
        assert handle.queued == ["then draft it"]
        result = await soon(handle.result())
        assert (result.status, result.text, result.undelivered) == ("completed", "second", ())
        assert len(model.requests) == 4
        assert users(model, 1) == ["plan it"]
        assert users(model, 2) == users(model, 3) == ["plan it", "then draft it"]
        assert handle.follow_up("too late") is False
    if thread is not None:
        log = await stored(tmp_path, agent, thread, "ann")
        assert said(log) == ["plan it", "first", "then draft it", "second"]
        assert bodies(log, "user")[1]["metadata"] == {"queued": "followUp"}
        assert [row["outcome"] for row in log["inputs"]] == ["answered"]


async def test_the_control_one_turn_has_no_more_than_its_budget(tmp_path: Path):
    model = Script([call("work")], [call("work")], ["never"])
    agent = Agent("tester", model, "", [work], max_iterations=2)
    async with program(tmp_path, agent) as gateway:
        handle = await gateway.start("plan it", thread="t1")
        result = await soon(handle.result())
        assert (result.status, result.error) == ("failed", "BUDGET_EXCEEDED")
        assert len(model.requests) == 2


@pytest.mark.parametrize(("drain", "turns"), [("one-at-a-time", 3), ("all", 2)])
async def test_each_follow_up_its_turn_or_all_in_one(tmp_path: Path, drain: str, turns: int):
    model = Script(*[part for _ in range(3) for part in ([call("work")], ["done"])])
    agent = Agent("tester", model, "", [work], max_iterations=2)
    async with program(tmp_path, agent) as gateway:
        options = RunOptions(queue_follow_up=drain)
        handle = await gateway.start("one", thread="t1", options=options)
        await asyncio.sleep(0.5)
        assert handle.follow_up("two")
        assert handle.follow_up("three")
        assert (await soon(handle.result())).status == "completed"
        assert len(model.requests) == turns * 2
        assert users(model, -1) == ["one", "two", "three"]
