"""An AG-UI server that plays a script: one step a request; it notes what it was asked.

A step is a list of events (dicts; `threadId` and `runId` are filled in), floats (waits), Gates,
bytes (written as they are), an int (the response's status), None (the connection breaks here), or
a function from the request's body to such a list.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from aiohttp import web

from gateway.api.ops import HttpServer


def text(said: str, id_: str = "m1") -> list[dict[str, Any]]:
    """A whole message."""
    return [
        {"type": "TEXT_MESSAGE_START", "messageId": id_, "role": "assistant"},
        *({"type": "TEXT_MESSAGE_CONTENT", "messageId": id_, "delta": d} for d in said.split("|")),
        {"type": "TEXT_MESSAGE_END", "messageId": id_},
    ]


def call(id_: str, name: str, **arguments: Any) -> list[dict[str, Any]]:
    """A whole tool call."""
    return [
        {"type": "TOOL_CALL_START", "toolCallId": id_, "toolCallName": name},
        {"type": "TOOL_CALL_ARGS", "toolCallId": id_, "delta": json.dumps(arguments)},
        {"type": "TOOL_CALL_END", "toolCallId": id_},
    ]


def result(id_: str, content: str) -> dict[str, Any]:
    return {
        "type": "TOOL_CALL_RESULT",
        "messageId": f"r-{id_}",
        "toolCallId": id_,
        "content": content,
    }


def run(*parts: Any, outcome: Any = None) -> list[Any]:
    """A whole run."""
    events: list[Any] = [{"type": "RUN_STARTED"}]
    for part in parts:
        events += part if isinstance(part, list) else [part]
    end = {"type": "RUN_FINISHED"} | ({} if outcome is None else {"outcome": outcome})
    return [*events, end]


def asks(*interrupts: dict[str, Any]) -> dict[str, Any]:
    return {"type": "interrupt", "interrupts": list(interrupts)}


class AguiServer:
    """The server; `requests` are the bodies it got, `gone` how many clients left before the end.
    `declares` is what it tells who asks what it can do (bytes: a page; a tuple: JSON that comes in
    pieces), None where it doesn't, "" where the connection breaks.
    """

    def __init__(
        self, *steps: list[Any] | Callable[[Any], list[Any]], declares: Any = None
    ) -> None:
        self.steps = list(steps)
        self.declares = declares
        self.requests: list[Any] = []
        self.headers: list[Any] = []
        self.gone = 0
        self.url = ""

    async def serve(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.requests.append(body)
        self.headers.append(dict(request.headers))
        wanted = self.steps[min(len(self.requests), len(self.steps)) - 1]
        step = wanted(body) if callable(wanted) else wanted
        if step and isinstance(step[0], int):
            return web.json_response({"detail": "no"}, status=step[0])
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        try:
            for part in step:
                if not await self._part(request, response, body, part):
                    break
        except (OSError, ConnectionError):
            self.gone += 1
        return response

    async def declare(self, request: web.Request) -> web.StreamResponse:
        self.headers.append(dict(request.headers))
        if self.declares is None:
            raise web.HTTPMethodNotAllowed("GET", ["POST"])
        if self.declares == "":
            assert request.transport is not None
            request.transport.abort()
        if isinstance(self.declares, bytes):
            return web.Response(body=self.declares, content_type="text/html")
        if not isinstance(self.declares, tuple):
            return web.json_response(self.declares)
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        await response.prepare(request)
        for piece in self.declares:
            await response.write(piece)
            await asyncio.sleep(0.1)
        return response

    async def _part(
        self, request: web.Request, response: web.StreamResponse, body: Any, part: Any
    ) -> bool:
        if part is None:
            assert request.transport is not None
            request.transport.abort()
            return False
        if isinstance(part, bytes):
            await response.write(part)
        elif isinstance(part, dict):
            ids = {"threadId": body["threadId"], "runId": body["runId"]}
            event = {**part, **(ids if part["type"].startswith("RUN_") else {})}
            await response.write(f"data: {json.dumps(event)}\n\n".encode())
        else:
            await self._wait(request, part)
        return True

    async def _wait(self, request: web.Request, part: Any) -> None:
        """A wait, which a client that leaves ends."""
        waiting = asyncio.ensure_future(
            asyncio.sleep(part) if isinstance(part, float) else part.wait()
        )
        while not waiting.done():
            await asyncio.wait({waiting}, timeout=0.5)
            if request.transport is None or request.transport.is_closing():
                waiting.cancel()
                with suppress(asyncio.CancelledError):
                    await waiting
                raise ConnectionResetError


@asynccontextmanager
async def agui_server(
    *steps: list[Any] | Callable[[Any], list[Any]], declares: Any = None
) -> AsyncIterator[AguiServer]:
    server = AguiServer(*steps, declares=declares)
    path = "/agents/clerk"
    http = HttpServer([web.post(path, server.serve), web.get(path, server.declare)])
    server.url = f"{await http.start('127.0.0.1', 0)}/agents/clerk"
    try:
        yield server
    finally:
        await http.stop()
