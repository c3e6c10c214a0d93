"""`agent = "agui:https://…"`: any AG-UI server as the agent."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit

from gateway.agents.agui.files import Taking
from gateway.agents.agui.run import AguiRun, settle
from gateway.agents.agui.stream import Server
from gateway.core.cancellation import InterruptReason
from gateway.core.events import Asked, Ended
from gateway.core.messages import Attachment, Json
from gateway.ports.agent import AgentCapabilities, RunHost, RunStart
from gateway.runs.runtime import Runtime, default_runtime
from gateway.runs.tools import Tool
from gateway.supervise import Caught, guarded_await

PREFIX: Final = "agui:"
TIMEOUT_SECONDS: Final = 604_800.0
"""The agent sets no limit of its own: `timeouts.run_seconds` holds."""


class AguiHandle:
    """A run at an AG-UI server. It can be stopped, by closing its stream; it takes no messages."""

    def __init__(
        self, run: AguiRun, leg: asyncio.Task[Ended | Asked | Caught], task: asyncio.Task[None]
    ) -> None:
        self._run = run
        self._leg = leg
        self._task = task
        self._loop = asyncio.get_running_loop()

    def stop(self, reason: InterruptReason) -> None:
        """Close the stream; the first reason wins. Returns at once, from any thread."""
        if self._run.reason is None:
            self._run.reason = reason
            self._loop.call_soon_threadsafe(self._leg.cancel)

    def stop_child(self, run: str, reason: InterruptReason) -> bool:
        """The server's own child runs have no address here."""
        return False

    def abandon(self) -> None:
        """The grace is over."""
        self._leg.cancel()
        self._task.cancel()

    def steer(self, text: str, attachments: tuple[Attachment, ...] = ()) -> bool:
        """What goes on at the server takes no messages."""
        return False

    def follow_up(self, text: str, attachments: tuple[Attachment, ...] = ()) -> bool:
        """The same."""
        return False

    def inject(self, text: str, attachments: tuple[Attachment, ...] = ()) -> bool:
        """The same."""
        return False

    def abort(self) -> list[str]:
        """Stop for good; no message was ever taken."""
        self.stop(InterruptReason.USER_SIGINT)
        return []


class AguiAgent:
    """The agent behind an AG-UI server. What is said while it works waits for its next run."""

    capabilities = AgentCapabilities(steer=False)
    timeout_seconds = TIMEOUT_SECONDS

    def __init__(
        self,
        server: Server,
        *,
        name: str = "",
        runtime: Runtime | None = None,
        taking: Taking | None = None,
    ) -> None:
        self.name = name or name_of(server.url)
        self._server = server
        self._taking = taking or Taking(server)
        self.runtime = runtime or default_runtime()

    def with_runtime(self, runtime: Runtime) -> AguiAgent:
        """The same agent with this process's spawner, clock and ids."""
        bound = copy.copy(self)
        bound.runtime = runtime
        return bound

    def with_tools(self, tools: Callable[[str | None], Sequence[Tool]]) -> AguiAgent:
        """The same agent: it has the server's tools, and no others can be given to it."""
        return self

    def destructive(self, tool: str) -> bool:
        """What a tool elsewhere does is not known: none is ever let through by a rule."""
        return True

    def refuses(self, tool: str, arguments: Mapping[str, Json]) -> str | None:
        """Edited arguments are checked by the form that the question came with."""
        return None

    def start(self, start: RunStart, host: RunHost) -> AguiHandle:
        """Start or resume a run in a task of its own; returns at once."""
        run = AguiRun(start, host, server=self._server, taking=self._taking, runtime=self.runtime)
        spawn = self.runtime.supervisor.spawn
        leg = spawn(_leg(run), name=f"run {start.run} at {self.name}")
        task = spawn(settle(run, leg, host), name=f"run {start.run}")
        return AguiHandle(run, leg, task)


async def _leg(run: AguiRun) -> Ended | Asked | Caught:
    return await guarded_await(run.run())


def name_of(url: str) -> str:
    """A name for the agent at an address: the path's last part, or the host."""
    parts = urlsplit(url)
    last = parts.path.rstrip("/").rpartition("/")[2]
    return last or str(parts.hostname)
