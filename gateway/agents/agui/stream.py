"""One request to an AG-UI server, and the events of its answer as they come."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import aiohttp

from gateway.agents.agui.errors import REFUSED, SILENT, UNREACHABLE, broken
from gateway.agents.agui.events import Event, event_of
from gateway.core.errors import AgentFailed
from gateway.supervise import Caught, guarded

CONNECT_SECONDS: Final = 10.0
MAX_EVENT_BYTES: Final = 4 * 2**20
EVENTS: Final = "text/event-stream"
JSON: Final = "application/json"
DECLARES_SECONDS: Final = 5.0
MAX_DECLARED_BYTES: Final = 64 * 2**10
PIECE_BYTES: Final = 256 * 2**10


class NotTaken(AgentFailed):
    """The server never began the run: the request may be made again."""


@dataclass(frozen=True, slots=True)
class Server:
    """An AG-UI server. `silence_seconds`: so long it may send nothing at all."""

    url: str
    token: str | None = None
    silence_seconds: float = 120.0

    @property
    def headers(self) -> Mapping[str, str]:
        """What every request carries."""
        bearer = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {**bearer, "Accept": EVENTS}

    @asynccontextmanager
    async def run(self, body: bytes) -> AsyncIterator[AsyncIterator[Event]]:
        """Ask for a run; its events. Leaving closes the connection.

        Raises:
            NotTaken: AGENT_UNREACHABLE or AGENT_REFUSED; the run was not begun. `params["status"]`
                is the HTTP status, where there was an answer.
        """
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS)
        async with aiohttp.ClientSession(timeout=timeout) as session:
            response = await self._ask(session, body)
            try:
                _check(response)
                yield self._events(response)
            finally:
                response.close()

    async def capabilities(self) -> Any:
        """What the server declares at its address (`AgentCapabilities`): nothing where it answers
        otherwise, as most do, or not in time. None where it isn't there.
        """
        timeout = aiohttp.ClientTimeout(total=DECLARES_SECONDS)
        headers = {**self.headers, "Accept": JSON}
        async with aiohttp.ClientSession(timeout=timeout) as session:
            try:
                async with session.get(self.url, headers=headers, allow_redirects=False) as said:
                    if said.status != 200 or said.content_type != JSON:
                        return {}
                    data = bytearray()
                    async for part in said.content.iter_any():
                        data += part
                        if len(data) > MAX_DECLARED_BYTES:
                            return {}
            except TimeoutError:
                return {}
            except (aiohttp.ClientError, OSError):
                return None
        declared = guarded(json.loads, data)
        return {} if isinstance(declared, Caught) or declared is None else declared

    async def _ask(self, session: aiohttp.ClientSession, body: bytes) -> aiohttp.ClientResponse:
        length = {"Content-Type": JSON, "Content-Length": str(len(body))}
        headers = {**self.headers, **length}
        try:
            async with asyncio.timeout(self.silence_seconds):
                return await session.post(
                    self.url,
                    data=_pieces(body),
                    headers=headers,
                    allow_redirects=False,
                )
        except TimeoutError:
            raise AgentFailed(SILENT, f"nothing for {self.silence_seconds:g} s") from None
        except aiohttp.ClientConnectorError as error:
            raise NotTaken(UNREACHABLE, str(error)) from error
        except (aiohttp.ClientError, OSError) as error:
            raise AgentFailed(UNREACHABLE, f"{type(error).__name__}: {error}") from error

    async def _events(self, response: aiohttp.ClientResponse) -> AsyncIterator[Event]:
        """The events, until the connection ends.

        Raises:
            AgentFailed: it breaks, is silent for too long, or brings what is no event.
        """
        lines = bytearray()
        data: list[bytes] = []
        held = 0
        while True:
            part = await self._part(response)
            if not part:
                return
            lines += part
            while (end := lines.find(b"\n")) >= 0:
                line = bytes(lines[:end]).removesuffix(b"\r")
                del lines[: end + 1]
                if line.startswith(b"data:"):
                    data.append(line[5:].removeprefix(b" "))
                    held += len(line) + 1
                elif not line and data:
                    event = event_of(_json(b"\n".join(data)))
                    data.clear()
                    held = 0
                    if event is not None:
                        yield event
            if len(lines) + held > MAX_EVENT_BYTES:
                raise broken(f"an event has more than {MAX_EVENT_BYTES} bytes")

    async def _part(self, response: aiohttp.ClientResponse) -> bytes:
        try:
            async with asyncio.timeout(self.silence_seconds):
                return await response.content.readany()
        except TimeoutError:
            raise AgentFailed(SILENT, f"nothing for {self.silence_seconds:g} s") from None
        except (aiohttp.ClientError, OSError) as error:
            raise broken(f"the connection broke: {type(error).__name__}") from error


async def _pieces(body: bytes) -> AsyncIterator[bytes]:
    """A body that may be long, without holding everything else up."""
    for start in range(0, len(body), PIECE_BYTES):
        yield body[start : start + PIECE_BYTES]


def encoded(body: Mapping[str, Any]) -> bytes:
    """A request's body; bytes in it stand as base64."""
    text = json.dumps(body, default=lambda data: base64.b64encode(data).decode("ascii"))
    return text.encode()


def _check(response: aiohttp.ClientResponse) -> None:
    status = response.status
    if status >= 500 or status == 429:
        raise NotTaken(UNREACHABLE, f"the server answers {status}", status=status)
    if status != 200:
        raise NotTaken(REFUSED, f"the server answers {status}", status=status)
    if response.content_type != EVENTS:
        raise broken(f"the server answers with {response.content_type}")


def _json(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise broken("an event is no JSON") from None
