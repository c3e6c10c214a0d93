"""Random orders of accept, acquire, commit and reopen agree with a store made of dictionaries."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from gateway.core.errors import (
    AlreadyDecided,
    GatewayError,
    IllegalEvent,
    InterruptExpired,
    LeaseLost,
    NotFound,
)
from gateway.core.interrupts import Decision, Interrupt, Status, Way
from gateway.core.log import Entry
from gateway.ports.rows import InputRow, InputState, Outcome, RunRow
from gateway.ports.store import (
    AppendEntry,
    DecideQuestion,
    SaveInput,
    SaveQuestion,
    SaveRun,
    SetLeaf,
    Write,
)
from tests.store.make import NOON, a_question, a_run, a_thread, an_entry, an_input, at, open_store

T = TypeVar("T")
THREADS = ("a", "b")
threads = st.sampled_from(THREADS)
small = st.integers(0, 5)
DECISIONS = st.sampled_from([Status.APPROVED, Status.DENIED, Status.CANCELLED, Status.EXPIRED])


class Oracle:
    """One thread as the port describes it."""

    def __init__(self) -> None:
        self.epoch = 0
        self.leaf = 0
        self.branch = 0
        self.entries: list[Entry] = []
        self.consumed: set[int] = set()
        self.inputs: list[InputRow] = []
        self.runs: dict[str, RunRow] = {}
        self.questions: dict[str, Interrupt] = {}

    def copy(self) -> Oracle:
        twin = Oracle()
        twin.__dict__ |= {
            key: value.copy() if hasattr(value, "copy") else value
            for key, value in self.__dict__.items()
        }
        return twin

    def take(self, write: Write) -> None:
        match write:
            case AppendEntry():
                self.append(write)
            case SetLeaf(branch, leaf):
                if leaf > len(self.entries):
                    raise IllegalEvent
                self.leaf, self.branch = leaf, branch
            case SaveInput(row):
                if not 0 < row.seq <= len(self.inputs):
                    raise IllegalEvent
                self.inputs[row.seq - 1] = row
            case SaveRun(run):
                self.runs[run.id] = run
            case SaveQuestion(question):
                self.ask(question)
            case DecideQuestion(question):
                self.decide(question)

    def append(self, write: AppendEntry) -> None:
        entry, taken = write.entry, write.input_seq
        if entry.seq != len(self.entries) + 1 or not 0 <= entry.parent < entry.seq:
            raise IllegalEvent
        if taken is not None:
            if taken in self.consumed or not 0 < taken <= len(self.inputs):
                raise IllegalEvent
            self.consumed.add(taken)
        self.entries.append(entry)
        self.leaf, self.branch = entry.seq, entry.branch

    def ask(self, question: Interrupt) -> None:
        stored = self.questions.get(question.id)
        if stored is not None and stored.decision is not None:
            raise AlreadyDecided
        self.questions[question.id] = question

    def decide(self, question: Interrupt) -> None:
        stored = self.questions.get(question.id)
        if stored is None:
            raise NotFound
        assert question.decision is not None
        assert question.decided_at is not None
        self.questions[question.id] = stored.decide(question.decision, question.decided_at)

    def path(self) -> list[Entry]:
        chain, at_seq = [], self.leaf
        while at_seq:
            chain.append(self.entries[at_seq - 1])
            at_seq = chain[-1].parent
        return chain[::-1]

    def busy(self) -> bool:
        return (
            any(row.state is not InputState.DONE for row in self.inputs)
            or any(run.state != "ended" for run in self.runs.values())
            or any(q.decision is None for q in self.questions.values())
        )


class StoreMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory()
        self.oracle = {thread: Oracle() for thread in THREADS}
        self.known: dict[str, InputRow] = {}

    def do(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(coroutine)

    @initialize()
    def open(self) -> None:
        self.store = self.do(open_store(Path(self.folder.name) / "x.db"))
        for thread in THREADS:
            self.do(self.store.make_thread(a_thread(thread)))

    @rule()
    def reopen(self) -> None:
        self.do(self.store.close())
        self.store = self.do(open_store(Path(self.folder.name) / "x.db"))

    @rule(thread=threads, key=st.integers(0, 12))
    def accept(self, thread: str, key: int) -> None:
        new = an_input(f"k{key}", thread=thread)
        row, is_new = self.do(self.store.accept(new, NOON))
        assert is_new == (new.dedup not in self.known)
        if is_new:
            oracle = self.oracle[thread]
            expected = InputRow(seq=len(oracle.inputs) + 1, new=new, accepted_at=NOON)
            self.known[new.dedup] = expected
            oracle.inputs.append(expected)
        assert (row.seq, row.new) == (self.known[new.dedup].seq, self.known[new.dedup].new)

    @rule(thread=threads)
    def acquire(self, thread: str) -> None:
        oracle = self.oracle[thread]
        loaded = self.do(self.store.acquire(thread, "node"))
        oracle.epoch += 1
        row = loaded.thread
        assert (row.epoch, row.leaf, row.branch) == (oracle.epoch, oracle.leaf, oracle.branch)
        assert row.head == len(oracle.entries)
        assert list(loaded.entries) == oracle.path()
        live = [run for run in oracle.runs.values() if run.state != "ended"]
        assert list(loaded.runs) == live
        assert loaded.last_run == next(reversed(oracle.runs.values()), None)
        assert list(loaded.inputs) == [r for r in oracle.inputs if r.state is not InputState.DONE]
        ids = {run.id for run in live}
        assert list(loaded.questions) == [
            q for q in oracle.questions.values() if q.decision is None or q.run in ids
        ]

    @rule(thread=threads, stale=st.sampled_from([0, 0, 0, 1]), data=st.data())
    def commit(self, thread: str, stale: int, data: st.DataObject) -> None:
        oracle = self.oracle[thread].copy()
        writes: list[Write] = []
        error: type[GatewayError] | None = LeaseLost if stale else None
        for _ in range(data.draw(st.integers(1, 4))):
            write = self.a_write(thread, oracle, data)
            writes.append(write)
            try:
                oracle.take(write)
            except (IllegalEvent, AlreadyDecided, InterruptExpired, NotFound) as raised:
                error = error or type(raised)
                break
        if error is not None:
            with pytest.raises(error):
                self.do(self.store.commit(thread, oracle.epoch - stale, writes))
            return
        self.do(self.store.commit(thread, oracle.epoch, writes))
        self.oracle[thread] = oracle

    def a_write(self, thread: str, oracle: Oracle, data: st.DataObject) -> Write:
        kind = data.draw(st.sampled_from([AppendEntry, AppendEntry, SetLeaf, SaveInput, SaveRun,
                                          SaveQuestion, DecideQuestion]))  # fmt: skip
        number = data.draw(small)
        head = len(oracle.entries)
        if kind is AppendEntry:
            seq = head + data.draw(st.sampled_from([1, 1, 1, 1, 0, 2]))
            parent = data.draw(st.integers(0, max(head, 0)))
            taken = data.draw(st.none() | st.integers(1, 4))
            return AppendEntry(an_entry(seq, parent=parent, branch=number), input_seq=taken)
        if kind is SetLeaf:
            return SetLeaf(number, data.draw(st.integers(0, head + 1)))
        if kind is SaveInput:
            given = oracle.inputs[number] if number < len(oracle.inputs) else None
            row = given or InputRow(seq=99, new=an_input(thread=thread), accepted_at=NOON)
            done = data.draw(st.booleans())
            state = InputState.DONE if done else InputState.WAITING
            return SaveInput(replace(row, state=state, outcome=Outcome.ANSWERED if done else None))
        run = f"{thread}{number}"
        if kind is SaveRun:
            ended = data.draw(st.booleans())
            return SaveRun(a_run(run, thread=thread, state="ended" if ended else "running"))
        question = a_question(f"{thread}{number}", run=run)
        stored = oracle.questions.get(question.id, question)
        if kind is SaveQuestion:
            return SaveQuestion(replace(stored.unclear(), decision=None, decided_at=None).arm(NOON))
        decision = Decision(status=data.draw(DECISIONS), how=Way.TEXT)
        when = at(data.draw(st.sampled_from([0.0, 59.999999, 60.0, 61.0])))
        return DecideQuestion(replace(stored, decision=decision, decided_at=when))

    @invariant()
    def agrees(self) -> None:
        if not hasattr(self, "store"):
            return
        for thread, oracle in self.oracle.items():
            assert self.do(self.store.inputs(thread)) == oracle.inputs
            assert self.do(self.store.entries(thread)) == oracle.entries
            assert self.do(self.store.questions(thread=thread)) == list(oracle.questions.values())
        busy = [thread for thread, oracle in self.oracle.items() if oracle.busy()]
        assert sorted(self.do(self.store.busy_threads())) == busy
        expiry = [q.expires_at for o in self.oracle.values() for q in o.questions.values()
                  if q.decision is None and q.expires_at is not None]  # fmt: skip
        over, following = self.do(self.store.expiries(at(60)))
        assert bool(over) == any(when <= at(60) for when in expiry)
        assert following == min((when for when in expiry if when > at(60)), default=None)

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.do(self.store.close())
        self.runner.close()
        self.folder.cleanup()


TestStore = StoreMachine.TestCase
TestStore.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
