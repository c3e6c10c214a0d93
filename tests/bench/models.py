"""Models and tools that the figures run on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager

from gateway import InterruptBehavior, ToolContext, tool
from gateway.core.messages import ToolCall, ToolResult
from gateway.ports.model import CallDelta, Finished, ModelEvent, ModelRequest, TextDelta


class Deploying:
    """Calls `deploy` once, then says that it is done."""

    @asynccontextmanager
    async def stream(self, request: ModelRequest) -> AsyncIterator[AsyncIterator[ModelEvent]]:
        async with aclosing(self._play(request)) as events:
            yield events

    async def _play(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        if isinstance(request.messages[-1], ToolResult):
            yield TextDelta("done")
        else:
            yield CallDelta(ToolCall(f"call-{request.run}", "deploy", {}))
        yield Finished()


@tool
async def deploy(context: ToolContext) -> str:
    """Deploys what was asked for."""
    return str(await context.interrupt(message="Deploy?", response_schema=bool))


class Streaming:
    """Streams `deltas` words at once, then stalls; counts streams that were closed."""

    def __init__(self, deltas: int) -> None:
        self.deltas = deltas
        self.closed: asyncio.Event = asyncio.Event()
        self.streaming: asyncio.Event = asyncio.Event()

    @asynccontextmanager
    async def stream(self, request: ModelRequest) -> AsyncIterator[AsyncIterator[ModelEvent]]:
        try:
            yield self._play()
        finally:
            self.closed.set()

    async def _play(self) -> AsyncIterator[ModelEvent]:
        for _ in range(self.deltas):
            yield TextDelta("word ")
        self.streaming.set()
        await asyncio.sleep(3_600)


class CallingSlow:
    """Calls a cooperative tool that waits for the stop."""

    @asynccontextmanager
    async def stream(self, request: ModelRequest) -> AsyncIterator[AsyncIterator[ModelEvent]]:
        yield self._play(request)

    async def _play(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        yield CallDelta(ToolCall(f"call-{request.run}", "slow", {}))
        yield Finished()


@tool(behavior=InterruptBehavior.COOPERATIVE)
async def slow(context: ToolContext) -> str:
    """Waits until it is stopped."""
    await context.signal.wait()
    return "stopped"
