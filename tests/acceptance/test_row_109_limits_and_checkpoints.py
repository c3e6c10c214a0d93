"""Row 109: the iteration limit gives back what was not delivered; a newer checkpoint is refused."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.library import program, soon
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime


@tool
async def work() -> str:
    """Takes a second."""
    await asyncio.sleep(1)
    return "worked"


@tool
async def ask(context: ToolContext) -> str:
    """Asks."""
    return str(await context.interrupt(message="Well?", response_schema=bool))


def rewrite(folder: Path, before: str, after: str) -> None:
    """Change the stored run, as another version would have written it."""
    (file,) = folder.glob("*.db")
    with sqlite3.connect(file) as database:
        changed = database.execute(
            "UPDATE run SET body = replace(body, ?, ?) WHERE instr(body, ?)",
            (before, after, before),
        )
        assert changed.rowcount == 1
    database.close()


@pytest.mark.parametrize(("limit", "status"), [("stop", "interrupted"), ("fail", "failed")])
async def test_what_was_not_delivered_comes_back(tmp_path: Path, limit: str, status: str):
    model = Script([call("work")])
    agent = Agent("tester", model, "", [work], max_iterations=2, on_iteration_limit=limit)
    async with program(tmp_path, agent) as gateway:
        handle = await gateway.start("plan it", thread="t1", principal="ann")
        await asyncio.sleep(1.5)
        assert handle.follow_up("then draft it")
        result = await soon(handle.result())
        assert result.status == status
        left = result.undelivered if limit == "stop" else handle.queued
        assert list(left) == ["then draft it"]
        assert len(model.requests) == 2


@pytest.mark.parametrize(
    ("change", "outcome", "calls"),
    [
        ('"version":1|"version":99', "failed", 1),
        ('"toolExecution"|"somethingElse"', "answered", 2),
    ],
)
async def test_a_newer_checkpoint_is_refused_and_an_older_one_goes_on(
    tmp_path: Path, change: str, outcome: str, calls: int
):
    model = Script([call("ask")], ["done"])
    async with Desk(tmp_path, Agent("tester", model, "", [ask])) as desk:
        desk.may_fail = outcome == "failed"
        ann = await desk.person("ann")
        said = await ann.say("go")
        await ann.frame("question", within=5)
        await asyncio.sleep(1)
        await desk.stop()
        rewrite(tmp_path, *change.split("|"))
        await desk.start()
        ann = await desk.person("ann")
        await ann.say("yes")
        assert (await ann.outcome(said, within=10))[0] == outcome
        assert len(model.requests) == calls
