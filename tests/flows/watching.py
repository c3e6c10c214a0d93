"""What a flow's test looks at: which runs were on at once, and a model that works on demand."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from gateway.core.cancellation import InterruptBehavior
from gateway.core.messages import AssistantMessage, ToolResult, UserMessage
from gateway.ports.model import ModelRequest
from gateway.runs.context import ToolContext
from gateway.runs.tools import Tool, tool
from tests.fakes.channel import FakeChannel
from tests.flows.desk import Script, call


def working(request: ModelRequest) -> Sequence[object]:
    """`work …` calls the tool, `talk …` streams for three seconds, `ask …` asks; all else is
    answered at once.
    """
    last = request.messages[-1]
    if isinstance(last, ToolResult):
        return [f"after {last.content}"]
    text = last.text if isinstance(last, UserMessage) else ""
    for word, name in (("work", "work"), ("ask", "ask"), ("finish", "finish")):
        if text.startswith(word):
            return [call(name)]
    if text.startswith("talk"):
        return ["one ", 1.0, "two ", 1.0, "three ", 1.0, "four"]
    return [f"done {text}"]


@tool(behavior=InterruptBehavior.COOPERATIVE)
async def work(context: ToolContext) -> str:
    """Takes three seconds, or until it is stopped."""
    try:
        await asyncio.wait_for(context.signal.wait(), 3.0)
    except TimeoutError:
        return "worked"
    return "stopped"


@tool
async def finish() -> str:
    """Takes three seconds and can't be interrupted."""
    await asyncio.sleep(3.0)
    return "finished"


@tool
async def ask(context: ToolContext) -> str:
    """Asks."""
    return str(await context.interrupt(message="Which region?", response_schema=bool))


TOOLS: tuple[Tool, ...] = (work, finish, ask)


def model() -> Script:
    return Script(working)


def most_at_once(channel: FakeChannel) -> int:
    """How many runs were on at the same time, at most."""
    on: set[str] = set()
    most = 0
    for update in channel.updates:
        if update.type == "run":
            run = str(update.data["run"])
            on.add(run)
            if update.data["state"] == "ended":
                on.discard(run)
            most = max(most, len(on))
    return most


def users(request: ModelRequest) -> list[str]:
    """What people said in a model input."""
    return [m.text for m in request.messages if isinstance(m, UserMessage)]


def open_calls(request: ModelRequest) -> list[str]:
    """Calls of a model input that haven't exactly one result, right after them."""
    bad: list[str] = []
    waiting: list[str] = []
    for message in request.messages:
        if isinstance(message, ToolResult):
            if message.call_id in waiting:
                waiting.remove(message.call_id)
            else:
                bad.append(message.call_id)
            continue
        bad += waiting
        waiting = [c.id for c in message.calls] if isinstance(message, AssistantMessage) else []
    return bad + waiting
