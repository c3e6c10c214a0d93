"""Messages of an editor: one a line."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final

from gateway.api.plugs import ACP, send_line
from gateway.api.problems import Report
from gateway.supervise import Caught, guarded

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
ID_LENGTH: Final = 64


class AnswerDropped(Warning):
    """An answer had no editor left to read it; `request` is the id of what it answers."""

    def __init__(self, request: object) -> None:
        which = str(request)[:ID_LENGTH]
        super().__init__(f"an answer was dropped, since its editor is gone: request {which}")


class LineTransport:
    """The messages on a pair of streams. What is none is answered with an error, and the next one
    is read.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, report: Report
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._report = report
        self._sending = asyncio.Lock()

    async def send(self, message: dict[str, Any]) -> None:
        """Hand one over. An answer that its asker is gone from, or doesn't read, is dropped, which
        is logged.

        Raises:
            OSError: the same of a request or of what the editor is told.
        """
        line = json.dumps(message, ensure_ascii=False, separators=(",", ":"), default=str)
        async with self._sending:
            try:
                await send_line(self._writer, line.encode("utf-8", "replace"))
            except OSError:
                if "method" in message:
                    raise
                self._report(ACP, AnswerDropped(message.get("id")))

    async def receive(self) -> dict[str, Any] | None:
        """The next one, None at the end."""
        while True:
            try:
                line = await self._reader.readline()
            except (OSError, ValueError):
                return None  # a line over the limit can't be read past
            if not line:
                return None
            if not line.strip():
                continue
            message = guarded(json.loads, line)
            if isinstance(message, dict) and isinstance(message.get("method", ""), str):
                return message
            code = PARSE_ERROR if isinstance(message, Caught) else INVALID_REQUEST
            error = {"code": code, "message": "not one JSON-RPC message"}
            await self.send({"jsonrpc": "2.0", "id": None, "error": error})

    async def close(self) -> None:
        """Hang up."""
        self._writer.close()
