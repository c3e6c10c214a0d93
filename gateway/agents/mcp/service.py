"""Every server of the settings: connected at the start, its tools made into the agent's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from mcp.types import Tool as ServerTool

from gateway.agents.mcp.names import is_destructive, needs_approval, tool_name
from gateway.agents.mcp.pool import Pool
from gateway.agents.mcp.tool import Caller
from gateway.core.cancellation import InterruptBehavior
from gateway.core.errors import ToolFailed
from gateway.core.messages import Json
from gateway.runs.context import ToolContext
from gateway.runs.foreign import ForeignTool, Schema
from gateway.runs.tools import Tool
from gateway.settings import McpServerSettings
from gateway.supervise import Caught, Supervisor, guarded, guarded_await

START_SECONDS: Final = 10.0
"""How long a start waits for each server to be tried once; one that takes longer comes later."""
AGAIN_SECONDS: Final = 5.0
LONGEST_SECONDS: Final = 300.0
"""How soon a server that isn't there is tried again: twice as long each time, up to this."""
STOP_SECONDS: Final = 3.0


class Server:
    """One server and its tools."""

    def __init__(
        self,
        name: str,
        settings: McpServerSettings,
        supervisor: Supervisor,
        report: Callable[[str, BaseException], str],
    ) -> None:
        self.tools: tuple[Tool, ...] = ()
        self.tried = asyncio.Event()
        self.pool = Pool(name, settings, supervisor, self._listed)
        self.caller = Caller(self.pool, supervisor, settings.answer_seconds)
        self._name = name
        self._settings = settings
        self._report = report

    async def connect(self) -> None:
        """Try until the server is there once; its tools are known then."""
        pause = AGAIN_SECONDS
        while True:
            taken = await guarded_await(self.pool.take(""))
            if not isinstance(taken, Caught):
                self.pool.give_back(taken)
                self.tried.set()
                return
            if not self.tried.is_set():
                self._report(f"mcp server {self._name}", taken.error)
            self.tried.set()
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_SECONDS)

    def _listed(self, found: tuple[ServerTool, ...]) -> None:
        made: dict[str, Tool] = {}
        wanted = self._settings.tools
        for tool in found:
            if wanted and tool.name not in wanted:
                continue
            name = tool_name(self._name, tool.name, made)
            one = guarded(self._made, name, tool)
            if isinstance(one, Caught):
                self._report(f"mcp tool {name}", one.error)
            else:
                made[name] = one
        for missing in set(wanted) - {tool.name for tool in found}:
            error = ToolFailed("TOOL_UNKNOWN", f"the server has no tool {missing}")
            self._report(f"mcp server {self._name}", error)
        self.tools = tuple(made.values())

    def _made(self, name: str, tool: ServerTool) -> Tool:
        async def call(arguments: Mapping[str, Json], context: ToolContext) -> str:
            return await self.caller.call(tool.name, arguments, context)

        return ForeignTool(
            name=name,
            description=tool.description or tool.title or "",
            function=call,
            schema=Schema(tool.input_schema),
            behavior=InterruptBehavior.THREAD_INTERRUPT,
            approval=needs_approval(tool, self._settings.approval),
            destructive=is_destructive(tool),
            timeout_seconds=self._settings.timeout_seconds,
            let_go=self.caller.let_go,
        )


class McpServers:
    """Every server of the settings."""

    def __init__(
        self,
        settings: Mapping[str, McpServerSettings],
        supervisor: Supervisor,
        report: Callable[[str, BaseException], str],
    ) -> None:
        self._supervisor = supervisor
        self._servers = {
            name: Server(name, one, supervisor, report) for name, one in settings.items()
        }
        self._tasks: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        self._tasks = {
            self._supervisor.spawn(server.connect(), name=f"mcp connect {name}")
            for name, server in self._servers.items()
        }
        try:
            async with asyncio.timeout(START_SECONDS):
                for server in self._servers.values():
                    await server.tried.wait()
        except TimeoutError:
            return

    def tools(self) -> Sequence[Tool]:
        return [tool for server in self._servers.values() for tool in server.tools]

    def ended(self, run: str) -> None:
        for server in self._servers.values():
            server.caller.ended(run)

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        closing = {
            self._supervisor.spawn(self._stopped(server), name="mcp stop")
            for server in self._servers.values()
        }
        await asyncio.wait(closing, timeout=2 * STOP_SECONDS)

    async def _stopped(self, server: Server) -> None:
        await server.caller.stop(STOP_SECONDS)
        await server.pool.close(STOP_SECONDS)
