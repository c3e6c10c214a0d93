"""Servers of tools beside the agent's own: those of the settings, and those that a client brings
for its thread. Their library is loaded where there are some.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from importlib import import_module
from typing import Any, Protocol

from gateway.core.errors import ServersRefused, SettingsInvalid
from gateway.runs.tools import Tool
from gateway.settings import McpServerSettings, Settings
from gateway.supervise import Caught, DaemonExecutor, Supervisor, guarded, in_thread

SERVICE = "gateway.agents.mcp.service"
EXTRA = "needs the extra: pip install 'bargein[mcp]'"
Report = Callable[[str, BaseException], str]


class ToolServers(Protocol):
    """Servers whose tools an agent in this process gets."""

    async def start(self) -> None:
        """Connect to each and learn its tools; one that isn't there is tried again later."""

    def tools(self) -> Sequence[Tool]:
        """The tools of those that are there."""

    def ended(self, run: str) -> None:
        """A run has ended: what its calls still wait for is given up."""

    async def stop(self) -> None:
        """Give up every call and close every connection; idempotent."""


class Servers:
    """All of them."""

    def __init__(self, settings: Settings, supervisor: Supervisor, report: Report) -> None:
        """Make those of the settings, not yet connected.

        Raises:
            SettingsInvalid: the extra is not installed.
        """
        self._supervisor = supervisor
        self._report = report
        self._own: ToolServers | None = None
        self._brought: dict[ToolServers, str] = {}
        if settings.mcp:
            loaded = guarded(import_module, SERVICE)
            if isinstance(loaded, Caught):
                raise SettingsInvalid(f"mcp {EXTRA} ({loaded.error})", path="mcp")
            self._own = loaded.McpServers(settings.mcp, supervisor, report)

    async def start(self) -> None:
        """Connect to those of the settings."""
        if self._own is not None:
            await self._own.start()

    def tools(self, thread: str | None = None) -> Sequence[Tool]:
        """The tools that a thread has, or all there are; of two with one name the operator's comes
        last, and stands.
        """
        brought = [
            tool
            for servers, of in self._brought.items()
            if thread in (None, of)
            for tool in servers.tools()
        ]
        return [*brought, *(self._own.tools() if self._own is not None else ())]

    def ended(self, run: str) -> None:
        """A run has ended: what its calls still wait for is given up."""
        for servers in self._every():
            servers.ended(run)

    async def stop(self) -> None:
        """Give up every call and close every connection."""
        stopping = {
            self._supervisor.spawn(servers.stop(), name="tool servers stop")
            for servers in self._every()
        }
        self._brought.clear()
        if stopping:
            await asyncio.wait(stopping)

    async def bring(
        self, thread: str, given: Mapping[str, McpServerSettings]
    ) -> Callable[[], object]:
        """Connect to a client's servers, whose tools are its thread's from now on; who calls what
        is returned takes them away, and gives up the calls that are on.

        Raises:
            ServersRefused: the extra is not installed.
        """
        loaded: Any = await in_thread(
            DaemonExecutor("load mcp"), lambda: guarded(import_module, SERVICE)
        )
        if isinstance(loaded, Caught):
            raise ServersRefused(f"MCP servers: the gateway {EXTRA}")
        servers: ToolServers = loaded.McpServers(given, self._supervisor, self._report)
        self._brought[servers] = thread

        def take_away() -> None:
            if self._brought.pop(servers, None) is not None:
                self._supervisor.spawn(servers.stop(), name="tool servers stop")

        with ExitStack() as undoing:
            undoing.callback(take_away)
            await servers.start()
            undoing.pop_all()
        return take_away

    def _every(self) -> list[ToolServers]:
        return [*self._brought, *([self._own] if self._own is not None else [])]
