"""Servers of tools beside the agent's own, loaded by name where one is set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Protocol

from gateway.core.errors import SettingsInvalid
from gateway.runs.tools import Tool
from gateway.settings import Settings
from gateway.supervise import Caught, Supervisor, guarded

SERVICE = "gateway.agents.mcp.service"


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


class NoServers:
    """Where none is set."""

    async def start(self) -> None:
        """Nothing to connect to."""

    def tools(self) -> Sequence[Tool]:
        return ()

    def ended(self, run: str) -> None:
        """No call waits for anything."""

    async def stop(self) -> None:
        """Nothing to close."""


def load_servers(
    settings: Settings,
    supervisor: Supervisor,
    report: Callable[[str, BaseException], str],
) -> ToolServers:
    """The servers of the settings. Their library is loaded only where there are some.

    Raises:
        SettingsInvalid: the extra is not installed.
    """
    if not settings.mcp:
        return NoServers()
    loaded = guarded(import_module, SERVICE)
    if isinstance(loaded, Caught):
        text = f"mcp needs the extra: pip install 'bargein[mcp]' ({loaded.error})"
        raise SettingsInvalid(text, path="mcp")
    made: ToolServers = loaded.McpServers(settings.mcp, supervisor, report)
    return made
