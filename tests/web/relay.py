"""What stands between a browser and its server: carries their bytes, cuts, swallows, falls silent.

relay = Relay(server_port)
address = await relay.start()
relay.swallows.add("/ws")        # who connects there gets no answer, and no end
relay.silence()                  # what is open carries nothing any more, and doesn't end
relay.cut()                      # what is open ends
"""

from __future__ import annotations

import asyncio
import contextlib

READ_BYTES = 1 << 16


class Carried:
    """One connection of the browser, by the path that it asked for first."""

    def __init__(self, path: str, browser: asyncio.StreamWriter) -> None:
        self.path = path
        self.silent = False
        self.left = asyncio.Event()
        """The browser has ended it."""
        self._browser = browser
        self._writers = [browser]

    async def read_away(self, reader: asyncio.StreamReader) -> None:
        while await reader.read(READ_BYTES):
            pass

    async def carry(self, first: bytes, reader: asyncio.StreamReader, port: int) -> None:
        back, server = await asyncio.open_connection("127.0.0.1", port)
        self._writers.append(server)
        server.write(first)
        async with asyncio.TaskGroup() as both:
            both.create_task(self._copy(reader, server))
            both.create_task(self._copy(back, self._browser))

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(READ_BYTES):
            if not self.silent:
                writer.write(data)
                await writer.drain()
        if writer is self._browser and self.silent:
            return
        if writer is not self._browser:
            self.left.set()
        writer.close()

    def cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()


class Relay:
    """Carries what browsers say to the server on this port, and back."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.swallows: set[str] = set()
        self.all: list[Carried] = []
        self._open: set[Carried] = set()
        self._changed = asyncio.Event()

    async def start(self) -> str:
        """The address that browsers go to."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def came(self, path: str, number: int) -> Carried:
        """Wait until somebody connects to this path, so many times since the start."""
        while len(found := [one for one in self.all if one.path == path]) < number:
            self._changed.clear()
            await self._changed.wait()
        return found[number - 1]

    def cut(self, path: str = "") -> None:
        """End what is open; only what was opened on this path, where one is named."""
        for one in self._open:
            if one.path.startswith(path):
                one.cut()

    def silence(self, path: str) -> None:
        """What is open on this path carries nothing any more."""
        for one in self._open:
            one.silent = one.silent or one.path == path

    async def close(self) -> None:
        self._server.close()
        self.cut()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            first = await reader.readuntil(b"\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()
            return
        one = Carried(first.split()[1].decode().partition("?")[0], writer)
        self.all.append(one)
        self._open.add(one)
        self._changed.set()
        with contextlib.suppress(ExceptionGroup, ConnectionError):
            if one.path in self.swallows:
                await one.read_away(reader)
            else:
                await one.carry(first, reader, self.port)
        one.left.set()
        one.cut()
        self._open.discard(one)
