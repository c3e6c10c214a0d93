"""The connections to one server. A call that the server may ask something in has one to itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from mcp.types import Tool

from gateway.agents.mcp.connection import OPEN_SECONDS, Connection
from gateway.agents.mcp.results import BUSY
from gateway.core.errors import ToolFailed
from gateway.settings import McpServerSettings
from gateway.supervise import Supervisor

FREE_SECONDS: Final = 10.0
"""How long a call waits for a connection where all are taken."""


class Pool:
    """Connections to one server, made when they are needed. `changed` is told its tools, each time
    they were listed.
    """

    def __init__(
        self,
        name: str,
        settings: McpServerSettings,
        supervisor: Supervisor,
        changed: Callable[[tuple[Tool, ...]], object],
    ) -> None:
        self.name = name
        self._settings = settings
        self._supervisor = supervisor
        self._changed = changed
        self._idle: list[Connection] = []
        self._taken: dict[Connection, int] = {}
        self._freed = asyncio.Event()
        self._opening = asyncio.Lock()
        self._stale = False

    async def take(self, thread: str) -> Connection:
        """A connection for a call, the one that the thread had last where it is free.

        Raises:
            ToolFailed: MCP_SERVER_UNAVAILABLE, or MCP_SERVER_BUSY; nothing was sent.
        """
        try:
            async with asyncio.timeout(FREE_SECONDS + OPEN_SECONDS):
                while True:
                    found = self._shared() or self._free(thread) or await self._made()
                    if found is not None:
                        break
                    self._freed.clear()
                    await self._freed.wait()
        except TimeoutError as error:
            text = f"all {len(self._taken)} connections to the server {self.name} are in use"
            raise ToolFailed(BUSY, text) from error
        self._taken[found] = self._taken.get(found, 0) + 1
        found.thread = thread
        return found

    def give_back(self, connection: Connection) -> None:
        """A call is over."""
        left = self._taken.get(connection, 0) - 1
        if left > 0:
            self._taken[connection] = left
            return
        self._taken.pop(connection, None)
        if connection.open_ and not self._stale:
            self._idle.append(connection)
        else:
            connection.lost()
        self._freed.set()

    def renew(self) -> None:
        """The server has other tools now: the next connection lists them anew."""
        self._stale = True

    async def close(self, seconds: float) -> None:
        """End every connection, within so long."""
        for connection in [*self._idle, *self._taken]:
            await connection.close(seconds)

    def _shared(self) -> Connection | None:
        """One that many calls use at once, where the protocol lets them."""
        found = [c for c in (*self._taken, *self._idle) if c.modern and c.open_]
        if not found or self._stale:
            return None
        if found[0] in self._idle:
            self._idle.remove(found[0])
        return found[0]

    def _free(self, thread: str) -> Connection | None:
        self._idle = [connection for connection in self._idle if connection.open_]
        if not self._idle or self._stale:
            return None
        own = [connection for connection in self._idle if connection.thread == thread]
        found = (own or self._idle)[-1]
        self._idle.remove(found)
        return found

    async def _made(self) -> Connection | None:
        """A new one, where there is room; one at a time, since the next may share it."""
        async with self._opening:
            shared = self._shared()
            if shared is not None or len(self._taken) >= self._settings.connections:
                return shared
            connection = Connection(self.name, self._settings, self._supervisor, self.renew)
            await connection.open()
        self._stale = False
        self._changed(connection.tools)
        return connection
