"""Row 107: `context.once` runs its function once over pauses, resumes and restarts."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, SyncToolContext, ToolContext, tool
from tests.acceptance.asking import REGION, REPLICAS, asked, results
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("kind", ["async", "plain"])
async def test_counted(tmp_path: Path, kind: str):
    tickets: list[str] = []
    starts: list[int] = []

    def ticket() -> str:
        tickets.append("T-1")
        return tickets[-1]

    @tool(name="setup")
    async def setup(context: ToolContext) -> str:
        """Sets up."""
        starts.append(1)
        number = await context.once("ticket", ticket)
        region = await context.interrupt(message="Where?", response_schema=REGION)
        count = await context.interrupt(message="How many?", response_schema=REPLICAS)
        return f"{number}: {count} in {region}"

    @tool(name="setup")
    def plain(context: SyncToolContext) -> str:
        """Sets up."""
        starts.append(1)
        number = context.once("ticket", ticket)
        region = context.interrupt(message="Where?", response_schema=REGION)
        count = context.interrupt(message="How many?", response_schema=REPLICAS)
        return f"{number}: {count} in {region}"

    used = setup if kind == "async" else plain
    async with Desk(tmp_path, Agent("tester", Script([call("setup")], ["ok"]), tools=[used])) as d:
        ann = await d.person("ann")
        await asked(ann)
        await d.kill()
        await d.start()
        ann = await d.person("ann")
        await asyncio.sleep(1)
        await ann.say("eu", id_="where")
        await ann.frame("question", lambda data: data["question"]["message"] == "How many?")
        await asyncio.sleep(1)
        await d.restart()
        ann = await d.person("ann")
        await ann.say("2", id_="count")
        await ann.ended()
        assert await results(ann) == ["T-1: 2 in eu"]
        assert len(starts) == 3
        assert len(tickets) == 1
