"""The unix socket beside the SQLite file: JSON lines, for this system's user alone."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import stat
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from gateway.channels.connection import Connection, Door
from gateway.channels.lines import Lines, TooLong
from gateway.channels.local import OPEN, READ_BYTES, local_user
from gateway.core.errors import GatewayError, NotFound
from gateway.i18n import known_language
from gateway.supervise import Caught, guarded, guarded_await
from gateway.wire import MAX_FRAME_BYTES, Bye, ServerFrame, encode

MAX_CONNECTIONS = 256
LONGEST_PATH_BYTES = 107
PROBE_SECONDS = 2.0
LONGEST_OPENING_BYTES = 4096
LONGEST_LINE_BYTES = 1024 * 1024
"""The longest message of a client in another protocol; a longer one ends its connection."""


class SocketUnusable(GatewayError):
    """The socket can't be made: another server has it, or something else lies in its place."""

    code = "SOCKET_UNUSABLE"


class StreamTransport:
    """A stream that hands over each frame to the system before it takes the next."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        writer.transport.set_write_buffer_limits(high=0)

    async def send(self, line: bytes) -> None:
        if self._writer.is_closing():
            raise ConnectionResetError("the connection is closed")
        self._writer.write(line)
        await self._writer.drain()

    def abort(self) -> None:
        self._writer.transport.abort()


@dataclass(frozen=True, slots=True)
class Opened:
    """A client in another protocol than the socket's own: which one, and for whom it speaks."""

    protocol: str
    principal: str
    language: str


Serve: TypeAlias = Callable[[Opened, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class SocketServer:
    """Listens on a unix socket with mode 0600, from `start` to `stop`. A client whose first line is
    an `open` frame is served by `others`.
    """

    def __init__(self, door: Door, path: Path, others: Serve | None = None) -> None:
        self._door = door
        self._others = others
        self.path = path
        self._server: asyncio.Server | None = None
        self._inode: int | None = None
        self._open: dict[Connection, StreamTransport] = {}

    async def start(self) -> None:
        """Make the socket, in place of one that a dead server left.

        Raises:
            SocketUnusable: a server answers there, or the path can't be a socket.
        """
        if len(os.fsencode(self.path)) > LONGEST_PATH_BYTES:
            raise SocketUnusable(
                f"{self.path} is too long for a socket; use a shorter database path"
            )
        await self._clear()
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        mask = os.umask(0o177)
        try:
            listener.bind(str(self.path))
        except OSError as error:
            listener.close()
            raise SocketUnusable(f"can't listen on {self.path}: {error.strerror}") from error
        finally:
            os.umask(mask)
        self._inode = self.path.stat().st_ino
        self._server = await asyncio.start_unix_server(
            self._connected, sock=listener, limit=LONGEST_LINE_BYTES
        )

    async def stop(self) -> None:
        """Take no more connections and remove the socket; clients are the hub's to dismiss."""
        for connection, transport in self._open.items():
            if not connection.greeted:
                transport.abort()
        if self._server is not None:
            self._server.close()
            self._server = None
        with contextlib.suppress(FileNotFoundError):
            if self.path.stat().st_ino == self._inode:
                self.path.unlink()

    async def _clear(self) -> None:
        try:
            found = self.path.lstat()
        except FileNotFoundError:
            return
        if not stat.S_ISSOCK(found.st_mode):
            raise SocketUnusable(f"{self.path} is there already and is no socket")
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                _, writer = await asyncio.open_unix_connection(str(self.path))
        except (ConnectionRefusedError, FileNotFoundError):
            self.path.unlink(missing_ok=True)
            return
        except (OSError, TimeoutError) as error:
            raise SocketUnusable(f"{self.path} can't be used: {error}") from error
        writer.close()
        raise SocketUnusable(f"a server already runs on {self.path}")

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._door.supervisor.spawn(self._serve(reader, writer), name="socket connection")

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        transport = StreamTransport(writer)
        if len(self._open) >= MAX_CONNECTIONS:
            writer.write(encode(ServerFrame(Bye.TYPE, Bye("busy").to_data())))
            writer.close()
            return
        connection = Connection(self._door, transport)
        self._open[connection] = transport
        try:
            first = await reader.read(READ_BYTES)
            opened = opening(first)
            if opened is None or self._others is None:
                await _converse(first, reader, connection)
            else:
                await self._serve_other(opened, reader, writer)
        except OSError:
            transport.abort()
        finally:
            del self._open[connection]
            connection.closed()
            writer.close()

    async def _serve_other(
        self, opened: Opened, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        assert self._others is not None
        named = replace(opened, principal=opened.principal or local_user())
        served = await guarded_await(self._others(named, reader, writer))
        if isinstance(served, Caught) and isinstance(served.error, NotFound):
            writer.write(encode(ServerFrame(Bye.TYPE, Bye(str(served.error)).to_data())))
        elif isinstance(served, Caught) and not isinstance(served.error, OSError):
            self._door.report(f"client of {opened.protocol}", served.error)


async def _converse(data: bytes, reader: asyncio.StreamReader, connection: Connection) -> None:
    lines = Lines(MAX_FRAME_BYTES)
    while data:
        for line in lines.feed(data):
            if isinstance(line, TooLong):
                go_on = await connection.too_large(line.size_bytes)
            else:
                go_on = await connection.receive(line)
            if not go_on:
                return
        data = await reader.read(READ_BYTES)


def opening(data: bytes) -> Opened | None:
    """What a first line says that is an `open` frame; None for any other."""
    if not data.endswith(b"\n") or len(data) > LONGEST_OPENING_BYTES:
        return None
    frame = guarded(json.loads, data)
    if not isinstance(frame, dict) or frame.get("type") != OPEN:
        return None
    language = known_language(str(frame.get("language", "")))
    return Opened(str(frame.get("protocol", "")), str(frame.get("principal", "")), language)
