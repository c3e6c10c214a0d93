"""The agent of a real server under test, `tests.acceptance.real_agent:agent`, in real time."""

from __future__ import annotations

import asyncio
from typing import Any

from gateway import Agent, ToolContext, tool
from tests.acceptance.scripted import Script, call, messages


@tool
async def ask(context: ToolContext) -> str:
    """Asks."""
    return str(await context.interrupt(message="Sure?", response_schema=bool))


@tool(behavior="COOPERATIVE")
async def search(context: ToolContext) -> str:
    """Searches for a minute, unless it is stopped."""
    for _ in range(600):
        await asyncio.sleep(0.1)
        context.signal.checkpoint()
    return "found"


def play(request: Any) -> list[object]:
    """Talks for a minute, asks, or searches, by the first word; answers all else."""
    kind, text = [line for line in messages(request) if line[0] != "assistant"][-1]
    if kind == "user" and text.startswith("talk"):
        return [part for number in range(600) for part in (f"{number} ", 0.1)]
    if kind == "user" and text.split()[0] in ("ask", "search"):
        return [call(text.split()[0])]
    return [f"heard {text}"]


agent = Agent("real", Script(play), "", [ask, search])
