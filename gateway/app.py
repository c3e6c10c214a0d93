"""Wires the product together from its settings: store, actors, channels, socket, HTTP."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TextIO

from aiohttp.web import RouteDef

from gateway import commanding
from gateway.agents.servers import Servers
from gateway.api.library import LibraryChannel
from gateway.api.ops import HttpServer, routes
from gateway.api.programs import Programs
from gateway.channels.bots import Bot, Keeper, load_bot
from gateway.channels.callers import VOICE, Callers, MakeEngines
from gateway.channels.front import Front
from gateway.channels.hub import Hub
from gateway.channels.local import LOCAL, local_user, socket_path
from gateway.channels.pairing import Pairing
from gateway.channels.socket import SocketServer
from gateway.channels.spoken import Spoken
from gateway.channels.talking import PATH, Lines, load_lines
from gateway.channels.web import Handler
from gateway.clock import SystemClock, SystemIds
from gateway.configured import access_of, ceiling_of, graces_of, load_agent, policy_of
from gateway.core.messages import Json
from gateway.observe import Observer
from gateway.ports.channel import Channel
from gateway.ports.clock import Clock, Ids
from gateway.ports.store import Store
from gateway.router import Router
from gateway.runs.agent import Agent
from gateway.runs.runtime import Runtime
from gateway.runs.threads import SyncThreads
from gateway.settings import LogFormat, Settings
from gateway.state import Wiring
from gateway.store.sqlite import SqliteStore
from gateway.supervise import Slots, Supervisor

if TYPE_CHECKING:
    from voice.calls import Calls

DEMO_NAME = "concierge"
SETTLE_SECONDS = 1.0


class App:
    """The product in one process, from `start` to `stop`.

    `channels` come beside the local one; `wrap` may put something around the store. Callers of the
    page are answered where there are `engines` for it, or by `calls`.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        agent: Agent | None = None,
        channels: Mapping[str, Channel] | None = None,
        wrap: Callable[[Store], Store] = lambda store: store,
        clock: Clock | None = None,
        ids: Ids | None = None,
        log: TextIO | None = None,
        calls: Calls | None = None,
        engines: MakeEngines | None = None,
    ) -> None:
        self.settings = settings
        self.clock: Clock = clock or SystemClock()
        self.ids: Ids = ids or SystemIds()
        self.observer = Observer(
            stream=log or sys.stderr,
            json=settings.log.format is LogFormat.JSON,
            level=settings.log.level,
            ids=self.ids,
        )
        self.supervisor = Supervisor(self.observer.failed)
        self.hub = Hub(LOCAL, clock=self.clock, ids=self.ids, supervisor=self.supervisor)
        self.library = LibraryChannel()
        self.programs = Programs(settings, self.clock, self.ids)
        self.bot: Bot | None = None
        self.calls = calls
        self.lines: Lines | None = None
        self.address = ""
        self._wrap = wrap
        self._agent, self._model = (agent, None) if agent else load_agent(settings)
        self.servers = Servers(settings, self.supervisor, self.observer.report)
        self._channels: dict[str, Channel] = {
            LOCAL: self.hub,
            self.library.name: self.library,
            **self.programs.feeds,
            **(channels or {}),
        }
        self.callers = None if engines is None else self._callers(engines)
        self._threads = SyncThreads()
        self._ready = False
        self._stopping: list[Callable[[], object]] = []

    @property
    def ready(self) -> bool:
        """Whether what was interrupted by the last end has been taken up."""
        return self._ready

    async def start(self) -> App:
        """Open the file, take up what was interrupted, then listen.

        Raises:
            StoreFailed: the file is locked by another process, damaged, newer, or can't be written.
            SocketUnusable, PortTaken, TokensMissing: nobody could be listened to; everything is
                closed again.
        """
        self._stopping.append(self.observer.take_over_logging())
        store = await self.open()
        self.front = self._front(store)
        pages = [*self.front.routes(self._facts(), self._lines()), *self._connect(store)]
        operator = routes(lambda: self._ready, self.observer.exposition)
        self.http = HttpServer([*operator, *pages, *self._programs()])
        self.socket = SocketServer(
            self.front.door, socket_path(self.settings.database), self.programs.serve
        )
        try:
            await self.front.check()
            self.address = await self.http.start(self.settings.http.host, self.settings.http.port)
            await self.socket.start()
        except BaseException:
            await self.http.stop()
            await self.close()
            raise
        if self.bot is not None:
            await self.bot.restore()
        self.front.start()
        await self.router.recover()
        if self.bot is not None:
            await self.bot.start()
        self._ready = True
        self.observer.watch("queue_depth", "Inputs that wait.", self.router.waiting)
        self.observer.watch("clients", "Connected clients.", self.hub.count)
        self._watch = self.supervisor.spawn(
            self.observer.watch_loop(self.clock), name="event loop watch"
        )
        if self._model is not None:
            self._warming = self.supervisor.spawn(self._model.warm(), name="model warm-up")
        if self.callers is not None:
            self._loading = self.supervisor.spawn(self.callers.load(), name="voice engines")
        return self

    async def open(self) -> SqliteStore:
        """Open the file and wire the engine; nobody is listened to yet.

        Raises:
            StoreFailed: as `start`.
        """
        file, report = self.settings.database, self.observer.failed
        store = await SqliteStore.open(file, owner=self.ids.uuid(), clock=self.clock, report=report)
        self.store: Store = self._wrap(store)
        self._read = store.get
        self.bot = load_bot(
            self.settings,
            store=self.store,
            keeper=store,
            clock=self.clock,
            ids=self.ids,
            supervisor=self.supervisor,
            report=self.observer.report,
        )
        if self.bot is not None:
            self._channels[self.bot.channel.name] = self.bot.channel
        self.router = Router(self._wiring, self.ids.uuid())
        if self.callers is not None:
            self.calls = self.callers.attach(self.router)
        self.spoken = self._spoken(store)
        self.hub.on_client = self.router.client_came
        self.hub.go_on_from(await self.store.last_shown(LOCAL))
        await self.router.restore()
        await self.servers.start()
        return store

    def _connect(self, keeper: Keeper) -> list[RouteDef]:
        """Connect people with codes, and the bot with the engine; the bot's routes."""
        access = self.router.wiring.access
        pairing = Pairing(keeper.telegram, self.clock, self.ids, access)
        self.front.people.pairing = pairing
        if self.bot is None:
            return []
        self.bot.attach(self.router, pairing, self.spoken)
        return self.bot.routes()

    async def close(self) -> None:
        """The end of what `open` opened, once its runs were shut down."""
        await self.servers.stop()
        await self.supervisor.settle(SETTLE_SECONDS)
        await self.store.close()

    def _callers(self, engines: MakeEngines) -> Callers:
        callers = Callers(
            engines,
            mirror=self.hub,
            clock=self.clock,
            ids=self.ids,
            supervisor=self.supervisor,
            observer=self.observer,
            traces=self.settings.voice.traces,
        )
        self._channels[VOICE] = callers.channel
        return callers

    def _spoken(self, store: SqliteStore) -> Spoken | None:
        if self.callers is None:
            return None
        notes = self.callers.notes(self.settings.voice.note_seconds)
        return Spoken(notes, self.router, store, self.clock, self.observer.report)

    def _front(self, store: SqliteStore) -> Front:
        return Front(
            self.settings.http,
            hub=self.hub,
            router=self.router,
            store=self.store,
            keeper=store,
            clock=self.clock,
            ids=self.ids,
            supervisor=self.supervisor,
            report=self.observer.report,
            spoken=self.spoken,
        )

    def _programs(self) -> list[RouteDef]:
        """Where programs come in."""
        return self.programs.routes(
            self.router,
            self.front.people,
            home=None if self.front.tokens else local_user(),
            report=self.observer.report,
            deleted=self.hub.forget,
            files=self.front.files,
            bring=self.servers.bring,
        )

    def _lines(self) -> dict[str, Handler]:
        """Where the page's calls come in."""
        if self.calls is None:
            return {}
        self.lines = load_lines(
            self.calls,
            self.front,
            clock=self.clock,
            supervisor=self.supervisor,
            report=self.observer.report,
        )
        return {PATH: self.lines.serve}

    def _facts(self) -> dict[str, Json]:
        """What the page tells about the agent."""
        demo = self._agent.name == DEMO_NAME
        return {"demo": demo, "model": self.settings.model, "voice": self.calls is not None}

    @property
    def runtime(self) -> Runtime:
        """What a run needs of this process."""
        return Runtime(
            supervisor=self.supervisor,
            clock=self.clock,
            ids=self.ids,
            report=self.observer.failed,
            graces=graces_of(self.settings),
            threads=self._threads,
            read=self._read,
            ceiling=ceiling_of(self.settings),
        )

    def _wiring(self, router: Router) -> Wiring:
        everybody = (LOCAL, self.library.name, VOICE, *self.programs.feeds)
        return Wiring(
            store=self.store,
            clock=self.clock,
            ids=self.ids,
            agent=self._agent.with_runtime(self.runtime).with_tools(self.servers.tools),
            channels=self._channels,
            access=access_of(self.settings, everybody),
            supervisor=self.supervisor,
            slots=Slots(self.settings.max_concurrent_runs),
            policy=policy_of(self.settings),
            commands=commanding.handle,
            elsewhere=router.asked_elsewhere,
            expiry=router.expiry_changed,
            report=self.observer.report,
            metrics=self.observer.metrics,
            listed=self.hub.listed,
            ended=self.servers.ended,
        )

    async def stop(self) -> None:
        """An orderly end within `timeouts.shutdown_seconds`: runs end SYSTEM_SHUTDOWN, partials are
        saved, questions stand.
        """
        self._ready = False
        self._watch.cancel()
        if self.bot is not None:
            await self.bot.stop_listening()
        await self.router.shutdown(self.settings.timeouts.shutdown_seconds - SETTLE_SECONDS)
        if self.callers is not None and self.calls is not None:
            self.calls.end("shutdown")
        await self.programs.stop()
        await self.socket.stop()
        self.front.stop()
        if self.lines is not None:
            self.lines.stop()
        self.hub.close_all("shutdown")
        if self.bot is not None:
            await self.bot.stop()
        await self.http.stop()
        if self.callers is not None:
            self._loading.cancel()
            await self.callers.stop()
        if self._model is not None:
            await self._model.aclose()
        await self.close()
        for undo in self._stopping:
            undo()
