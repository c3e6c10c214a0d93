"""Row 101: `abort` is final: it returns what was never delivered, methods return False after it."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, tool
from tests.acceptance.library import program, soon, stored
from tests.acceptance.log import said
from tests.acceptance.scripted import Gate, Script, call

pytestmark = pytest.mark.looptime


@tool
async def work() -> str:
    """Takes 300 ms."""
    await asyncio.sleep(0.3)
    return "worked"


@pytest.mark.parametrize(
    ("thread", "status", "reason"),
    [("t1", "interrupted", "USER_SIGINT"), (None, "cancelled", "TASK_CANCELLED")],
)
async def test_what_was_never_delivered_comes_back_and_nothing_more_is_taken(
    tmp_path: Path, thread: str | None, status: str, reason: str
):
    model = Script([call("work")], ["never"])
    agent = Agent("tester", model, "", [work])
    async with program(tmp_path, agent) as gateway:
        handle = await gateway.start("plan it", thread=thread, principal="ann")
        await asyncio.sleep(0.1)
        assert handle.steer("a")
        assert handle.follow_up("b")
        assert handle.inject("c")
        assert await soon(handle.abort()) == ["a", "b", "c"]
        assert [handle.steer("d"), handle.follow_up("d"), handle.inject("d")] == [False] * 3
        assert handle.queued == []
        result = await soon(handle.result())
        assert (result.status, result.reason) == (status, reason)
        assert result.error is None
        assert await soon(handle.abort()) == []
        await asyncio.sleep(5)
        assert len(model.requests) == 1
    if thread is not None:
        log = await stored(tmp_path, agent, thread, "ann")
        assert said(log) == ["plan it"]


async def test_a_message_in_its_check_is_not_delivered_yet(tmp_path: Path):
    gate = Gate()

    async def check(text: str) -> None:
        if text == "slow to check":
            await gate.wait()

    model = Script([call("work")], ["never"])
    agent = Agent("tester", model, "", [work], before_run=[check])
    async with program(tmp_path, agent) as gateway:
        handle = await gateway.start("plan it", thread="t1", principal="ann")
        await asyncio.sleep(0.1)
        assert handle.steer("slow to check")
        await gate.reached.wait()
        assert handle.queued == ["slow to check"]
        assert await soon(handle.abort()) == ["slow to check"]
        gate.open()
        assert (await soon(handle.result())).status == "interrupted"
    assert said(await stored(tmp_path, agent, "t1", "ann")) == ["plan it"]


async def test_after_the_last_model_turn_there_is_nothing_left_to_stop(tmp_path: Path):
    model = Script(["done"])
    async with program(tmp_path, Agent("tester", model)) as gateway:
        handle = await gateway.start("plan it", thread="t1")
        assert (await soon(handle.result())).status == "completed"
        assert await soon(handle.abort()) == []
        assert (await soon(handle.result())).status == "completed"
        assert handle.steer("d") is False
