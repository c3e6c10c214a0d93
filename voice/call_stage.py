"""What the parts of a call share: its floor, its line, its clock, and the engine behind it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from gateway.core.errors import EngineFailed
from gateway.core.messages import Json
from gateway.ports.clock import Clock, Ids
from gateway.router import Router
from gateway.supervise import Supervisor
from voice.call_echo import Echo
from voice.core.barge_in import step
from voice.core.endpointing import Endpointing
from voice.core.events import Action, Event
from voice.core.floor import Floor, Policy
from voice.ports import Line, SpeechToText, VoiceDetectors, Voices
from voice.trace import Trace


class Engines(VoiceDetectors, Voices, Protocol):
    """Ears and voices, shared by all calls; what is not ready raises EngineFailed."""

    @property
    def hearing(self) -> SpeechToText:
        """The recogniser."""

    @property
    def failed(self) -> Mapping[str, EngineFailed]:
        """The parts that could not be made ready, by name; asking for one raises it."""

    def loading(self) -> tuple[str, ...]:
        """The names of the parts that are still to come."""

    async def load(self) -> None:
        """Make each ready that is not."""

    def retry(self) -> bool:
        """Count what failed as still to come, for `load` to try again; whether there was any."""

    async def stop(self, seconds: float) -> None:
        """Let what is in hand end, for so long; nothing can be asked of them after."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What every call of a process is connected with."""

    router: Router
    engines: Engines
    clock: Clock
    ids: Ids
    supervisor: Supervisor
    report: Callable[[str, BaseException], str]
    metrics: Callable[[str, Mapping[str, str], float], None]
    log: Callable[[str, Mapping[str, Json]], None]
    """A line for the operator: ids and figures, never words."""
    retry: Callable[[], None]
    """Has the engines' parts that failed tried again."""
    channel: str = "voice"
    mirror: str = "local"
    traces: Path | None = None
    """Where calls that ask for it are recorded."""
    policy: Policy = field(default_factory=Policy)
    endpointing: Endpointing = field(default_factory=Endpointing)


@dataclass(slots=True, eq=False)
class Stage:
    """One call as its parts see it. `acted` does an action, `settled` follows when nothing more
    happens.
    """

    exchange: Exchange
    thread: str
    principal: str
    language: str
    line: Line | None
    acted: Callable[[Action], None]
    settled: Callable[[], None]
    floor: Floor = field(default_factory=Floor)
    over: bool = False
    trace: Trace | None = None
    _events: deque[Event] = field(default_factory=deque)
    _busy: bool = False

    def happen(self, event: Event) -> None:
        """Let the floor take an event; what follows from it happens before this returns, save
        where it comes of an action: then in its turn.
        """
        self._events.append(event)
        if self._busy:
            return
        self._busy = True
        try:
            while self._events:
                event = self._events.popleft()
                self.floor, actions = step(self.floor, event, self.now_ms(), self.exchange.policy)
                if self.trace is not None:
                    self.trace.happened(event, actions, self.now_ms())
                for action in actions:
                    self.acted(action)
        finally:
            self._busy = False
        self.settled()

    def echo(self, call: str, line: Line, microphone_rate: int, *, traced: bool) -> Echo:
        """What keeps the agent's voice in mind; from now on the call is recorded where that was
        asked for and is set up.
        """
        echo, traces = Echo(line.rate), self.exchange.traces
        if traced and traces is not None:
            self.trace = Trace(traces / call, microphone_rate, line.rate, self.now_ms())
            echo.also = self.trace.sent
        return echo

    def save_trace(self) -> None:
        """Write down what was recorded; the call is over."""
        if self.trace is not None:
            saving = self.trace.save(self.exchange.report)
            self.exchange.supervisor.spawn(saving, name="call trace")

    def tell(self, kind: str, **data: Json) -> None:
        """Something for the caller's eye."""
        if self.line is not None:
            self.line.tell(kind, data)

    def now_ms(self) -> int:
        """The call's clock."""
        return round(self.exchange.clock.monotonic() * 1000)

    def now(self) -> datetime:
        """The moment."""
        return self.exchange.clock.now()

    def moment(self, at_ms: int) -> datetime:
        """When it was `at_ms` on the call's clock."""
        return self.now() - timedelta(milliseconds=self.now_ms() - at_ms)
