"""A real MCP client at the product, over HTTP or over the local socket's lines.

async with connected(desk, "legacy", "http", Person({"answer": "eu"})) as client: ...
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anyio
import httpx2
from mcp import Client
from mcp.client.session import ClientRequestContext
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp.types import ElicitRequestParams, ElicitResult, jsonrpc_message_adapter

from gateway.ports.tokens import Scope
from tests.acceptance.desk import Desk


class Person:
    """Answers forms, one after the other; the last answer again and again."""

    def __init__(self, *answers: Any, after: float = 0.0) -> None:
        self.asked: list[Any] = []
        self._answers = answers
        self._after = after

    async def __call__(
        self, context: ClientRequestContext, params: ElicitRequestParams
    ) -> ElicitResult:
        self.asked.append(params)
        answer = self._answers[min(len(self.asked), len(self._answers)) - 1]
        await asyncio.sleep(self._after)
        if isinstance(answer, str):
            return ElicitResult.model_validate({"action": answer})
        return ElicitResult(action="accept", content=answer)


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a call."""

    error: bool
    text: str
    data: dict[str, Any]


class Tools:
    """The tools of a server, as its client calls them."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, /, **arguments: Any) -> Done:
        result = await self.client.call_tool(tool, arguments)
        (block,) = result.content
        assert block.type == "text"
        return Done(result.is_error, block.text, result.structured_content)


class Lines:
    """The local socket as the client's transport: a message a line."""

    def __init__(self, desk: Desk, protocol: str, principal: str) -> None:
        self._desk = desk
        self._open = {"type": "open", "protocol": protocol, "principal": principal}
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Any:
        path = str(self._desk.app.socket.path)
        self._reader, self._writer = await asyncio.open_unix_connection(path, limit=2**24)
        self._writer.write(json.dumps(self._open).encode() + b"\n")
        assert json.loads(await self._reader.readline()) == {"type": "opened"}
        to_client, heard = anyio.create_memory_object_stream[Any](0)
        said, from_client = anyio.create_memory_object_stream[Any](0)
        self._tasks = [
            asyncio.create_task(self._listen(to_client)),
            asyncio.create_task(self._speak(from_client)),
        ]
        return heard, said

    async def __aexit__(self, *raised: object) -> None:
        self._writer.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)

    async def _listen(self, to_client: Any) -> None:
        async with to_client:
            while line := await self._reader.readline():
                await to_client.send(SessionMessage(jsonrpc_message_adapter.validate_json(line)))

    async def _speak(self, from_client: Any) -> None:
        async with from_client:
            async for item in from_client:
                text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                self._writer.write(text.encode() + b"\n")
                await self._writer.drain()


@asynccontextmanager
async def connected(
    desk: Desk, mode: str, way: str, person: Person | None = None, who: str = "ann"
) -> AsyncIterator[Tools]:
    """A client of one generation of the protocol; without a person it can't ask anybody."""
    asks: dict[str, Any] = {} if person is None else {"elicitation_callback": person}
    chosen: dict[str, Any] = {"mode": mode, "cache": None, **asks}
    if way == "lines":
        async with Client(Lines(desk, "mcp", who), **chosen) as client:
            yield Tools(client)
        return
    secret = await desk.app.front.people.create(who, {Scope.MCP})
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(600)) as http:
        url = f"{desk.app.address}/mcp"
        async with Client(streamable_http_client(url, http_client=http), **chosen) as client:
            yield Tools(client)
