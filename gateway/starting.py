"""What starts: the inputs that wait and may begin a run now, in their order."""

from __future__ import annotations

from collections.abc import Sequence

from gateway import ending, running
from gateway.core.lineup import Waiting, next_inputs
from gateway.core.queueing import Mode, Priority
from gateway.live import Work
from gateway.mail import Pump
from gateway.ports.rows import InputRow
from gateway.state import ThreadState

TICK_SECONDS = 0.001
"""What is left of a burst's wait below this is over: a timer may fire that early."""


def pump(state: ThreadState, work: Work, starting: set[int]) -> None:
    """Start what may start now. `starting` is told each input before its run is made, so that one
    that breaks is known.
    """
    if state.released:
        return
    if not state.occupying():
        ending.go_to_root(state, work)
    for row in [row for row in state.waiting() if row.beside]:
        if row.new.principal not in state.fenced and row.run not in state.runs:
            _new_run(state, work, [row], starting)
    while state.queue or state.burst_since is not None:
        group = next_inputs(_candidates(state))
        if not group:
            return
        rows = [state.queue[item.seq] for item in group]
        _new_run(state, work, rows, starting)
        if rows[0].collect:
            state.burst_since = None


def _new_run(state: ThreadState, work: Work, rows: Sequence[InputRow], starting: set[int]) -> None:
    starting.update(row.seq for row in rows)
    running.new_run(state, work, rows)


def _candidates(state: ThreadState) -> list[Waiting]:
    waiting = _startable(state)
    if state.burst_since is not None:
        waiting = _after_burst(state, waiting)
    if not state.occupying():
        return waiting
    return [item for item in waiting if _beside(state, item)]


def _after_burst(state: ThreadState, waiting: list[Waiting]) -> list[Waiting]:
    left = state.ready_at - state.wiring.clock.monotonic()
    if left < TICK_SECONDS:
        state.burst_since = None
        return waiting
    state.later(left, Pump())
    return [item for item in waiting if not item.collect]


def _beside(state: ThreadState, item: Waiting) -> bool:
    """Whether an input may start a run beside those that are on."""
    row = state.queue[item.seq]
    mode = state.mode_of(row)
    joins = row.joins and row.run in state.runs
    if mode is not Mode.PARALLEL or item.priority is Priority.LATER or joins:
        return False
    own = state.runs_of(item.principal)
    return item.priority is not Priority.NOW or not any(live.stopped for live in own)


def _startable(state: ThreadState) -> list[Waiting]:
    """What may start a run now: waiting, and of nobody whose stop is on its way."""
    return [
        Waiting(row.seq, row.priority, row.new.principal, row.collect, _own_burst(state, row))
        for row in state.queue.values()
        if row.new.principal not in state.fenced and not row.beside
    ]


def _own_burst(state: ThreadState, row: InputRow) -> bool:
    return row.collect and state.mode_of(row) is not Mode.COLLECT
