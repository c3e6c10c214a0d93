"""An MCP server made with the protocol's own library, in the test's process, over real HTTP.

async with served(server) as url: ...          # both generations, as the library speaks them
async with served(server, legacy=True) as url  # one that only knows the generation before
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from mcp import MCPError
from mcp.server import MCPServer
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.types import METHOD_NOT_FOUND

from gateway.api.asgi import serve


async def eventually(fits: Callable[[], bool], within: float = 20.0) -> None:
    """Return once it is so."""
    async with asyncio.timeout(within):
        while True:
            if fits():
                return
            await asyncio.sleep(0.01)


async def _only_before(ctx: Any, call_next: Any) -> Any:
    if ctx.method == "server/discover":
        raise MCPError(METHOD_NOT_FOUND, "no such method")
    return await call_next(ctx)


def old(server: MCPServer) -> MCPServer:
    """The server as one of the generation before."""
    server._lowlevel_server.middleware.append(_only_before)
    return server


class Noticing:
    """What reached the server, as it came: methods of requests and notifications."""

    def __init__(self, server: MCPServer) -> None:
        self.seen: list[tuple[str, Any]] = []
        server._lowlevel_server.middleware.append(self._see)

    async def _see(self, ctx: Any, call_next: Any) -> Any:
        self.seen.append((ctx.method, ctx.params))
        return await call_next(ctx)

    def count(self, method: str) -> int:
        return sum(name == method for name, _ in self.seen)

    async def until(self, method: str, times: int = 1, within: float = 5.0) -> None:
        await eventually(lambda: self.count(method) >= times, within)


class Site:
    """The listening server; `cut` breaks every connection and takes no more."""

    def __init__(self, manager: StreamableHTTPSessionManager) -> None:
        self.url = ""
        self._manager = manager
        self._runner: web.AppRunner | None = None

    async def start(self, port: int = 0) -> None:
        app = web.Application()
        app.router.add_route("*", "/mcp", self._handle)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}/mcp"

    async def cut(self) -> None:
        if self._runner is not None:
            server = self._runner.server
            for connection in [] if server is None else list(server.connections):
                if connection.transport is not None:
                    connection.transport.abort()
            await self._runner.cleanup()
            self._runner = None

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        return await serve(self._manager.handle_request, request, body, {}, {})


@asynccontextmanager
async def served(server: MCPServer) -> AsyncIterator[Site]:
    """The server over HTTP while the context is open."""
    manager = StreamableHTTPSessionManager(server._lowlevel_server, session_idle_timeout=None)
    site = Site(manager)
    ready, over = asyncio.Event(), asyncio.Event()

    async def live() -> None:
        async with manager.run():
            ready.set()
            await over.wait()

    task = asyncio.create_task(live())
    await ready.wait()
    await site.start()
    try:
        yield site
    finally:
        await site.cut()
        over.set()
        await task
