"""Desks whose run waits for answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gateway.core.messages import ToolResult
from gateway.ports.rows import InputRow
from gateway.runs.context import ToolContext
from gateway.runs.tools import Tool, tool
from tests.flows.desk import Desk, Script, agent_of, call, open_desk

REGION = {"type": "string", "enum": ["eu", "us", "asia"]}
REPLICAS = {"type": "integer", "minimum": 1, "maximum": 5}


def asker(message: str, schema: object, name: str = "ask", **more: Any) -> Tool:
    """A tool that asks one question and returns the answer."""

    @tool(name=name, parallel_safe=True)
    async def ask(context: ToolContext) -> str:
        """Asks."""
        answer = await context.interrupt(message=message, response_schema=schema, **more)
        return f"{name}={answer!r}"

    return ask


async def asked(path: Path, schema: object, *steps: Any, **options: Any) -> Desk:
    """A desk whose run waits for one answer."""
    model = Script([call("ask")], *(steps or (["fine"],)))
    desk = await open_desk(path / "a.db", agent_of(model, asker("Well?", schema)), **options)
    await desk.say("go")
    await desk.settle(1)
    assert [prompt.question.message for prompt in desk.channel.prompts] == ["Well?"]
    return desk


async def results(desk: Desk) -> list[str]:
    return [m.content for m in await desk.history() if isinstance(m, ToolResult)]


async def two(path: Path, **options: Any) -> Desk:
    """A desk whose run asks two questions at once."""
    tools = (asker("Deploy?", bool, "one"), asker("Delete?", bool, "two"))
    model = Script([call("one"), call("two")], ["fine"])
    agent = agent_of(model, *tools, parallel_tool_calls=True)
    desk = await open_desk(path / "a.db", agent, **options)
    await desk.say("go")
    await desk.settle(1)
    assert [p.question.message for p in desk.channel.prompts] == ["Deploy?", "Delete?"]
    return desk


async def press(desk: Desk, option: str, value: Any = None, by: str = "ann") -> InputRow:
    """Press a button of the last prompt; what became of it."""
    token = desk.channel.prompts[-1].row.token
    dedup = f"p{len(desk.channel.journal)}"
    receipt = await desk.router.press(token, option, by, dedup=dedup, channel="fake", value=value)
    await desk.settle(1)
    return await desk.row(receipt)
