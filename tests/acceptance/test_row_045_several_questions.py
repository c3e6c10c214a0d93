"""Row 45: several questions of one tool come in order; it runs again with the earlier answers."""

from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.asking import REGION, REPLICAS, asked, results
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime


async def test_two_questions(tmp_path: Path):
    starts = []

    @tool
    async def setup(context: ToolContext) -> str:
        """Sets up."""
        starts.append(1)
        region = await context.interrupt(message="Where?", response_schema=REGION)
        count = await context.interrupt(message=f"How many in {region}?", response_schema=REPLICAS)
        return f"{count} in {region}"

    async with Desk(tmp_path, Agent("tester", Script([call("setup")], ["ok"]), tools=[setup])) as d:
        ann = await d.person("ann")
        first = await asked(ann)
        assert first["data"]["question"]["message"] == "Where?"
        await ann.say("eu")
        second = await ann.frame("question")
        assert second["data"]["question"]["message"] == "How many in eu?"
        assert second["data"]["question"]["id"] != first["data"]["question"]["id"]
        await ann.say("три")
        await ann.ended()
        assert await results(ann) == ["3 in eu"]
        assert len(starts) == 3
