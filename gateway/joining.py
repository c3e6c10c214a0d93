"""What joins a run, and what of its input a check refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gateway.core.events import State
from gateway.core.log import Entry, Kind, Place, refused_body, refused_entries, user_body
from gateway.core.messages import UserMessage
from gateway.live import LiveRun, Work
from gateway.mail import TakeJoins
from gateway.ports.agent import Joined
from gateway.ports.rows import InputRow, InputState, Outcome
from gateway.state import ThreadState

STEER, FOLLOW_UP, INJECT = "steer", "followUp", "inject"
"""How a program's message joins the run that it is addressed to."""
TAKING = (State.STARTING, State.RUNNING)


def joinable(state: ThreadState, live: LiveRun, *, ending: bool = False) -> list[InputRow]:
    """The inputs that join this run before its next model call; with `ending`, those that join it
    when it would end: what programs sent to it.
    """
    if live.machine.state not in TAKING:
        return []
    rows = [
        row
        for row in state.waiting()
        if row.joins
        and (row.run == live.id or (row.run is None and live.side is None))
        and row.new.principal in live.row.principals
        and row.new.principal not in state.fenced
        and _joins_at(row, live, ending=ending)
    ]
    return _drained(live, rows, ending=ending)


def _joins_at(row: InputRow, live: LiveRun, *, ending: bool) -> bool:
    """Whether it is an input's time to join."""
    if not row.new.queued:
        return not ending
    return row.new.run == live.id and (ending or row.new.queued != FOLLOW_UP)


def _drained(live: LiveRun, rows: list[InputRow], *, ending: bool) -> list[InputRow]:
    """What of those that wait is taken now, by the run's drain modes: every injected message, and
    one or all of those that steer; only where none of these is there, of the follow-ups.
    """
    options = live.row.options
    steers = [row for row in rows if row.new.queued not in (FOLLOW_UP, INJECT)]
    follow_ups = [row for row in rows if row.new.queued == FOLLOW_UP]
    every = options.queue_steering if steers else options.queue_follow_up
    lead = steers or follow_ups
    taken = {row.seq for row in (lead if every == "all" else lead[:1])}
    return [row for row in rows if row.seq in taken or row.new.queued == INJECT]


def take_joins(state: ThreadState, live: LiveRun, work: Work, asked: TakeJoins) -> list[Joined]:
    """Append what joins, and end it as steered; what was refused ends with its code. An input that
    changed since it was checked waits for the next time.
    """
    joined = []
    for row in joinable(state, live, ending=asked.ending):
        if asked.checked.get(row.seq) != row.new.text:
            continue
        if row.seq in asked.refused:
            refuse_input(state, work, row, asked.refused[row.seq])
            continue
        message = message_of(state, row)
        queued = row.new.queued or STEER
        body = user_body(message, queued=queued)
        step = live.last_step + 1
        state.append(work, Kind.USER, Place.INPUT, body, run=live.id, step=step, input_seq=row.seq)
        state.finish(work, row, Outcome.STEERED, run=live.id)
        joined.append(Joined(_named(state, message), queued, row.seq))
    return joined


def close_injected(state: ThreadState, work: Work, live: LiveRun, *, keep: bool) -> None:
    """The run ends: an injected message that no model call was left for is kept in the thread, or
    given back. It starts no run.
    """
    for row in state.waiting():
        if row.new.queued != INJECT or row.new.run != live.id:
            continue
        if not keep:
            row = state.finish(work, row, Outcome.RETURNED, live.row.reason or "RUN_ENDED")
            state.answer(work, row, "RETURNED", text=row.new.text)
            continue
        body = user_body(message_of(state, row), queued=INJECT)
        step = live.last_step + 1
        state.append(work, Kind.USER, Place.INPUT, body, run=live.id, step=step, input_seq=row.seq)
        state.finish(work, row, Outcome.STEERED, run=live.id)


def refuse_input(state: ThreadState, work: Work, row: InputRow, code: str) -> None:
    """End an input that a check refused, and say so."""
    row = state.finish(work, row, Outcome.REFUSED, code)
    state.answer(work, row, code)


def said_to(state: ThreadState, run: str) -> list[Entry]:
    """The entries of what was said to a run: its own input, then what joined it, in order; without
    what was refused of it.
    """
    chain = state.chain_of(run)
    refused = refused_entries(chain)
    said = [e for e in chain if e.run == run and e.kind is Kind.USER and e.seq not in refused]
    return sorted(said, key=lambda entry: entry.step)


def own_entries(state: ThreadState, run: str) -> list[Entry]:
    """The entries of a run's own input, without what was refused of it."""
    return [entry for entry in said_to(state, run) if entry.step == 0]


def refuse_own(state: ThreadState, live: LiveRun, work: Work, codes: Mapping[int, str]) -> None:
    """Mark the entries of a run's own inputs that a check refused; the persons are told."""
    own = own_entries(state, live.id)
    for place, code in codes.items():
        body = refused_body([own[place].seq], code)
        state.append(work, Kind.INTERRUPT, Place.NOTE, body, run=live.id)
        row = state.inputs.get(live.row.inputs[place]) if place < len(live.row.inputs) else None
        if row is not None and row.state is InputState.RUNNING:
            refuse_input(state, work, row, code)
        else:
            state.tell(work, live.row.channel, code, language=live.row.language, run=live.id)


def keep_joined(state: ThreadState, live: LiveRun, work: Work, joined: Joined) -> None:
    """Append a message that joined by the handle."""
    body = user_body(joined.message, queued=joined.queued)
    step = live.last_step + 1
    state.append(work, Kind.USER, Place.INPUT, body, run=live.id, step=step)


def message_of(state: ThreadState, row: InputRow) -> UserMessage:
    """What a person said, as it is logged."""
    new = row.new
    return UserMessage(new.text, new.sender or new.principal, new.attachments, new.quote)


def _named(state: ThreadState, message: UserMessage) -> UserMessage:
    return message if not state.thread.private else replace(message, sender=None)
