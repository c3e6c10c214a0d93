"""Row 37: `steer` drains one at a time or all; what is in its check counts as not delivered."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, RunOptions, tool
from tests.acceptance.library import program, soon
from tests.acceptance.scripted import Gate, Script, call
from tests.acceptance.work import users

pytestmark = pytest.mark.looptime


@tool
async def short() -> str:
    """Takes a second."""
    await asyncio.sleep(1)
    return "short"


@pytest.mark.parametrize(
    ("drain", "seen"),
    [
        ("one-at-a-time", [["go"], ["go", "a"], ["go", "a", "b"], ["go", "a", "b", "c"]]),
        ("all", [["go"], ["go", "a", "b", "c"]]),
    ],
)
async def test_how_many_join_a_model_call(tmp_path: Path, drain: str, seen: list[list[str]]):
    model = Script([call("short")], ["more "])
    agent = Agent("t", model, "", [short])
    async with program(tmp_path, agent) as gateway:
        options = RunOptions(queue_steering=drain)
        handle = await gateway.start("go", thread="t", principal="ann", options=options)
        await asyncio.sleep(0.5)
        assert [handle.steer(text) for text in "abc"] == [True] * 3
        result = await soon(handle.result())
        assert result.status == "completed"
        assert [users(request) for request in model.requests] == seen
        assert handle.steer("d") is False
        assert handle.follow_up("d") is False


async def test_a_message_in_its_check_is_not_delivered(tmp_path: Path):
    gate = Gate()

    async def check(text: str) -> None:
        if text == "slow":
            await gate.wait()

    model = Script([call("short")], ["done"])
    agent = Agent("t", model, "", [short], before_run=[check])
    async with program(tmp_path, agent) as gateway:
        handle = await gateway.start("go", thread="t", principal="ann")
        await asyncio.sleep(0.5)
        assert handle.steer("slow")
        await asyncio.wait_for(gate.reached.wait(), 5)
        assert handle.queued == ["slow"]
        assert await soon(handle.abort()) == ["slow"]
        assert handle.steer("x") is False
        gate.open()
        await asyncio.sleep(5)
        assert "slow" not in str([users(r) for r in model.requests])
