"""The MCP server at its doors: streamable HTTP behind the gate, and lines of a local program."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from typing import Any, Final

import anyio
from aiohttp.web import StreamResponse
from mcp.server import Server
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter

from gateway.api.asgi import serve
from gateway.api.auth import PROGRAMS, Caller
from gateway.api.door import Door
from gateway.api.gate import Arrived, Gate
from gateway.api.mcp.exchange import Context
from gateway.api.mcp.server import AgentTools
from gateway.api.plugs import Opened, send_line
from gateway.api.problems import Report
from gateway.supervise import Caught, Supervisor, guarded

CALLER: Final = "bargein.caller"
IDLE_SECONDS: Final = 1800.0
SESSIONS: Final = 1_000


class McpSite:
    """The server for clients over HTTP. What it opens lives and dies in one task, `live`."""

    def __init__(self, door: Door, gate: Gate, supervisor: Supervisor, report: Report) -> None:
        agent = AgentTools(door, _of_request, supervisor, report)
        self._gate = gate
        self._manager = StreamableHTTPSessionManager(
            agent.server(version("bargein")),
            session_idle_timeout=IDLE_SECONDS,
            max_sessions=SESSIONS,
        )
        self._ready, self._over = asyncio.Event(), asyncio.Event()
        supervisor.spawn(self._live(), name="mcp over http")

    async def _live(self) -> None:
        async with self._manager.run():
            self._ready.set()
            await self._over.wait()

    def stop(self) -> None:
        """End every session. Idempotent."""
        self._over.set()

    async def handle(self, arrived: Arrived) -> StreamResponse:
        """One request. A session is its opener's alone."""
        await self._ready.wait()
        request, caller = arrived.request, arrived.caller
        name = caller.principal
        token = AccessToken(token="", client_id=name, scopes=[], subject=name)
        extra = {"user": AuthenticatedUser(token), CALLER: caller}
        headers = self._gate.cors(request)

        def leave() -> None:
            if request.transport is not None:
                request.transport.abort()

        with self._gate.streams.one(caller, leave):
            handler = self._manager.handle_request
            return await serve(handler, request, arrived.body, extra, headers)


def _of_request(context: Context) -> Caller:
    caller: Caller = context.request.scope[CALLER]  # type: ignore[union-attr]
    return caller


async def serve_lines(
    door: Door,
    opened: Opened,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    *,
    supervisor: Supervisor,
    report: Report,
) -> None:
    """Serve one client that writes a message a line, until it hangs up."""
    caller = Caller(opened.principal, PROGRAMS)
    agent = AgentTools(door, lambda context: caller, supervisor, report, opened.language)
    server: Server[Any] = agent.server(version("bargein"))
    heard, to_server = anyio.create_memory_object_stream[SessionMessage | Exception](0)[::-1]
    from_server, said = anyio.create_memory_object_stream[SessionMessage](0)[::-1]

    async def listen() -> None:
        async with to_server:
            while line := await reader.readline():
                message = guarded(jsonrpc_message_adapter.validate_json, line, by_name=False)
                if isinstance(message, Caught):
                    await to_server.send(message.error)
                elif line.strip():
                    await to_server.send(SessionMessage(message))

    async def speak() -> None:
        async with from_server:
            async for item in from_server:
                text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                await send_line(writer, text.encode())

    pumps = {
        supervisor.spawn(_quietly(listen()), name="mcp lines in"),
        supervisor.spawn(_quietly(speak()), name="mcp lines out"),
    }
    try:
        await server.run(heard, said, server.create_initialization_options())
    finally:
        for pump in pumps:
            pump.cancel()


async def _quietly(pump: Any) -> None:
    """A client that hangs up in the middle is no failure."""
    try:
        await pump
    except (OSError, ValueError, anyio.ClosedResourceError, anyio.BrokenResourceError):
        return
