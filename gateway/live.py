"""A run that has not ended, and a unit of work: what is written, and what follows once it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gateway.core.events import Run, State
from gateway.core.growing import Growing
from gateway.core.interrupts import Interrupt
from gateway.core.log import Entry
from gateway.ports.agent import JournalRecord, RunHandle
from gateway.ports.channel import Shown, TextRef
from gateway.ports.rows import RunRow
from gateway.ports.store import SaveInput, SaveRun, SaveThread, Write


class SideBranch:
    """The branch of a run that is not on the active one: its chain, root first, and its number."""

    def __init__(self, chain: Sequence[Entry], number: int) -> None:
        self.chain = list(chain)
        self.number = number

    @property
    def tip(self) -> int:
        """The last entry, 0 before the first."""
        return self.chain[-1].seq if self.chain else 0


class LiveRun:
    """A run that has not ended, with what its task and its timers are held by.

    `tripped_at` is when its signal was tripped, `stop_at` when a person's stop came to the door,
    from which that stop's grace counts; both by the monotonic clock. `children` are its child
    runs that are on, with their agents' names; `side` is its branch where that is not the active
    one: it doesn't occupy the thread then. `began` is when its calls began to run, by the monotonic
    clock, since the last answer. `more` is what takes a step's text further, here and on
    its channel, where the run's task has begun it and more of it may be shown.
    """

    def __init__(self, row: RunRow, machine: Run) -> None:
        self.row = row
        self.machine = machine
        self.handle: RunHandle | None = None
        self.epoch = 0
        self.texts: dict[int, Growing] = {}
        self.more: dict[int, tuple[Callable[[str], None], Callable[[str], None]]] = {}
        self.cut: dict[int, Shown] = {}
        self.output_closed = False
        self.written: set[int] = set()
        self.calls: dict[str, str] = {}
        self.began: dict[str, float] = {}
        self.journal: list[JournalRecord] = []
        self.pause: frozenset[str] = machine.open
        self.closing_note = ""
        self.children: dict[str, str] = {}
        self.side: SideBranch | None = None
        self.tripped_at: float | None = None
        self.stop_at: float | None = None
        self.grace: asyncio.TimerHandle | None = None
        self.grace_at = float("inf")
        self.deadline: asyncio.TimerHandle | None = None
        self.ticking: asyncio.TimerHandle | None = None

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def stopped(self) -> bool:
        return self.machine.state in (State.STOPPING, State.ENDED)

    @property
    def last_step(self) -> int:
        """The last step that anything was stored of."""
        return max(self.row.step, *self.written, 0)

    def ref(self, step: int) -> TextRef:
        """The text of one step of this run."""
        return TextRef(self.row.thread, self.row.id, step)

    def stop_clock(self) -> None:
        """Stop the timers of the run's task."""
        for timer in (self.grace, self.deadline):
            if timer is not None:
                timer.cancel()
        self.grace = self.deadline = None

    def quiet(self) -> None:
        """Stop every timer."""
        self.stop_clock()
        if self.ticking is not None:
            self.ticking.cancel()
        self.ticking = None


@dataclass(frozen=True, slots=True)
class Recent:
    """The last decision of a person, for RACES 26 and for late answers."""

    question: Interrupt
    principal: str
    until: datetime


class Work:
    """One unit: what is written in one commit, and what is done once it is stored."""

    def __init__(self) -> None:
        self.writes: list[Write] = []
        self.after: list[tuple[Callable[..., object], tuple[Any, ...]]] = []

    def write(self, write: Write) -> None:
        self.writes.append(write)

    def save(self, write: SaveInput | SaveRun | SaveThread) -> None:
        """Write a row's state; the last of several saves of one row is enough."""
        kind, name = type(write), _row_of(write)
        self.writes = [w for w in self.writes if type(w) is not kind or _row_of(w) != name]
        self.writes.append(write)

    def then(self, act: Callable[..., object], *args: Any) -> None:
        """Do this once everything is stored, in order."""
        self.after.append((act, args))


def _row_of(write: SaveInput | SaveRun | SaveThread) -> object:
    return write.row.seq if isinstance(write, SaveInput) else write.row.id
