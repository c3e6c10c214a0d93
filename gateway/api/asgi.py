"""An ASGI application behind one of our HTTP doors."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Final, TypeAlias

from aiohttp import web

from gateway.api.sse import WRITE_DEADLINE_SECONDS
from gateway.core.errors import GatewayError
from gateway.supervise import Caught, guarded_await

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Application: TypeAlias = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]
NOBODY: Final = 499
"""The status of a response that nobody waits for any more."""
LOOKS: Final = 240
LOOK_SECONDS: Final = 0.25
LATER_SECONDS: Final = 5.0
"""How often it is looked whether the client is still there: in the first minute, and later."""


class ApplicationFailed(GatewayError):
    """The application ended without a response."""

    code = "INTERNAL"


class _Exchange:
    """One request and its response."""

    def __init__(self, request: web.Request, body: bytes, headers: Mapping[str, str]) -> None:
        self._request = request
        self._body: bytes | None = body
        self._headers = headers
        self._over = asyncio.Event()
        self.response: web.StreamResponse | None = None

    async def receive(self) -> Message:
        """The body, then, once that is so, that the client is gone."""
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        looked = 0
        while not self._over.is_set() and _there(self._request):
            looked += 1
            try:
                async with asyncio.timeout(LOOK_SECONDS if looked < LOOKS else LATER_SECONDS):
                    await self._over.wait()
            except TimeoutError:
                continue
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        """Take one part of the response.

        Raises:
            OSError: the client is gone, or takes nothing for `WRITE_DEADLINE_SECONDS`.
        """
        try:
            async with asyncio.timeout(WRITE_DEADLINE_SECONDS):
                await self._send(message)
        except TimeoutError:
            if self._request.transport is not None:
                self._request.transport.abort()
            raise ConnectionResetError("the client doesn't read") from None

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [(n.decode("latin-1"), v.decode("latin-1")) for n, v in message["headers"]]
            self.response = web.StreamResponse(status=message["status"], headers=self._headers)
            for name, value in headers:
                self.response.headers.add(name, value)
            return
        if self.response is None:
            raise ApplicationFailed("a body before its head")
        if not self.response.prepared:
            await self.response.prepare(self._request)
        if message.get("body"):
            await self.response.write(message["body"])
        if not message.get("more_body"):
            await self.response.write_eof()
            self._over.set()


def _there(request: web.Request) -> bool:
    return request.transport is not None and not request.transport.is_closing()


async def serve(
    application: Application,
    request: web.Request,
    body: bytes,
    extra: Mapping[str, Any],
    headers: Mapping[str, str],
) -> web.StreamResponse:
    """Let the application answer a request; `extra` stands in its scope, `headers` beside those of
    its response.

    Raises:
        ApplicationFailed: it gave no response.
    """
    exchange = _Exchange(request, body, headers)
    sent = [(n.lower().encode("latin-1"), v.encode("latin-1")) for n, v in _headers(request)]
    peer = None if request.transport is None else request.transport.get_extra_info("peername")
    scope: MutableMapping[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.scheme,
        "path": request.path,
        "raw_path": request.raw_path.partition("?")[0].encode(),
        "query_string": request.query_string.encode(),
        "root_path": "",
        "headers": sent,
        "client": tuple(peer)[:2] if isinstance(peer, tuple) else None,
        "server": None,
        **extra,
    }
    ended = await guarded_await(application(scope, exchange.receive, exchange.send))
    if not _there(request):
        return exchange.response or web.Response(status=NOBODY)
    if isinstance(ended, Caught):
        raise ended.error
    if exchange.response is None:
        raise ApplicationFailed("no response")
    return exchange.response


def _headers(request: web.Request) -> list[tuple[str, str]]:
    return list(request.headers.items())
