"""A run's host for tests: it journals what the run asks of it and plays a script of answers.

It takes every event and refuses them once `dead`. `joins` holds what `take` gives, one list a call;
`leaves` what `may_run` says by tool (RUN by default). `holds` stops `emit` or `may_run` until the
test opens the gate.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TypeVar

from gateway.core.errors import RunEnded
from gateway.core.messages import Json, UserMessage
from gateway.ports.agent import CallFacts, Check, Joined, Leave, RunEvent

E = TypeVar("E")


class RecordingHost:
    """Implements `RunHost`."""

    def __init__(self) -> None:
        self.events: list[RunEvent] = []
        self.shown: list[tuple[int, str]] = []
        self.progressed: list[tuple[str, str, float | None]] = []
        self.children: list[tuple[str, str, str, bool]] = []
        self.spendings: list[tuple[int, float, bool]] = []
        self.asked_leave: list[CallFacts] = []
        self.kept: list[Joined] = []
        self.joins: list[list[Joined]] = []
        self.refused: list[dict[int, str]] = []
        self.leaves: dict[str, Leave] = {}
        self.saves_history = True
        self.told: list[tuple[str, dict[str, Json]]] = []
        self.dead = False
        self.refuses: tuple[type, ...] = ()
        self.leave_gate: asyncio.Event | None = None
        self.leave_waits = asyncio.Event()
        self._grown = asyncio.Event()

    def of(self, kind: type[E]) -> list[E]:
        """The events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    async def until(self, kind: type[E]) -> E:
        """The first event of a kind, once it is there."""
        while not self.of(kind):
            self._grown.clear()
            await self._grown.wait()
        return self.of(kind)[0]

    @property
    def names(self) -> list[str]:
        """The kinds of all events, in order."""
        return [type(event).__name__ for event in self.events]

    def join(self, text: str, queued: str = "steer") -> None:
        """Let a message join at the next `take`."""
        self.joins.append([Joined(UserMessage(text), queued)])

    async def emit(self, event: RunEvent) -> None:
        if self.dead or isinstance(event, self.refuses):
            raise RunEnded("refused")
        self.events.append(event)
        self._grown.set()

    def waits_for_end(self) -> bool:
        return False

    async def take(self, check: Check, *, ending: bool = False) -> Sequence[Joined]:
        self._alive()
        joins = self.joins.pop(0) if self.joins else ()
        return [joined for joined in joins if await check(joined.message.text) is None]

    async def refuse(self, own: Mapping[int, str]) -> None:
        self._alive()
        self.refused.append(dict(own))

    async def keep(self, joined: Joined) -> bool:
        self._alive()
        self.kept.append(joined)
        return self.saves_history

    def say(self, step: int, more: str) -> None:
        self._alive()
        text = "".join(text for known, text in self.shown[-1:] if known == step)
        self.shown.append((step, text + more))

    def progress(self, call_id: str, text: str, fraction: float | None) -> None:
        self._alive()
        self.progressed.append((call_id, text, fraction))

    def child(self, call_id: str, run: str, agent: str, on: bool) -> None:
        self.children.append((call_id, run, agent, on))

    def spent(self, tokens: int, cost_usd: float, *, over: bool) -> None:
        self.spendings.append((tokens, cost_usd, over))

    async def tell(self, code: str, **params: Json) -> None:
        self.told.append((code, params))

    async def may_run(self, facts: CallFacts) -> Leave:
        self._alive()
        self.asked_leave.append(facts)
        if self.leave_gate is not None:
            self.leave_waits.set()
            await self.leave_gate.wait()
        if facts.call.name in self.leaves:
            return self.leaves[facts.call.name]
        return Leave.ASK if facts.needs_approval and facts.approval is None else Leave.RUN

    def _alive(self) -> None:
        if self.dead:
            raise RunEnded("the run is over")
