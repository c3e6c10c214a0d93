"""One connection to a server: everything it opens lives and dies in one task."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, TextIO

import httpx2
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.session import ClientRequestContext, ClientSession, IncomingMessage
from mcp.client.streamable_http import streamable_http_client
from mcp.types import (
    ElicitRequestParams,
    ElicitResult,
    Implementation,
    Tool,
    ToolListChangedNotification,
)
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from gateway.agents.mcp.questions import CANCELLED
from gateway.core.errors import ToolFailed
from gateway.settings import McpServerSettings
from gateway.supervise import Caught, Supervisor, guarded_await

OPEN_SECONDS: Final = 20.0
"""The longest that a connection may take to be made; a program may have to be loaded."""
HTTP_SECONDS: Final = 30.0
MOST_TOOLS: Final = 512
Elicited = Callable[[ElicitRequestParams], Awaitable[ElicitResult]]


class Connection:
    """A connection to one server, from `open` until it is lost or closed.

    `modern`: it speaks a protocol in which every request stands alone. `elicited` is asked when the
    server asks in the middle of a call, in the protocols before. `changed` is called when the
    server says that it has other tools now.
    """

    def __init__(
        self,
        name: str,
        settings: McpServerSettings,
        supervisor: Supervisor,
        changed: Callable[[], object],
    ) -> None:
        self.name = name
        self.thread = ""
        self.elicited: Elicited | None = None
        self.tools: tuple[Tool, ...] = ()
        self.modern = False
        self.open_ = False
        self._settings = settings
        self._supervisor = supervisor
        self._changed = changed
        self._session: ClientSession | None = None
        self._ready: asyncio.Future[None] | None = None
        self._closing = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def session(self) -> ClientSession:
        """What calls are made with.

        Raises:
            ToolFailed: the connection is not open.
        """
        if self._session is None or not self.open_:
            raise ToolFailed("MCP_SERVER_UNAVAILABLE", f"the server {self.name} is not there")
        return self._session

    async def open(self) -> None:
        """Connect, agree on a protocol and list the tools.

        Raises:
            ToolFailed: MCP_SERVER_UNAVAILABLE.
        """
        self._ready = asyncio.get_running_loop().create_future()
        self._task = self._supervisor.spawn(self._live(), name=f"mcp server {self.name}")
        try:
            async with asyncio.timeout(OPEN_SECONDS):
                await self._ready
        except asyncio.CancelledError:
            self._task.cancel()
            raise
        except TimeoutError as error:
            self._task.cancel()
            text = f"the server {self.name} is not there: nothing came in {OPEN_SECONDS:g} s"
            raise ToolFailed("MCP_SERVER_UNAVAILABLE", text) from error

    def lost(self) -> None:
        """It is of no use any more."""
        self.open_ = False
        self._closing.set()

    async def close(self, seconds: float) -> None:
        """End it, within so long."""
        self.lost()
        if self._task is not None:
            _, late = await asyncio.wait({self._task}, timeout=seconds)
            for task in late:
                task.cancel()

    # -- the one task --------------------------------------------------------------------------

    async def _live(self) -> None:
        ended = await guarded_await(self._serve())
        self.open_ = False
        self._session = None
        if self._ready is not None and not self._ready.done():
            why = _why(ended.error) if isinstance(ended, Caught) else "it hung up"
            text = f"the server {self.name} is not there: {why}"
            self._ready.set_exception(ToolFailed("MCP_SERVER_UNAVAILABLE", text))

    async def _serve(self) -> None:
        async with _transport(self._settings) as transport:
            client = Client(
                transport,
                client_info=Implementation(name="bargein", version=version("bargein")),
                elicitation_callback=self._elicit,
                message_handler=self._told,
                cache=None,
            )
            async with client:
                self.modern = client.protocol_version in MODERN_PROTOCOL_VERSIONS
                self.tools = await _listed(client)
                self._session, self.open_ = client.session, True
                assert self._ready is not None
                if not self._ready.done():
                    self._ready.set_result(None)
                await self._closing.wait()

    async def _elicit(
        self, context: ClientRequestContext, params: ElicitRequestParams
    ) -> ElicitResult:
        return CANCELLED if self.elicited is None else await self.elicited(params)

    async def _told(self, message: IncomingMessage) -> None:
        if isinstance(message, ToolListChangedNotification):
            self._changed()


def _why(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__


async def _listed(client: Client) -> tuple[Tool, ...]:
    found: list[Tool] = []
    cursor: str | None = None
    while len(found) < MOST_TOOLS:
        page = await client.list_tools(cursor=cursor)
        found += page.tools
        if not page.next_cursor or page.next_cursor == cursor:
            break
        cursor = page.next_cursor
    return tuple(found[:MOST_TOOLS])


class _Given:
    """A transport that was opened already, as the client takes one."""

    def __init__(self, streams: Any) -> None:
        self._streams = streams

    async def __aenter__(self) -> Any:
        return self._streams

    async def __aexit__(self, *raised: object) -> None:
        return None


@asynccontextmanager
async def _transport(settings: McpServerSettings) -> AsyncIterator[_Given]:
    if settings.url is not None:
        headers = {name: value.get_secret_value() for name, value in settings.headers.items()}
        times = httpx2.Timeout(HTTP_SECONDS, read=None)
        async with (
            httpx2.AsyncClient(headers=headers, timeout=times) as http,
            streamable_http_client(settings.url, http_client=http) as streams,
        ):
            yield _Given(streams)
        return
    assert settings.command is not None
    started = StdioServerParameters(
        command=settings.command,
        args=list(settings.args),
        env={name: value.get_secret_value() for name, value in settings.env.items()},
        cwd=settings.directory,
    )
    with _log(settings.log) as log:
        async with stdio_client(started, errlog=log) as streams:
            yield _Given(streams)


def _log(path: Path | None) -> TextIO:
    return Path(os.devnull if path is None else path).open("a", encoding="utf-8")
