"""The browser's end of a call: one WebSocket for both voices, by `docs/call.md`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from aiohttp import WSMessage, WSMsgType, web

from gateway.core.errors import AccessDenied, GatewayError
from gateway.i18n import known_language
from gateway.limits import Bucket
from gateway.ports.clock import Clock
from gateway.supervise import Caught, Supervisor, guarded, guarded_await
from gateway.websocket import CLOSE_SECONDS, opened
from voice.calls import Calls
from voice.transports.frames import LONGEST_TEXT_BYTES, MICROPHONE_RATE
from voice.transports.line import (
    WRITE_SECONDS,
    BrowserLine,
    Connection,
    Visitor,
    taken,
    waits,
    write,
)

HEARTBEAT_SECONDS = 10.0
LOADING_POLL_SECONDS = 0.25
LOADING_SECONDS = 900.0
LONGEST_MESSAGE_BYTES = 4 * LONGEST_TEXT_BYTES
MAX_LINES = 256
LINES_A_PERSON = 8
SOUND_AT_ONCE_SECONDS, SOUND_A_SECOND = 5.0, 1.1
TOLD_AT_ONCE, TOLD_A_SECOND = 200, 60.0

MayOpen = Callable[[str, str], Awaitable[bool]]
"""Whether a person may open a thread: `(thread, principal)`."""


class BrowserCalls:
    """The calls of a page: its route `/call`."""

    def __init__(
        self,
        calls: Calls,
        *,
        may_open: MayOpen,
        clock: Clock,
        supervisor: Supervisor,
        report: Callable[[str, BaseException], str],
    ) -> None:
        self._calls = calls
        self._may_open = may_open
        self._clock = clock
        self._supervisor = supervisor
        self._report = report
        self._open: list[Connection] = []

    async def serve(self, request: web.Request, visitor: Visitor) -> web.WebSocketResponse:
        """Speak with one page until it leaves, is lost, or is sent away."""
        socket = await opened(
            request,
            longest_message_bytes=LONGEST_MESSAGE_BYTES,
            heartbeat_seconds=HEARTBEAT_SECONDS,
        )
        line = BrowserLine(lambda: _abort(request))
        here = Connection(
            visitor,
            socket,
            line,
            Bucket(self._clock, TOLD_AT_ONCE, TOLD_A_SECOND),
            Bucket(self._clock, SOUND_AT_ONCE_SECONDS, SOUND_A_SECOND),
        )
        busy = self._too_many(visitor)
        self._open.append(here)
        writing = self._supervisor.spawn(write(here), name="call line")
        try:
            if busy:
                line.hang_up("busy")
            else:
                await self._converse(request, here)
        finally:
            self._open.remove(here)
            line.outgoing.close()
        await asyncio.wait([writing], timeout=WRITE_SECONDS + CLOSE_SECONDS)
        await socket.close()
        return socket

    def leave(self, digests: list[str]) -> None:
        """End the calls of those who were let in by these tokens."""
        for here in [here for here in self._open if here.visitor.token in digests]:
            here.leave("revoked")
        self._calls.dismiss(digests)

    def stop(self) -> None:
        """Close every line that no call has answered; the others are the calls' to end."""
        for here in self._open:
            if here.call is None:
                here.line.hang_up("shutdown")

    def _too_many(self, visitor: Visitor) -> bool:
        own = sum(here.visitor.principal == visitor.principal for here in self._open)
        return len(self._open) >= MAX_LINES or own >= LINES_A_PERSON

    async def _converse(self, request: web.Request, here: Connection) -> None:
        if not await self._loaded(here) or not await self._answered(request.query, here):
            return
        call = here.call
        assert call is not None
        try:
            while not here.line.over:
                message = await _said(here)
                if message is None:
                    break
                going = guarded(taken, message, here, call)
                if isinstance(going, Caught):
                    self._report("call", going.error)
                    here.leave("failed")
                elif not going:
                    break
        finally:
            if here.left:
                call.hang_up()
            else:
                call.lost(here.line)
            here.line.over = True

    async def _loaded(self, here: Connection) -> bool:
        """Say what is not ready yet until all is; whether the page is still there then. A part that
        failed is tried again for whoever calls.
        """
        before: tuple[str, ...] = ()
        self._calls.retry()
        until = self._clock.monotonic() + LOADING_SECONDS
        while parts := self._calls.loading():
            if parts != before:
                here.line.tell("loading", {"parts": list(parts)})
            before = parts
            if self._clock.monotonic() > until:
                here.line.hang_up("unavailable")
                return False
            try:
                message = await here.socket.receive(timeout=LOADING_POLL_SECONDS)
            except TimeoutError:
                continue
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY) or here.line.over:
                return False
            if not waits(message.data, here):
                return False
        return not here.line.over

    async def _answered(self, query: Mapping[str, str], here: Connection) -> bool:
        thread, principal = query.get("thread", ""), here.visitor.principal
        if not thread or not await self._may_open(thread, principal):
            here.line.hang_up("denied")
            return False
        answer = self._calls.answer(
            here.line,
            thread=thread,
            principal=principal,
            language=known_language(query.get("language", "en")),
            call=query.get("call", ""),
            microphone_rate=MICROPHONE_RATE,
            traced=query.get("trace") == "1",
            token=here.visitor.token,
        )
        call = await guarded_await(answer)
        if isinstance(call, Caught):
            here.line.hang_up(self._why(call.error))
            return False
        here.call = call
        return True

    def _why(self, error: Exception) -> str:
        if isinstance(error, AccessDenied):
            return "denied"
        self._report("call", error)
        return "unavailable" if isinstance(error, GatewayError) else "failed"


async def _said(here: Connection) -> WSMessage | None:
    """What the page says next; None once the line is over, for then the call is another page's."""
    message = await here.socket.receive()
    return None if here.line.over else message


def _abort(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()
