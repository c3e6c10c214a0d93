"""An ASGI application behind the HTTP server."""

import asyncio
from typing import Any

import pytest
from aiohttp import web

from gateway.api.asgi import serve
from gateway.api.ops import HttpServer

pytestmark = pytest.mark.looptime


async def test_a_client_that_stops_reading_is_cut_off():
    """Else what the application has to say would wait for ever, and so would the application."""
    ended: list[BaseException] = []
    over = asyncio.Event()

    async def endless(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        try:
            while True:
                await send({"type": "http.response.body", "body": b"x" * 2**20, "more_body": True})
        except OSError as error:
            ended.append(error)
            raise
        finally:
            over.set()

    async def handle(request: web.Request) -> web.StreamResponse:
        return await serve(endless, request, b"", {}, {})

    http = HttpServer([web.get("/", handle)])
    url = await http.start("127.0.0.1", 0)
    host, port = url.removeprefix("http://").split(":")
    _, writer = await asyncio.open_connection(host, int(port), limit=1024)
    writer.write(f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    async with asyncio.timeout(60):
        await over.wait()
    assert len(ended) == 1
    writer.close()
    await http.stop()
