"""Runs that go on after they ended: a retry, and what a crash left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from gateway import branches, deciding, ending, joining
from gateway.core.cancellation import parse_reason
from gateway.core.errors import NotFound
from gateway.core.events import End, Recovered, Run, State
from gateway.core.interrupts import Way
from gateway.core.log import Kind, Place
from gateway.live import LiveRun, Work
from gateway.ports.agent import JournalRecord
from gateway.ports.rows import InputRow, InputState, Outcome, RunRow
from gateway.running import advance, durable, take_on
from gateway.state import ThreadState


def retry_anew(state: ThreadState, work: Work, row: InputRow, last: RunRow) -> str:
    """Rewind to before an interrupted run and run its input anew: its persons, its options. What
    had joined the run is part of that input: the rewind takes it out, and nothing said is lost.

    Returns the input's text. The command's input ends with the new run.
    """
    said = [entry.body for entry in joining.said_to(state, last.id)]
    ending.take_out(state, work, last.id)
    machine = Run(state.wiring.ids.uuid(), durable=durable(state, row))
    fresh = RunRow(
        id=machine.id,
        thread=last.thread,
        agent=last.agent,
        channel=row.new.channel,
        state=machine.state.value,
        principals=last.principals,
        inputs=(row.seq,),
        started_at=state.now(),
        language=last.language,
        options=last.options,
        retry_of=last.id,
    )
    live = take_on(state, work, row, LiveRun(fresh, machine))
    for body in said:
        own = {key: value for key, value in body.items() if key != "metadata"}
        state.append(work, Kind.USER, Place.INPUT, own, run=live.id)
    return _text_of(said)


def retry_on(state: ThreadState, work: Work, row: InputRow, last: RunRow) -> str:
    """Let a failed run go on from its last stored step; the text of its input."""
    machine = Run(last.id, durable=durable(state, row), said=last.step)
    again = replace(last, inputs=(row.seq,), end=None, error=None, error_id=None, resumed=True)
    live = LiveRun(replace(again, channel=row.new.channel, crashes=0), machine)
    _remember(state, live, state.last_journal)
    take_on(state, work, row, live)
    return _text_of([entry.body for entry in joining.said_to(state, last.id)])


def _text_of(said: Sequence[Mapping[str, Any]]) -> str:
    return "; ".join(str(body["text"]) for body in said)


def _remember(state: ThreadState, live: LiveRun, journal: Sequence[JournalRecord]) -> None:
    """What the log and the journal know of a run: its calls, and the steps whose text stands."""
    live.journal = list(journal)
    live.calls = {r.call_id: r.record for r in live.journal if r.record != "note"}
    chain = state.chain_of(live.id)
    live.written = {e.step for e in chain if e.run == live.id and e.kind is Kind.ASSISTANT}


async def recover(state: ThreadState, rows: Sequence[RunRow], work: Work) -> None:
    """Take up the runs that the store holds as not ended."""
    for row in rows:
        pending = [q for q in state.questions.values() if q.run == row.id and q.decision is None]
        stored = State(row.state)
        if stored is State.ASKING and not pending:
            stored = State.STARTING  # its question can't be read: the call asks anew
        machine = Run(
            row.id,
            state=stored,
            durable=state.channel(row.channel).capabilities.durable,
            open=frozenset(q.id for q in pending) if stored is State.ASKING else frozenset(),
            reason=parse_reason(row.reason) if row.reason else None,
            end=End(row.end) if row.end else None,
            said=row.step,
        )
        live = state.runs[row.id] = LiveRun(row, machine)
        if row.beside:
            live.side = branches.of_run(await state.wiring.store.entries(row.thread), row.id)
        _remember(state, live, await state.wiring.store.journal(row.id))
        if stored is State.ASKING:
            live.pause = deciding.pause_of(state, row.id)
        else:
            # The step in flight may have been shown without being stored: its number is used up.
            live.row = replace(row, crashes=row.crashes + 1, step=row.step + 1)
        advance(state, live, Recovered(live.row.crashes), work)
    _let_orphans_go(state, work)


def _let_orphans_go(state: ThreadState, work: Work) -> None:
    """End what belongs to a run that can't be read."""
    for question in [q for q in state.questions.values() if q.decision is None]:
        if question.run not in state.runs:
            deciding.close(state, work, question, Way.UNDELIVERABLE)
    for orphan in _orphans(state):
        error = NotFound(f"the run of input {orphan.seq} can't be read")
        error_id = state.wiring.report(f"thread {state.thread.id}", error)
        orphan = state.finish(work, orphan, Outcome.FAILED, error_id)
        state.answer(work, orphan, "INPUT_FAILED", errorId=error_id)


def _orphans(state: ThreadState) -> list[InputRow]:
    """Inputs whose run is not there: its own, and what waits to go on after it on its branch."""
    return [
        row
        for row in state.inputs.values()
        if row.run not in state.runs
        and (row.state is InputState.RUNNING or (row.beside and row.new.branch is None))
    ]
