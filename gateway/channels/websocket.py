"""WebSockets: one frame a message, with the limits of a public door."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from aiohttp import WSMsgType, web

from gateway.channels.connection import Connection, Door
from gateway.channels.visitors import Visitor
from gateway.limits import Bucket
from gateway.ports.clock import Clock
from gateway.websocket import opened
from gateway.wire import MAX_FRAME_BYTES, Bye, ServerFrame, encode

LONGEST_MESSAGE_BYTES = 4 * MAX_FRAME_BYTES
"""A message over this closes the connection; one over `MAX_FRAME_BYTES` is refused by name."""
HEARTBEAT_SECONDS = 25.0
HELLO_SECONDS = 10.0
MAX_CONNECTIONS = 1_024
CONNECTIONS_A_PERSON = 64
FRAMES_AT_ONCE, FRAMES_A_SECOND = 200, 40.0


class WebSocketTransport:
    """A WebSocket that hands over each frame to the system before it takes the next; of several
    lines, each becomes a message.
    """

    def __init__(self, request: web.Request, socket: web.WebSocketResponse) -> None:
        self._request = request
        self._socket = socket

    async def send(self, line: bytes) -> None:
        for frame in line.rstrip(b"\n").split(b"\n"):
            await self._socket.send_frame(frame, WSMsgType.TEXT)

    def abort(self) -> None:
        if self._request.transport is not None:
            self._request.transport.abort()


@dataclass(frozen=True, slots=True)
class _Open:
    """An open socket and who is behind it."""

    visitor: Visitor
    connection: Connection
    transport: WebSocketTransport


class WebSockets:
    """Every open WebSocket of the page."""

    def __init__(self, door: Door, clock: Clock) -> None:
        self._door = door
        self._clock = clock
        self._open: set[_Open] = set()

    async def serve(self, request: web.Request, visitor: Visitor) -> web.WebSocketResponse:
        """Speak with one page until it leaves or is sent away."""
        socket = await opened(
            request,
            longest_message_bytes=LONGEST_MESSAGE_BYTES,
            heartbeat_seconds=HEARTBEAT_SECONDS,
        )
        transport = WebSocketTransport(request, socket)
        if self._too_many(visitor):
            await transport.send(encode(ServerFrame(Bye.TYPE, Bye("busy").to_data())))
            await socket.close()
            return socket
        connection = Connection(self._door, transport, visitor.principal)
        here = _Open(visitor, connection, transport)
        self._open.add(here)
        try:
            await self._converse(socket, connection)
        except OSError:
            transport.abort()
        finally:
            self._open.discard(here)
            connection.closed()
        await socket.close()
        return socket

    def leave(self, digests: list[str]) -> None:
        """Close the pages that were let in by these tokens."""
        for here in [here for here in self._open if here.visitor.token in digests]:
            here.connection.dismiss("revoked")

    def stop(self) -> None:
        """Close what has not said hello; the others are the hub's to dismiss."""
        for here in list(self._open):
            if not here.connection.greeted:
                here.transport.abort()

    def _too_many(self, visitor: Visitor) -> bool:
        own = sum(here.visitor.principal == visitor.principal for here in self._open)
        return len(self._open) >= MAX_CONNECTIONS or own >= CONNECTIONS_A_PERSON

    async def _converse(self, socket: web.WebSocketResponse, connection: Connection) -> None:
        bucket = Bucket(self._clock, FRAMES_AT_ONCE, FRAMES_A_SECOND)
        while True:
            deadline = None if connection.greeted else HELLO_SECONDS
            try:
                async with asyncio.timeout(deadline):
                    message = await socket.receive()
            except TimeoutError:
                return
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return
            raw = message.data
            data = raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw
            if not bucket.take():
                go_on = await connection.too_fast(data)
            else:
                go_on = await connection.receive(data)
            if not go_on:
                return
