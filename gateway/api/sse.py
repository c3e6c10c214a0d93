"""Server-sent events: each handed to the system before the next one is taken."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Final

from aiohttp import web

WRITE_DEADLINE_SECONDS: Final = 10.0
"""A reader that takes nothing for so long is cut off; it may come again."""
KEEP_ALIVE_SECONDS: Final = 15.0
KEEP_ALIVE: Final = b": \n\n"
HEADERS: Final = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
    "X-Content-Type-Options": "nosniff",
}
LAST_EVENT_ID: Final = "Last-Event-ID"
_ID = re.compile(r"\d{1,16}(\.\d{1,9})?")


class ReaderGone(Exception):
    """The reader's connection has ended, or it takes nothing."""


def event(data: bytes, *, id_: str = "", name: str = "") -> bytes:
    """One event as it is written. `data` is one line; `id_` is what a reader comes again with."""
    head = (f"id: {id_}\n" if id_ else "") + (f"event: {name}\n" if name else "")
    return b"".join((head.encode(), b"data: ", data, b"\n\n"))


def last_event_id(request: web.Request) -> str:
    """Where a reader wants to go on, "" from the beginning or where it is no id of ours."""
    given = request.headers.get(LAST_EVENT_ID, "") or request.query.get("lastEventId", "")
    return given if _ID.fullmatch(given) else ""


class EventStream:
    """One response of events. What `send` returned from has left this process."""

    def __init__(self, request: web.Request, headers: Mapping[str, str]) -> None:
        self._request = request
        self._response = web.StreamResponse(headers={**HEADERS, **headers})
        self._transport: asyncio.WriteTransport | None = None
        self.gone = False
        self.opened = False
        self.began = False

    @property
    def response(self) -> web.StreamResponse:
        """The response, for the handler to return."""
        return self._response

    async def open(self) -> None:
        """Begin the response; its head goes out with what is sent first.

        Raises:
            ReaderGone: nobody reads.
        """
        self.opened = True
        try:
            await self._response.prepare(self._request)
        except OSError as error:
            raise self._lost() from error
        transport = self._request.transport
        if isinstance(transport, asyncio.WriteTransport):
            transport.set_write_buffer_limits(high=0)
            self._transport = transport

    async def send(self, data: bytes) -> None:
        """Hand over one event, or several.

        Raises:
            ReaderGone: it was not taken.
        """
        self.began = True
        try:
            await self._response.write(data)
            if self._transport is not None and self._transport.get_write_buffer_size():
                async with asyncio.timeout(WRITE_DEADLINE_SECONDS):
                    await self._request.writer.drain()
        except (OSError, TimeoutError) as error:
            self.abort()
            raise self._lost() from error
        if self.gone:
            raise ReaderGone

    async def keep_alive(self) -> None:
        """Show that the connection is alive.

        Raises:
            ReaderGone: as `send`.
        """
        await self.send(KEEP_ALIVE)

    def abort(self) -> None:
        """Close the connection at once. Idempotent."""
        self.gone = True
        if self._request.transport is not None:
            self._request.transport.abort()

    def _lost(self) -> ReaderGone:
        self.gone = True
        return ReaderGone("the reader is gone")
