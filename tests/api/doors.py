"""An HTTP server with one door, and whoever knocks at it, in virtual time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from gateway.api.gate import Arrived, Gate
from gateway.api.ops import HttpServer
from gateway.clock import SystemIds
from gateway.ports.tokens import Scope
from gateway.settings import ApiSettings
from gateway.store.sqlite import SqliteStore
from gateway.tokens import Keys
from tests.builders import LoopClock

SECRET = "s" * 40


class Doors:
    """The server's address, its tokens, and the errors that it reported."""

    def __init__(self, session: aiohttp.ClientSession, keys: Keys) -> None:
        self.session = session
        self.keys = keys
        self.address = ""
        self.reported: list[BaseException] = []
        self.clock = LoopClock()
        self.gate: Gate

    def report(self, where: str, error: BaseException) -> str:
        self.reported.append(error)
        return f"e{len(self.reported)}"

    async def ask(self, method: str = "GET", **how: Any) -> tuple[int, Any, Any]:
        """Status, JSON and headers of the answer."""
        async with self.session.request(method, self.address + "/door?x=%20y", **how) as answer:
            found = await answer.json(content_type=None) if answer.status != 204 else None
            return answer.status, found, answer.headers


@asynccontextmanager
async def doors(
    directory: Path,
    *,
    home: str | None = None,
    handler: Any = None,
    files_bytes: int = 0,
    **settings: Any,
) -> AsyncIterator[Doors]:
    store = await SqliteStore.open(
        directory / "a.db", owner="t", clock=LoopClock(), report=lambda where, error: None
    )
    keys = Keys(store, LoopClock(), SystemIds())
    async with aiohttp.ClientSession() as session:
        made = Doors(session, keys)
        gate = made.gate = Gate(ApiSettings(**settings), keys, made.clock, made.report, home=home)

        async def who(arrived: Arrived) -> web.StreamResponse:
            return web.json_response({"who": arrived.caller.principal, "body": len(arrived.body)})

        served = gate.route(Scope.API, handler or who, files_bytes)
        paths = [web.route(method, "/door", served) for method in ("GET", "POST")]
        server = HttpServer([*paths, web.options("/door", gate.preflight)])
        made.address = await server.start("127.0.0.1", 0)
        try:
            yield made
        finally:
            await server.stop()
            await store.close()
