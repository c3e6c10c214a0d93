"""How a page's WebSocket is opened: what is written goes to the system at once, or waits for it."""

from __future__ import annotations

import asyncio
from typing import Final

from aiohttp import web

CLOSE_SECONDS: Final = 2.0
"""How long the other side may take to agree to an end."""


async def opened(
    request: web.Request, *, longest_message_bytes: int, heartbeat_seconds: float
) -> web.WebSocketResponse:
    """The socket, answered. A message over the limit, or a heartbeat without an answer, closes it.
    Nothing is kept back between us and the system: a write that waits shows who doesn't read.
    """
    socket = web.WebSocketResponse(
        heartbeat=heartbeat_seconds,
        timeout=CLOSE_SECONDS,
        compress=False,
        max_msg_size=longest_message_bytes,
        writer_limit=0,
    )
    await socket.prepare(request)
    if isinstance(request.transport, asyncio.WriteTransport):
        request.transport.set_write_buffer_limits(high=0)
    return socket
