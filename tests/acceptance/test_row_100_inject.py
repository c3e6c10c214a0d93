"""Row 100: `inject` joins the next model call and starts none; what is left over is kept or given
back.
"""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, tool
from tests.acceptance.library import program, soon, stored
from tests.acceptance.log import bodies, said
from tests.acceptance.scripted import Gate, Script, call, messages

pytestmark = pytest.mark.looptime


@tool
async def work() -> str:
    """Takes a second."""
    await asyncio.sleep(1)
    return "worked"


@pytest.mark.parametrize("thread", ["t1", None])
async def test_it_joins_the_next_model_call_last(tmp_path: Path, thread: str | None):
    model = Script([call("work")], ["done"])
    agent = Agent("tester", model, "", [work])
    async with program(tmp_path, agent) as gateway:
        handle = await gateway.start("plan it", thread=thread, principal="ann")
        await asyncio.sleep(0.5)
        assert handle.inject("it moved to Friday")
        result = await soon(handle.result())
        assert (result.status, result.undelivered) == ("completed", ())
        assert messages(model.requests[1]) == [
            ("user", "plan it"),
            ("call", "work"),
            ("result", "worked"),
            ("user", "it moved to Friday"),
        ]
        assert len(model.requests) == 2
    if thread is not None:
        log = await stored(tmp_path, agent, thread, "ann")
        assert bodies(log, "user")[1]["metadata"] == {"queued": "inject"}


async def test_without_a_model_call_left_it_is_saved_to_the_thread(tmp_path: Path):
    gate = Gate()
    model = Script(["All done.", gate], ["next"])
    agent = Agent("tester", model)
    async with program(tmp_path, agent) as gateway:
        handle = await gateway.start("plan it", thread="t1", principal="ann")
        await gate.reached.wait()
        assert handle.inject("it moved to Friday")
        gate.open()
        result = await soon(handle.result())
        assert (result.status, result.undelivered) == ("completed", ())
        await asyncio.sleep(5)
        assert len(model.requests) == 1
        again = await gateway.start("and now?", thread="t1", principal="ann")
        await soon(again.result())
        assert [text for kind, text in messages(model.requests[1]) if kind == "user"] == [
            "plan it",
            "it moved to Friday",
            "and now?",
        ]
    log = await stored(tmp_path, agent, "t1", "ann")
    assert sorted(said(log)[:3]) == ["All done.", "it moved to Friday", "plan it"]
    queued = [body.get("metadata") for body in bodies(log, "user")]
    assert queued == [None, {"queued": "inject"}, None]


async def test_where_no_history_is_saved_it_comes_back_undelivered(tmp_path: Path):
    gate = Gate()
    model = Script(["All done.", gate], ["never"])
    async with program(tmp_path, Agent("tester", model)) as gateway:
        handle = await gateway.start("plan it")
        await gate.reached.wait()
        assert handle.inject("it moved to Friday")
        gate.open()
        result = await soon(handle.result())
        assert (result.status, result.undelivered) == ("completed", ("it moved to Friday",))
        await asyncio.sleep(5)
        assert len(model.requests) == 1
