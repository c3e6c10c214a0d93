"""A server process for the REST figures: the gateway with a scripted model, or a bare handler."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import StringIO
from pathlib import Path

from aiohttp import web

from gateway import Agent
from gateway.api.ops import HttpServer
from gateway.app import App
from gateway.ports.model import Finished, ModelEvent, ModelRequest, TextDelta
from gateway.settings import ApiSettings, HttpSettings, Settings
from gateway.supervise import spare_collector


class Talking:
    """Says `count` words: with no pause at all, or seconds apart; 0 is a turn of the loop each."""

    def __init__(self, count: int, pause: float | None) -> None:
        self.count = count
        self.pause = pause

    @asynccontextmanager
    async def stream(self, request: ModelRequest) -> AsyncIterator[AsyncIterator[ModelEvent]]:
        yield self._play()

    async def _play(self) -> AsyncIterator[ModelEvent]:
        loop = asyncio.get_running_loop()
        at = loop.time()
        for number in range(self.count):
            if self.pause:
                at += self.pause
                await asyncio.sleep(max(at - loop.time(), 0))
            elif self.pause is not None:
                await asyncio.sleep(0)
            yield TextDelta(f"word{number:05d} ")
        yield Finished()


async def gateway(count: int, pause: float | None) -> None:
    """The gateway, until it is killed."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            database=Path(folder) / "a.db",
            http=HttpSettings(port=0, page=False),
            api=ApiSettings(
                requests_at_once=100_000, requests_per_second=1e6, streams_per_person=10_000
            ),
            max_concurrent_runs=1_000,
        )
        app = App(settings, agent=Agent("b", Talking(count, pause), ""), log=StringIO())
        await app.start()
        spare_collector()
        print(app.address, flush=True)
        await asyncio.Event().wait()


async def bare(recorded: Path, model: Talking | None) -> None:
    """An aiohttp handler that only writes what was recorded, event by event; with a model, one for
    each word that it says.
    """
    data = recorded.read_bytes()  # noqa: ASYNC240  before anything is served
    events = [event + b"\n\n" for event in data.split(b"\n\n") if event]

    async def write(request: web.Request) -> web.StreamResponse:
        await request.read()
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        if model is None:
            for event in events:
                await response.write(event)
            return response
        left = iter(events)
        async with model.stream(ModelRequest("", (), (), "", "", 0)) as said:
            async for word in said:
                if isinstance(word, TextDelta):
                    await response.write(next(left))
        for event in left:
            await response.write(event)
        return response

    server = HttpServer([web.post("/v1/runs", write)])
    address = await server.start("127.0.0.1", 0)
    spare_collector()
    print(address, flush=True)
    await asyncio.Event().wait()


def main() -> None:
    """`gateway COUNT PAUSE`, or `bare FILE [COUNT]`."""
    kind, *rest = sys.argv[1:]
    if kind == "bare":
        said = Talking(int(rest[1]), 0.0) if len(rest) > 1 else None
        asyncio.run(bare(Path(rest[0]), said))
    else:
        count, pause = int(rest[0]), float(rest[1])
        asyncio.run(gateway(count, None if pause < 0 else pause))


if __name__ == "__main__":
    main()
