"""Row 46: finished calls do not run again; with a question open no further call starts."""

from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.asking import asked, asker, results
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime


def counted(name: str, ran: list[str]) -> Any:
    @tool(name=name, parallel_safe=True)
    async def count(context: ToolContext) -> str:
        """Counts."""
        ran.append(name)
        return name

    return count


async def test_one_after_another(tmp_path: Path):
    ran: list[str] = []
    tools = [counted("before", ran), asker("Well?", bool), counted("after", ran)]
    model = Script([call("before"), call("ask"), call("after")], ["ok"])
    async with Desk(tmp_path, Agent("tester", model, tools=tools)) as desk:
        ann = await desk.person("ann")
        await asked(ann)
        assert ran == ["before"]
        await ann.say("yes")
        await ann.ended()
        assert ran == ["before", "after"]
        assert await results(ann) == ["before", "ask=True", "after"]


async def test_in_parallel(tmp_path: Path):
    ran: list[str] = []
    tools = [counted("beside", ran), asker("Well?", bool), counted("after", ran)]
    model = Script([call("ask"), call("beside"), call("after")], ["ok"])
    agent = Agent("tester", model, tools=tools, parallel_tool_calls=True, max_parallel_tool_calls=1)
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        await asked(ann)
        assert ran == []
        await ann.say("no")
        await ann.ended()
        assert sorted(ran) == ["after", "beside"]
        assert sorted(await results(ann)) == ["after", "ask=False", "beside"]
