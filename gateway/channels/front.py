"""What stands between people's clients and the engine: one door for socket and page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Protocol

from aiohttp import web

from gateway.channels.connection import Door
from gateway.channels.hub import Hub
from gateway.channels.local import local_user
from gateway.channels.people import People
from gateway.channels.spoken import Spoken
from gateway.channels.uploads import Uploads
from gateway.channels.visitors import Visitors, is_loopback
from gateway.channels.web import Handler, Site, page_routes
from gateway.channels.websocket import WebSockets
from gateway.core.errors import GatewayError
from gateway.core.messages import Json
from gateway.files import Files
from gateway.ports.clock import Clock, Ids
from gateway.ports.store import Blobs, Store
from gateway.ports.tokens import Scope, Tokens
from gateway.router import Router
from gateway.settings import HttpSettings
from gateway.supervise import Supervisor


class TokensMissing(GatewayError):
    """The page would be open to the network, and nobody has a token for it."""

    code = "TOKENS_MISSING"


class Keeper(Tokens, Blobs, Protocol):
    """The store's narrow sides that only the page needs."""


class Front:
    """The door, and the page's routes where it is served."""

    def __init__(
        self,
        http: HttpSettings,
        *,
        hub: Hub,
        router: Router,
        store: Store,
        keeper: Keeper,
        clock: Clock,
        ids: Ids,
        supervisor: Supervisor,
        report: Callable[[str, BaseException], str],
        spoken: Spoken | None = None,
    ) -> None:
        self._http = http
        self._clock = clock
        self._report = report
        self.people = People(keeper, store, router.ask, clock, ids)
        may_look = router.wiring.access.may_look
        self.files = Files(keeper, store, may_look, http.upload_limit_bytes)
        self.uploads = Uploads(self.files, report)
        self._supervisor = supervisor
        self._tidying: asyncio.Task[None] | None = None
        here = local_user()
        self.door = Door(hub, router, supervisor, report, here, self.people, self.uploads, spoken)
        self.sockets = WebSockets(self.door, clock)
        self.leaving = [self.sockets.leave]
        """Who closes what was opened by tokens that end."""
        self.people.on_revoked.append(self._revoked)
        self.tokens = http.require_tokens or not is_loopback(http.host)

    async def check(self) -> None:
        """Whether the page may be opened to whom it would be.

        Raises:
            TokensMissing: it listens beyond this machine, and nobody has a token.
        """
        if self._http.page and self.tokens and not await self.people.known(Scope.PAGE):
            raise TokensMissing(
                f"http.host {self._http.host}: people need a token there; make one with "
                "`bargein token create NAME`, or listen on 127.0.0.1"
            )

    def start(self) -> None:
        """Begin to tidy up what was brought and never sent."""
        tidying = self.files.tidy(self._http.upload_keep_seconds, self._clock, self._report)
        self._tidying = self._supervisor.spawn(tidying, name="uploads")

    def stop(self) -> None:
        """Close the sockets that have not said hello, and tidy up no more."""
        self.sockets.stop()
        if self._tidying is not None:
            self._tidying.cancel()

    async def may_open(self, thread: str, principal: str) -> bool:
        """Whether a person at the page may open this thread."""
        return await self.people.may_open(thread, principal, self.door.hub.name)

    def _revoked(self, digests: list[str]) -> None:
        for leave in self.leaving:
            leave(digests)

    def routes(
        self, facts: dict[str, Json], further: Mapping[str, Handler] | None = None
    ) -> list[web.RouteDef]:
        """The page's routes, and `further` ones by path under its rules; none where it is not
        served.
        """
        if not self._http.page:
            return []
        visitors = Visitors(
            self.people, local_user(), tokens=self.tokens, public_url=self._http.public_url
        )
        return page_routes(
            Site(
                visitors,
                self.sockets,
                self.uploads,
                self._clock,
                self._report,
                facts,
                further or {},
            )
        )
