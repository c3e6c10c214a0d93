"""A page's line to its server that breaks, stays away and holds back: what its tab doesn't know."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from typing import Any

from tests.web.site import Tab


class Line:
    """Between a tab and the server, from its next load on; `await Line(tab).laid()`.

    line.cut()           # the connection ends; the page comes back at once
    line.forgets = True  # who comes back is told all anew, not only what was missed
    line.away()          # the connection ends, and no other is answered until `back`
    line.hold()          # what the server says waits, until `free`
    line.breaks_behind = "welcome"   # ends the connection behind the next such frame
    line.refuses = "RATE_LIMITED"    # what is said is refused with this code, and `refused` is set
    """

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self.forgets = False
        self.breaks_behind = ""
        self.refuses = ""
        self.refused = asyncio.Event()
        self.result = asyncio.Event()
        """An answer to what the page asked of the server was handed to it."""
        self._away = self._held = False
        self._waiting: deque[tuple[Any, Any]] = deque()
        self._open: list[tuple[Any, Any]] = []

    async def laid(self) -> Line:
        await self.tab.page.route_web_socket("**/ws", self._route)
        return self

    async def cut(self) -> None:
        """End what is open; what waits there is lost."""
        self._held = False
        self._waiting.clear()
        ends, self._open = self._open, []
        for socket, server in ends:
            await server.close()
            await socket.close(code=3001)

    async def away(self) -> None:
        self._away = True
        await self.cut()

    async def back(self) -> None:
        self._away = False
        await self.tab.page.evaluate("dispatchEvent(new Event('online'))")

    def hold(self) -> None:
        self._held = True

    def free(self) -> None:
        self._held = False
        while self._waiting:
            socket, message = self._waiting.popleft()
            socket.send(message)

    async def _route(self, socket: Any) -> None:
        if self._away:
            await socket.close(code=3001)
            return
        server = socket.connect_to_server()
        self._open.append((socket, server))
        server.on_message(lambda message: self._down(socket, message))
        socket.on_message(lambda message: self._up(socket, server, message))

    async def _down(self, socket: Any, message: Any) -> None:
        if self._held:
            self._waiting.append((socket, message))
            return
        if any(socket is one for one, _ in self._open):
            socket.send(message)
        kind = json.loads(message)["type"]
        if kind == "result":
            self.result.set()
        if self.breaks_behind == kind:
            self.breaks_behind = ""
            await self.cut()

    def _up(self, socket: Any, server: Any, message: Any) -> None:
        frame = json.loads(message)
        if frame["type"] == "hello" and self.forgets:
            frame.pop("last", None)
        if frame["type"] == "input" and self.refuses:
            data = {"code": self.refuses, "message": "", "params": {}, "text": "Not now."}
            socket.send(json.dumps({"type": "error", "id": frame["id"], "data": data}))
            self.refused.set()
        else:
            server.send(json.dumps(frame))
