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


def joinable(state: ThreadState, live: LiveRun) -> list[InputRow]:
    """The inputs that join this run before its next model call."""
    if live.machine.state not in (State.STARTING, State.RUNNING):
        return []
    rows = [
        row
        for row in state.waiting()
        if row.joins
        and (row.run == live.id or (row.run is None and live.side is None))
        and row.new.principal in live.row.principals
        and row.new.principal not in state.fenced
    ]
    return rows if live.row.options.queue_steering == "all" else rows[:1]


def take_joins(state: ThreadState, live: LiveRun, work: Work, asked: TakeJoins) -> list[Joined]:
    """Append what joins, and end it as steered; what was refused ends with its code. An input that
    changed since it was checked waits for the next time.
    """
    joined = []
    for row in joinable(state, live):
        if asked.checked.get(row.seq) != row.new.text:
            continue
        if row.seq in asked.refused:
            refuse_input(state, work, row, asked.refused[row.seq])
            continue
        message = message_of(state, row)
        body = user_body(message, queued="steer")
        step = live.last_step + 1
        state.append(work, Kind.USER, Place.INPUT, body, run=live.id, step=step, input_seq=row.seq)
        state.finish(work, row, Outcome.STEERED, run=live.id)
        joined.append(Joined(_named(state, message), "steer", row.seq))
    return joined


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
