"""An agent that does what the last message's first word says: for tests of what waits and joins.

"work …": a COOPERATIVE tool of three seconds · "finish …": one that can't be cut · "ask …": a
yes/no question · "talk …": four words in three seconds · anything else is answered "done …".
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from gateway import Agent, ToolContext, tool
from gateway.core.messages import AssistantMessage, ToolResult, UserMessage
from gateway.ports.model import ModelRequest
from tests.acceptance.scripted import Script, call


@tool(behavior="COOPERATIVE")
async def work(context: ToolContext) -> str:
    """Takes three seconds, or until it is stopped."""
    try:
        await asyncio.wait_for(context.signal.wait(), 3)
    except TimeoutError:
        return "worked"
    context.signal.checkpoint()
    return "not reached"


@tool
async def finish() -> str:
    """Takes three seconds."""
    await asyncio.sleep(3)
    return "finished"


@tool
async def ask(context: ToolContext) -> str:
    """Asks."""
    return str(await context.interrupt(message="Shall I?", response_schema=bool))


def step(request: ModelRequest) -> Iterable[object]:
    """What the model does with this input."""
    last = request.messages[-1]
    if isinstance(last, ToolResult):
        return [f"after {last.content}"]
    text = last.text if isinstance(last, UserMessage) else ""
    word = text.split()[0] if text else ""
    if word in ("work", "finish", "ask"):
        return [call(word)]
    if word == "talk":
        return ["one ", 1.0, "two ", 1.0, "three ", 1.0, "four"]
    return [f"done {text}"]


def worker() -> tuple[Agent, Script]:
    """The agent, and its model."""
    model = Script(step)
    return Agent("worker", model, "", [work, finish, ask]), model


def users(request: ModelRequest) -> list[str]:
    """What people said in a model input."""
    return [m.text for m in request.messages if isinstance(m, UserMessage)]


def without_one_result(request: ModelRequest) -> list[str]:
    """The calls of a model input that don't have exactly one result, right after them."""
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


def most_at_once(frames: list[dict[str, Any]]) -> int:
    """How many runs of a thread were on at the same time, at most."""
    on: set[str] = set()
    most = 0
    for data in frames:
        on.add(data["run"])
        if data["state"] == "ended":
            on.discard(data["run"])
        most = max(most, len(on))
    return most
