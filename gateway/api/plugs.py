"""Protocols that need a library of their own: MCP and ACP, loaded when the first client comes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from typing import Any, Final, Protocol, TypeAlias

from aiohttp import web

from gateway.api.door import Door
from gateway.api.feed import Feed
from gateway.api.gate import Arrived, Gate
from gateway.api.problems import Report
from gateway.api.sse import WRITE_DEADLINE_SECONDS
from gateway.core.errors import NotFound
from gateway.ports.clock import Ids
from gateway.ports.tokens import Scope
from gateway.router import Router
from gateway.settings import McpServerSettings
from gateway.supervise import Caught, DaemonExecutor, guarded, in_thread

MCP: Final = "mcp"
"""The channel of MCP clients."""
ACP: Final = "acp"
"""The channel of editors."""
PATH: Final = "/mcp"
OPENED: Final = b'{"type": "opened"}\n'
"""Answers a local program's first line, once its protocol is served."""
SITES: Final[Mapping[str, str]] = {MCP: "gateway.api.mcp.site", ACP: "gateway.api.acp.site"}


Bring: TypeAlias = Callable[[str, Mapping[str, McpServerSettings]], Awaitable[Callable[[], object]]]
"""Connects to MCP servers for a thread, whose tools they are until what it returns is called."""


class Opened(Protocol):
    """A local program that opened a line: which protocol it speaks, and for whom."""

    @property
    def protocol(self) -> str: ...

    @property
    def principal(self) -> str: ...

    @property
    def language(self) -> str: ...


async def send_line(writer: asyncio.StreamWriter, line: bytes) -> None:
    """Hand a message over to a local program.

    Raises:
        OSError: the program is gone, or takes nothing for `WRITE_DEADLINE_SECONDS`.
    """
    if writer.is_closing():
        raise ConnectionResetError("the program is gone")
    writer.write(line + b"\n")
    try:
        async with asyncio.timeout(WRITE_DEADLINE_SECONDS):
            await writer.drain()
    except TimeoutError:
        writer.transport.abort()
        raise ConnectionResetError("the program doesn't read") from None


class Plugs:
    """The doors of both protocols."""

    def __init__(
        self,
        router: Router,
        feeds: Mapping[str, Feed],
        ids: Ids,
        report: Report,
        bring: Bring,
    ) -> None:
        self._more: Mapping[str, Mapping[str, Any]] = {ACP: {"bring": bring}}
        self._doors = {name: Door(router, feeds[name], ids) for name in SITES}
        self._supervisor = router.wiring.supervisor
        self._report = report
        self._loading = asyncio.Lock()
        self._site: Any = None

    # -- over HTTP -----------------------------------------------------------------------------

    def routes(self, gate: Gate) -> list[web.RouteDef]:
        """MCP over streamable HTTP."""

        async def handle(arrived: Arrived) -> web.StreamResponse:
            async with self._loading:
                if self._site is None:
                    made = (await self._load(MCP)).McpSite
                    self._site = made(self._doors[MCP], gate, self._supervisor, self._report)
            response: web.StreamResponse = await self._site.handle(arrived)
            return response

        served = gate.route(Scope.MCP, handle)
        made = [web.route(method, PATH, served) for method in ("GET", "POST", "DELETE")]
        return [*made, web.options(PATH, gate.preflight)]

    def stop(self) -> None:
        """End every session."""
        if self._site is not None:
            self._site.stop()

    # -- lines of a local program --------------------------------------------------------------

    async def serve(
        self,
        opened: Opened,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        """Serve one client that writes a message a line, until it hangs up.

        Raises:
            NotFound: there is no such protocol, or its extra is not installed.
        """
        if opened.protocol not in SITES:
            raise NotFound(f"there is no protocol {opened.protocol[:100]}")
        site = await self._load(opened.protocol)
        door = self._doors[opened.protocol]
        writer.write(OPENED)
        await site.serve_lines(
            door,
            opened,
            reader,
            writer,
            supervisor=self._supervisor,
            report=self._report,
            **self._more.get(opened.protocol, {}),
        )

    async def _load(self, protocol: str) -> Any:
        """The protocol's module.

        Raises:
            NotFound: its extra is not installed.
        """
        executor = DaemonExecutor(f"load {protocol}")
        loaded = await in_thread(executor, lambda: guarded(import_module, SITES[protocol]))
        if isinstance(loaded, Caught):
            text = f"{protocol} needs the extra: pip install 'bargein[{protocol}]'"
            raise NotFound(f"{text} ({loaded.error})")
        return loaded
