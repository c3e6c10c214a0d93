"""The stream of an AG-UI server, as it comes."""

import asyncio
from typing import Any

import pytest

from gateway.agents.agui.stream import Server
from gateway.core.errors import AgentFailed
from tests.fakes.agui_server import agui_server

BODY = b'{"threadId": "t", "runId": "r"}'


@pytest.mark.parametrize("lines", [b"data:\n" * 800_000, b"data: " + b"x" * 4_800_000])
async def test_an_event_that_never_ends_ends_the_answer(lines: bytes):
    async with agui_server([lines, 9_999.0]) as server, asyncio.timeout(30):
        with pytest.raises(AgentFailed, match="more than"):
            await read(server.url)


async def read(url: str) -> list[Any]:
    async with Server(url).run(BODY) as events:
        return [event async for event in events]
