"""Health, readiness and metrics over HTTP."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from gateway.api.ops import HttpServer, PortTaken, routes


class Server:
    def __init__(self) -> None:
        self.ready = False
        self.http = HttpServer(routes(lambda: self.ready, lambda: b"bargein_x 1\n"))
        self.url = ""


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    server = Server()
    server.url = await server.http.start("127.0.0.1", 0)
    yield server
    await server.http.stop()


async def get(url: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        return response.status, await response.text()


async def test_alive_at_once_ready_after_recovery(server: Server):
    assert await get(f"{server.url}/healthz") == (200, "ok\n")
    assert await get(f"{server.url}/readyz") == (503, "recovering\n")
    server.ready = True
    assert await get(f"{server.url}/readyz") == (200, "ready\n")


async def test_metrics_are_given_as_they_are(server: Server):
    assert await get(f"{server.url}/metrics") == (200, "bargein_x 1\n")


async def test_a_taken_port_is_named(server: Server):
    port = int(server.url.rsplit(":", 1)[1])
    second = HttpServer(routes(lambda: True, bytes))
    with pytest.raises(PortTaken, match=str(port)):
        await second.start("127.0.0.1", port)
