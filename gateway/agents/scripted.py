"""The demo agent: a model that follows a script, at a person's reading pace, and its real tools."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import TypeAlias

from gateway.agents.concierge.replies import Turn, next_turn
from gateway.agents.concierge.tools import CHECK_SECONDS, concierge_tools
from gateway.core.messages import AssistantMessage, ToolCall
from gateway.ports.model import (
    CallDelta,
    Finished,
    Model,
    ModelEvent,
    ModelRequest,
    TextDelta,
    Usage,
)
from gateway.runs.agent import Agent
from gateway.runs.runtime import Runtime

Script: TypeAlias = Callable[[ModelRequest], Turn]
"""What comes next: a text, and at most one tool call."""

NAME = "concierge"
INSTRUCTIONS = """\
You are the concierge. You help with deployments, the handbook, checks, orders, plans and tables,
and you use your tools for all of it; never claim that something was done that no tool has done.
Answer in the language of the person's last message (English or Russian) and give the tools that
language. Before you deploy, call deployment_target and leave out what the person has not named; the
person is asked. If they correct you half-way, go by the correction. If your reply was cut off, the
person has heard no more than stands in the conversation. If the outcome of a call is unknown, say
so and do not repeat it.
"""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast it speaks: the pause before the first word, and words a second after it."""

    first_word_seconds: float = 0.3
    words_per_second: float = 4.0


class ScriptedModel:
    """A `Model` without a model: what it says follows from the request alone, by the `script`."""

    def __init__(self, pace: Pace | None = None, script: Script = next_turn) -> None:
        self._pace = pace or Pace()
        self._script = script

    def stream(
        self, request: ModelRequest
    ) -> AbstractAsyncContextManager[AsyncIterator[ModelEvent]]:
        return self._streaming(request)

    @asynccontextmanager
    async def _streaming(self, request: ModelRequest) -> AsyncIterator[AsyncIterator[ModelEvent]]:
        async with aclosing(self._events(request, self._script(request))) as events:
            yield events

    async def _events(self, request: ModelRequest, turn: Turn) -> AsyncGenerator[ModelEvent]:
        await asyncio.sleep(self._pace.first_word_seconds)
        words = re.findall(r"\S+\s*", turn.text)
        for word in words:
            yield TextDelta(word)
            await asyncio.sleep(1 / self._pace.words_per_second)
        if turn.tool:
            call = ToolCall(_unused_id(request), turn.tool, turn.arguments or {})
            yield CallDelta(call)
        yield Finished(Usage(output_tokens=len(words)))


def _unused_id(request: ModelRequest) -> str:
    used = {
        call.id
        for message in request.messages
        if isinstance(message, AssistantMessage)
        for call in message.calls
    }
    number = len(used) + 1
    while f"call-{number}" in used:
        number += 1
    return f"call-{number}"


def concierge(
    model: Model | None = None,
    *,
    check_seconds: float = CHECK_SECONDS,
    runtime: Runtime | None = None,
) -> Agent:
    """The demo agent; with a model, the same tools driven by it."""
    tools = concierge_tools(check_seconds)
    return Agent(NAME, model or ScriptedModel(), INSTRUCTIONS, tools, runtime=runtime)


agent = concierge()
