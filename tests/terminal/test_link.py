"""The terminal's line: what it sends once the server is back."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from gateway.channels.link import Back, Link, Lost, Who
from gateway.clock import SystemClock, SystemIds

WELCOME = [{"type": "welcome", "data": {"boot": "b", "seq": 0}}, {"type": "pong", "data": {}}]


class Server:
    """A socket that welcomes whoever comes and keeps what they send."""

    def __init__(self) -> None:
        self.frames: list[dict[str, Any]] = []
        self.writers: list[asyncio.StreamWriter] = []
        self.news = asyncio.Event()

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.append(writer)
        with suppress(ConnectionError):
            while line := await reader.readline():
                frame = json.loads(line)
                if frame["type"] == "hello":
                    writer.writelines(json.dumps(one).encode() + b"\n" for one in WELCOME)
                else:
                    self.frames.append(frame)
                    self.news.set()

    async def stops(self, count: int) -> list[str | None]:
        """The runs that so many stops named."""
        async with asyncio.timeout(20):
            while len(self.frames) < count:
                self.news.clear()
                await self.news.wait()
        return [frame.get("run") for frame in self.frames]


@asynccontextmanager
async def serving(path: Path) -> AsyncIterator[Server]:
    server = Server()
    listening = await asyncio.start_unix_server(server.talk, path)
    try:
        yield server
    finally:
        listening.close()
        for writer in server.writers:
            writer.close()


async def until(events: AsyncIterator[Any], kind: type) -> None:
    async with asyncio.timeout(20):
        async for event in events:
            if isinstance(event, kind):
                return


async def welcomed(events: AsyncIterator[Any]) -> None:
    """The line stands, and what was kept for it is sent."""
    for kind in (Back, dict, dict):
        await until(events, kind)


async def test_a_stop_that_comes_late_names_its_runs(tmp_path: Path):
    """What it was sent for while the line stood is all that runs; sent anew, that and no more."""
    path = tmp_path / "s"
    link = Link(path, Who("t", "ann", "en"), clock=SystemClock(), ids=SystemIds())
    async with serving(path) as server:
        events = link.events()
        await welcomed(events)
        link.stop(("r1",))
        assert await server.stops(1) == [None]
        server.writers[0].close()
        await until(events, Lost)
        link.stop(("r1", "r2"))
        link.stop()
        await welcomed(events)
        assert await server.stops(5) == [None, "r1", "r1", "r2", None]
