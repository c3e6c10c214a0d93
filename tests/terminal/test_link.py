"""The terminal's line: what it sends once the server is back."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from gateway.channels.link import Back, Link, Lost, Who
from gateway.clock import SystemClock, SystemIds

Sent = dict[str, Any]


def welcome(seq: int = 0, resumed: bool = False) -> list[Sent]:
    data = {"boot": "b", "seq": seq, "resumed": resumed}
    return [{"type": "welcome", "data": data}, {"type": "pong", "data": {}}]


class Server:
    """A socket that welcomes whoever comes and keeps what they send."""

    def __init__(self) -> None:
        self.frames: list[Sent] = []
        self.hellos: list[Sent] = []
        self.welcome = welcome()
        self.writers: list[asyncio.StreamWriter] = []
        self.news = asyncio.Event()

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.append(writer)
        with suppress(ConnectionError):
            while line := await reader.readline():
                frame = json.loads(line)
                if frame["type"] == "hello":
                    self.hellos.append(frame)
                    writer.writelines(json.dumps(one).encode() + b"\n" for one in self.welcome)
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


async def test_what_was_missed_is_asked_for_until_it_is_there(tmp_path: Path):
    """The line may break behind a welcome, before what the person missed."""
    link = Link(tmp_path / "s", Who("t", "ann", "en"), clock=SystemClock(), ids=SystemIds())
    async with serving(tmp_path / "s") as server:
        server.welcome = welcome(5)
        events = link.events()
        await welcomed(events)
        for seq in (9, 12):
            server.welcome = welcome(seq, resumed=True)
            server.writers[-1].close()
            await until(events, Lost)
            await welcomed(events)
        assert [hello.get("last") for hello in server.hellos] == [
            None,
            *[{"boot": "b", "seq": 5}] * 2,
        ]
