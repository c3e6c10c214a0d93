"""Every door of programs over HTTP, behind one gate."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Final

from aiohttp import web

from gateway.api.agui.site import agui_routes
from gateway.api.door import Door
from gateway.api.feed import Feed
from gateway.api.gate import Gate
from gateway.api.limits import Places
from gateway.api.plugs import ACP, MCP, Bring, Opened, Plugs
from gateway.api.problems import Report
from gateway.api.rest.files import FileDoor
from gateway.api.rest.loose_runs import LooseRuns
from gateway.api.rest.openapi import document
from gateway.api.rest.operations import operations
from gateway.api.rest.runs import Runs
from gateway.api.rest.site import rest_routes
from gateway.api.rest.streaming import JOIN_SECONDS, Streams
from gateway.api.rest.threads import Threads
from gateway.core.errors import NotFound
from gateway.files import Files
from gateway.ports.clock import Clock, Ids
from gateway.router import Router
from gateway.runs.agent import Agent
from gateway.settings import Settings
from gateway.tokens import Keys

REST: Final = "rest"
"""The channel of the REST API."""
AGUI: Final = "agui"
"""The channel of AG-UI clients."""
TELLS_SECONDS: Final = 0.5
"""How long streams may take to tell that their runs have ended, when the process does."""


class Programs:
    """What programs do over HTTP. `deleted` is told the ids of threads that they removed."""

    def __init__(self, settings: Settings, clock: Clock, ids: Ids) -> None:
        self.feed = Feed(REST, clock)
        self.agui = Feed(AGUI, clock)
        plugs = {name: Feed(name, clock) for name in (MCP, ACP)}
        self.feeds: Mapping[str, Feed] = {REST: self.feed, AGUI: self.agui, **plugs}
        self.plugs: Plugs | None = None
        self.join_seconds = JOIN_SECONDS
        self._settings = settings
        self._clock = clock
        self._ids = ids
        self._stopping: list[Callable[[], object]] = []
        self._streams: Places | None = None

    def routes(
        self,
        router: Router,
        keys: Keys,
        *,
        home: str | None,
        report: Report,
        deleted: Callable[[str], object],
        files: Files,
        bring: Bring,
    ) -> list[web.RouteDef]:
        """The routes; none where the API is not served. `home` is who calls without a token, None
        where everybody needs one. `files` keeps what comes with messages, `bring` connects
        to MCP servers that editors have.
        """
        self.plugs = Plugs(router, self.feeds, self._ids, report, bring)
        if not self._settings.api.enabled:
            return []
        public_url = self._settings.http.public_url
        gate = Gate(self._settings.api, keys, self._clock, report, home=home, public_url=public_url)
        agent = router.wiring.agent
        loose = LooseRuns(self.feed, agent, router.wiring) if isinstance(agent, Agent) else None
        door = Door(router, self.feed, self._ids)
        runs = Runs(door, Streams(gate, self.join_seconds), loose, files)

        def gone(thread: str) -> None:
            for feed in self.feeds.values():
                feed.forget(thread)
            deleted(thread)

        does = operations(door, runs, Threads(door, runs, gone), FileDoor(files))
        if loose is not None:
            self._stopping.append(loose.stop)
        self._streams = gate.streams
        self._stopping.append(self.plugs.stop)
        agui = Door(router, self.agui, self._ids)
        about = document(does, version("bargein"), public_url)
        return [
            *rest_routes(gate, does, about, report, files.limit_bytes),
            *agui_routes(agui, gate, report, self.join_seconds, files),
            *self.plugs.routes(gate),
        ]

    async def serve(
        self,
        opened: Opened,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        """Serve a local program that speaks a protocol, a message a line, until it hangs up.

        Raises:
            NotFound: there is no such protocol here.
        """
        if self.plugs is None:
            raise NotFound("nothing is served yet")
        await self.plugs.serve(opened, reader, writer)

    async def stop(self) -> None:
        """End the runs that nobody else keeps, and every stream, once those whose runs have ended
        have told so.
        """
        for end in self._stopping:
            end()
        if self._streams is not None:
            await self._streams.wait(TELLS_SECONDS)
            self._streams.stop()
