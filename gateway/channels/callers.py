"""The channel of callers, loaded by name where the server has engines for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from gateway.channels.hub import Hub
from gateway.channels.spoken import Notes
from gateway.core.messages import Json
from gateway.observe import Observer
from gateway.ports.channel import TextRef
from gateway.ports.clock import Clock, Ids
from gateway.router import Router
from gateway.settings import Settings
from gateway.supervise import Supervisor

if TYPE_CHECKING:
    from voice.call_stage import Engines
    from voice.calls import Calls
    from voice.channel import VoiceChannel

VOICE = "voice"
"""The channel's name."""
CHOOSE, CHANNEL, NOTES = "voice.engines.choose", "voice.channel", "voice.notes"

STOP_SECONDS = 2.0

MakeEngines: TypeAlias = "Callable[[Supervisor], Engines]"


def engines_of(settings: Settings) -> MakeEngines | None:
    """How the engines of the settings are made; None where this server takes no calls.

    Raises:
        SettingsInvalid: it should take calls, and what that needs is not installed.
    """
    choose = import_module(CHOOSE)
    if not choose.wanted(settings.voice):
        return None

    def make(supervisor: Supervisor) -> Engines:
        engines: Engines = choose.Engines(settings.voice, supervisor)
        return engines

    return make


class Callers:
    """The channel and its calls, before and after the engine is there."""

    def __init__(
        self,
        engines: MakeEngines,
        *,
        mirror: Hub,
        clock: Clock,
        ids: Ids,
        supervisor: Supervisor,
        observer: Observer,
        traces: Path | None = None,
    ) -> None:
        self._engines = engines(supervisor)
        self._mirror = mirror
        self._clock = clock
        self._ids = ids
        self._supervisor = supervisor
        self._observer = observer
        self._traces = traces
        self._router: Router | None = None
        self._again: asyncio.Task[None] | None = None
        self.channel: VoiceChannel = import_module(CHANNEL).VoiceChannel(
            VOICE, mirror, self._settled
        )

    def attach(self, router: Router) -> Calls:
        """Connect it with the engine; where callers are brought."""
        self._router = router
        calls: Calls = self.channel.connect(
            router=router,
            engines=self._engines,
            clock=self._clock,
            ids=self._ids,
            supervisor=self._supervisor,
            report=self._observer.report,
            metrics=self._observer.metrics,
            log=self._log,
            retry=self.retry,
            mirror=self._mirror.name,
            traces=self._traces,
        )
        self._observer.watch("calls", "Calls that go on.", calls.count)
        return calls

    def notes(self, longest_seconds: float) -> Notes:
        """What writes recordings down."""
        notes: Notes = import_module(NOTES).Notes(self._engines, longest_seconds, self.retry)
        return notes

    async def load(self) -> None:
        """Make the engines ready. What fails is told to the operator, and again to who calls."""
        await self._engines.load()
        for part, error in self._engines.failed.items():
            self._observer.report(f"voice engine {part}", error)

    def retry(self) -> None:
        """Have the parts that failed tried again: what was missing or damaged may have been put
        right since.
        """
        if self._engines.retry():
            self._again = self._supervisor.spawn(self.load(), name="voice engines again")

    async def stop(self) -> None:
        """Let the engines end what they have in hand: native code that still runs when the process
        ends would crash it.
        """
        if self._again is not None:
            self._again.cancel()
        await self._engines.stop(STOP_SECONDS)

    def _settled(self, ref: TextRef) -> None:
        assert self._router is not None
        self._router.settled(ref)

    def _log(self, event: str, fields: Mapping[str, Json]) -> None:
        self._observer.log.info(event, **fields)
