"""Tools that ask, and what their runs left in the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway import Agent, ToolContext, tool
from gateway.ports.model import ModelRequest
from tests.acceptance.people import Person
from tests.acceptance.scripted import Script, call

REGION = {"type": "string", "enum": ["eu", "us", "asia"]}
REPLICAS = {"type": "integer", "minimum": 1, "maximum": 5}


def asker(message: str, schema: Any, name: str = "ask", **more: Any) -> Any:
    """A tool that asks one question and returns the answer."""

    @tool(name=name, parallel_safe=True)
    async def ask(context: ToolContext) -> str:
        """Asks."""
        answer = await context.interrupt(message=message, response_schema=schema, **more)
        return f"{name}={answer!r}"

    return ask


def asking_agent(schema: Any, *steps: Any, message: str = "Well?", **more: Any) -> Agent:
    """An agent whose first step asks one question; then it plays `steps`."""
    model = Script([call("ask")], *(steps or (["fine"],)))
    return Agent("tester", model, tools=[asker(message, schema, **more)])


async def results(person: Person) -> list[str]:
    """The results of tool calls in the log, in order."""
    log = await person.export()
    return [e["body"]["content"] for e in log["entries"] if e["kind"] == "tool_result"]


async def asked(person: Person, text: str = "go", **same: Any) -> Mapping[str, Any]:
    """Say something; the question frame that comes of it."""
    await person.say(text)
    return await person.frame("question", **same)


def requests_of(agent: Agent) -> list[ModelRequest]:
    """What the agent's scripted model was asked."""
    assert isinstance(agent.model, Script)
    return agent.model.requests
