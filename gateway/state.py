"""What one thread's actor knows: the thread, its runs, its queue and its questions.

Memory follows the store: a `Work` collects writes and what is done once they are stored. Where a
commit fails, the actor drops this state and starts again from the store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from gateway.access import Access
from gateway.core.errors import ChannelAbsent
from gateway.core.events import State
from gateway.core.interrupts import Interrupt
from gateway.core.log import Entry, Kind, Place, public
from gateway.core.messages import Json
from gateway.core.queueing import Mode
from gateway.drawn import input_data
from gateway.live import LiveRun, Recent, SideBranch, Work
from gateway.policy import Policy
from gateway.ports.agent import AgentPort, JournalRecord
from gateway.ports.channel import Channel, Notice, Update
from gateway.ports.clock import Clock, Ids
from gateway.ports.rows import (
    InputRow,
    InputState,
    Outcome,
    PromptRow,
    Rule,
    RunRow,
    ThreadRow,
)
from gateway.ports.store import AppendEntry, Loaded, SaveInput, SaveThread, Store
from gateway.supervise import Slots, Supervisor


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """Everything an actor is wired to. `ended` is told each run that has ended, once stored."""

    store: Store
    clock: Clock
    ids: Ids
    agent: AgentPort
    channels: Mapping[str, Channel]
    access: Access
    supervisor: Supervisor
    slots: Slots
    policy: Policy
    commands: Callable[[ThreadState, Work, InputRow], None]
    elsewhere: Callable[[PromptRow, Interrupt, bool], None]
    expiry: Callable[[], None]
    report: Callable[[str, BaseException], str]
    metrics: Callable[[str, Mapping[str, str], float], None]
    listed: Callable[[frozenset[str]], None]
    ended: Callable[[str], object]


OF_A_RUN = frozenset({"run", "entry", "call", "input"})
"""The changes that a run on another branch than the active one keeps to its own channel."""
Arriving = Callable[[], Iterable[tuple[str, datetime]]]
"""The inputs that are being stored or not read yet: who said them, and when."""


class ThreadState:
    """One thread in memory. Everything here is also in the store, or can be had from it again;
    save what stops at the door did that are not stored yet (`fence`). `fenced` counts these by
    person; `tripped` are the runs, by person, and `tripped_children` the child runs that they
    stopped; `held_back` are the runs that were about to begin meanwhile.
    """

    def __init__(self, loaded: Loaded, wiring: Wiring, post: Callable[[object], None]) -> None:
        self.wiring = wiring
        self.post = post
        self.thread: ThreadRow = loaded.thread
        self.chain: list[Entry] = list(loaded.entries)
        self.runs: dict[str, LiveRun] = {}
        self.queue: dict[int, InputRow] = {}
        self.inputs: dict[int, InputRow] = {}
        self.questions: dict[str, Interrupt] = {q.id: q for q in loaded.questions}
        self.prompts: dict[str, PromptRow] = {p.token: p for p in loaded.prompts}
        self.rules: set[Rule] = set(loaded.rules)
        self.last_run: RunRow | None = loaded.last_run
        self.fenced: dict[str, int] = {}
        self.tripped: dict[str, set[str]] = {}
        self.held_back: set[str] = set()
        self.tripped_children: set[str] = set()
        self.sides: dict[int, SideBranch] = {}
        self.recent: Recent | None = None
        self.last_asked: dict[str, Interrupt] = {}
        self.ready_at: float = 0.0
        self.burst_since: float | None = None
        self.released = False
        self.last_journal: list[JournalRecord] = []
        self.poison: dict[int, str] = {}
        self.held: set[int] = set()
        self.untaken: dict[str, int] = {}
        self.listed: dict[str, tuple[int, ...]] = {}
        self.numbers: dict[str, int] = {}
        self.sending: set[str] = set()
        self.arriving: Arriving = tuple

    # -- time and people -----------------------------------------------------------------------

    def now(self) -> datetime:
        return self.wiring.clock.now()

    def later(self, seconds: float, message: object) -> asyncio.TimerHandle:
        """Post `message` to this thread's actor after a while."""
        return asyncio.get_running_loop().call_later(seconds, self.post, message)

    def mode_and_source(self, channel: str) -> tuple[Mode, str]:
        """The mode that holds for an input of this channel, and where it was set."""
        own = self.thread.settings.get("mode")
        if isinstance(own, str):
            return Mode(own), "thread"
        policy = self.wiring.policy
        if channel in policy.channel_modes:
            return policy.channel_modes[channel], "channel"
        if not self.thread.private:
            return policy.shared_mode, "deployment"
        return policy.mode, "deployment"

    def mode_of(self, row: InputRow) -> Mode:
        """The mode that holds for this input: its own, or its channel's."""
        return row.new.mode or self.mode_and_source(row.new.channel)[0]

    def channel(self, name: str) -> Channel:
        if name not in self.wiring.channels:
            where = f"thread {self.thread.id} is on channel {name}"
            raise ChannelAbsent(f"{where}, which is not set up")
        return self.wiring.channels[name]

    def views(self) -> list[Channel]:
        """Every channel that this thread is on."""
        names = self.thread.settings.get("channels")
        known = [str(n) for n in names] if isinstance(names, list) else []
        return [self.wiring.channels[n] for n in known if n in self.wiring.channels]

    # -- telling -------------------------------------------------------------------------------

    def tell(
        self,
        work: Work,
        channel: str,
        code: str,
        to: str = "",
        *,
        language: str = "en",
        input_seq: int | None = None,
        run: str | None = None,
        **params: Json,
    ) -> None:
        """Tell somebody something once the work is stored."""
        notice = Notice(self.thread.id, code, params, to, language, input_seq, run)
        work.then(self.channel(channel).tell, notice)

    def answer(self, work: Work, row: InputRow, code: str, **params: Json) -> None:
        """Tell the sender of an input something about it, in the chat where they said it."""
        new = row.new
        where, seq = (new.chat, None) if new.chat else (self.thread.id, row.seq)
        notice = Notice(where, code, params, new.principal, new.language, seq, row.run)
        work.then(self.channel(new.channel).tell, notice)

    def draw(self, work: Work, kind: str, data: Mapping[str, Json]) -> None:
        """Let every view of the thread draw a change once the work is stored: whoever may enter it
        may look at it on any channel, also on one where nothing was ever said on it. What a run on
        another branch than the active one does is for its own channel.
        """
        update = Update(self.thread.id, kind, data)
        for channel in self.lookers(data.get("run") if kind in OF_A_RUN else None):
            work.then(channel.update, update)

    def lookers(self, run: Json) -> Iterable[Channel]:
        """The channels that draw what a run does: all, or its own where it is beside."""
        live = self.runs.get(run) if isinstance(run, str) else None
        if live is None or live.side is None:
            return self.wiring.channels.values()
        return (self.channel(live.row.channel),)

    def metric(self, work: Work, name: str, value: float = 1, /, **labels: str) -> None:
        """Count something once the work is stored."""
        work.then(self.wiring.metrics, name, labels, value)

    # -- writing -------------------------------------------------------------------------------

    def append(
        self,
        work: Work,
        kind: Kind,
        place: Place,
        body: Mapping[str, Any],
        *,
        run: str = "",
        step: int = 0,
        input_seq: int | None = None,
    ) -> Entry:
        """Append an entry to the run's branch: the active one, or its own beside that."""
        thread, live = self.thread, self.runs.get(run)
        side = None if live is None else live.side
        parent, branch = (thread.leaf, thread.branch) if side is None else (side.tip, side.number)
        entry = Entry(thread.head + 1, parent, branch, run, step, place, kind, body)
        leaf = entry.seq if side is None else thread.leaf
        self.thread = replace(thread, head=entry.seq, leaf=leaf)
        self.chain_of(run).append(entry)
        work.write(AppendEntry(entry, input_seq, side is not None))
        self.draw(
            work,
            "entry",
            {"seq": entry.seq, "kind": kind.value, "run": run, "step": step, "body": public(body)},
        )
        return entry

    def save_input(self, work: Work, row: InputRow) -> InputRow:
        """Store an input's state; a row with an outcome leaves the queue."""
        outcome = row.outcome
        if outcome is not None:
            row = replace(row, state=InputState.DONE)
            self.inputs.pop(row.seq, None)
            self.metric(work, "inputs", outcome=outcome.value)
        else:
            self.inputs[row.seq] = row
        work.save(SaveInput(row))
        was = self.queue.pop(row.seq, None)
        if row.state is InputState.WAITING:
            self.queue[row.seq] = row
        self.draw(work, "input", input_data(row))
        if was is not None or row.state is InputState.WAITING:
            self.draw(work, "queue", {"items": [input_data(item) for item in self.waiting()]})
        return row

    def finish(
        self, work: Work, row: InputRow, outcome: Outcome, detail: str = "", run: str | None = None
    ) -> InputRow:
        """Give an input its one outcome."""
        return self.save_input(
            work, replace(row, outcome=outcome, detail=detail, run=run or row.run)
        )

    def save_thread(self, work: Work, **changes: Any) -> None:
        """Change the thread's row."""
        if changes.keys() - {"settings"}:
            self.relist(work, changes.get("members", ()))
        self.thread = replace(self.thread, **changes)
        work.save(SaveThread(self.thread))

    def keep_setting(self, work: Work, key: str, value: Json, entry: Mapping[str, Json]) -> None:
        """Change a setting of the thread; the log says which, and who did."""
        self.save_thread(work, settings={**self.thread.settings, key: value})
        self.append(work, Kind.SETTING, Place.NOTE, entry)

    def relist(self, work: Work, others: Iterable[str] = ()) -> None:
        """Tell those who may look, and others, that a line of their lists is another, once the work
        is stored: a thread's name or readers, what waits on it for an answer.
        """
        people = frozenset((self.thread.owner, *self.thread.members, *others))
        work.then(self.wiring.listed, people)

    # -- looking -------------------------------------------------------------------------------

    def chain_of(self, run: str) -> list[Entry]:
        """The branch that a run is on, root first."""
        live = self.runs.get(run)
        return self.chain if live is None or live.side is None else live.side.chain

    def occupying(self) -> list[LiveRun]:
        """The runs that occupy the thread: those on the active branch."""
        return [run for run in self.runs.values() if run.side is None]

    def waiting(self) -> list[InputRow]:
        """The queue in the order in which it will be taken."""
        return sorted(self.queue.values(), key=lambda row: (row.priority, row.seq))

    def runs_on(self) -> list[LiveRun]:
        """The runs that have a task, or whose reply is still being delivered."""
        return [
            run
            for run in self.runs.values()
            if run.machine.has_task or run.machine.state is State.DELIVERING
        ]

    def waiting_of(self, principal: str) -> list[InputRow]:
        return [row for row in self.waiting() if row.new.principal == principal]

    def stop_on_its_way(self, run: LiveRun) -> bool:
        """Whether a stop at the door that is meant for it, or its person's, isn't stored yet."""
        tripped = any(run.id in runs for runs in self.tripped.values())
        return tripped or any(person in self.fenced for person in run.row.principals)

    def parent_of(self, child: str | None) -> LiveRun | None:
        """The run that a child run that is on belongs to."""
        return next((run for run in self.runs.values() if child in run.children), None)

    def runs_of(self, principal: str) -> list[LiveRun]:
        return [run for run in self.runs.values() if principal in run.row.principals]

    def open_questions(self) -> list[Interrupt]:
        """Undecided questions of runs that ask, in the order asked."""
        return [
            self.questions[question]
            for run in self.runs.values()
            for question in sorted(run.machine.open, key=self.asked_at)
        ]

    def asked_at(self, question: str) -> int:
        """The question's place among all, in the order asked."""
        return next(place for place, name in enumerate(self.questions) if name == question)

    def prompts_of(self, question: str) -> list[PromptRow]:
        return [row for row in self.prompts.values() if row.question == question]

    def unfinished(self, besides: str) -> frozenset[str]:
        """Sibling runs whose entries a model doesn't see yet."""
        return frozenset(run for run in self.runs if run != besides)
