"""A server for the fuzzer: an agent that asks, calls and talks, by what it is told."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from gateway import Agent, ToolContext, tool
from gateway.app import App
from gateway.core.messages import ToolCall, UserMessage
from gateway.ports.model import CallDelta, Finished, ModelEvent, ModelRequest, TextDelta
from gateway.settings import ApiSettings, HttpSettings, QueueSettings, Settings


class Various:
    """By the length of what was said: talks, asks, or takes its time."""

    @asynccontextmanager
    async def stream(self, request: ModelRequest) -> AsyncIterator[AsyncIterator[ModelEvent]]:
        yield self._play(request)

    async def _play(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        last = request.messages[-1]
        asks = isinstance(last, UserMessage) and len(last.text) % 3 == 1
        yield TextDelta("Let me see. ")
        if asks:
            yield CallDelta(ToolCall(f"call-{request.run}-{request.step}", "ask", {}))
        else:
            await asyncio.sleep(0.05)
            yield TextDelta("That is all.")
        yield Finished()


@tool
async def ask(context: ToolContext) -> str:
    """Asks."""
    return str(await context.interrupt(message="Which?", response_schema={"enum": ["a", "b"]}))


async def main(folder: Path) -> None:
    """Serve until the process is killed."""
    settings = Settings(
        database=folder / "a.db",
        http=HttpSettings(port=0, page=False),
        api=ApiSettings(requests_at_once=100_000, requests_per_second=1e6),
        queue=QueueSettings(cap=5),
    )
    with (folder / "log").open("w") as log:
        app = App(settings, agent=Agent("fuzzed", Various(), "", [ask]), log=log)
        await app.start()
        print(app.address, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
