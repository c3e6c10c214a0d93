"""The door's stop: before anything is stored, and until it is."""

from __future__ import annotations

from gateway import delivery
from gateway.core import run_effects as fx
from gateway.core.cancellation import InterruptReason
from gateway.core.events import State
from gateway.live import LiveRun
from gateway.mail import Happened
from gateway.state import ThreadState


def lift_fence(state: ThreadState, principal: str) -> None:
    """A person's stop is stored, or was not: what they say may start again."""
    left = state.fenced.get(principal, 0) - 1
    if left > 0:
        state.fenced[principal] = left
        return
    state.fenced.pop(principal, None)
    waiting = state.held_back | state.tripped.pop(principal, set())
    state.held_back = set()
    for live in [live for live in state.runs.values() if live.id in waiting]:
        if live.machine.state is State.STARTING:
            live.tripped_at = None
            state.post(Happened(live.id, fx.Resume() if live.row.resumed else fx.Start()))
    for live in state.runs.values() if not state.fenced else ():
        live.stop_at = None


def trip_child(state: ThreadState, live: LiveRun, child: str) -> None:
    """Stop one child run for a person, and nothing else, until the stop is stored."""
    if live.handle is not None and live.handle.stop_child(child, InterruptReason.USER_SIGINT):
        state.tripped_children.add(child)


def trip_now(state: ThreadState, live: LiveRun, principal: str) -> None:
    """Reveal nothing more, trip the signal, let no task begin, until the stop is stored."""
    now = state.wiring.clock.monotonic()
    if live.machine.state is State.STOPPING and live.stop_at is None:
        live.stop_at = now  # a stop shortens the grace that runs
    if live.machine.state not in (State.STARTING, State.RUNNING, State.ASKING):
        return
    state.tripped.setdefault(principal, set()).add(live.id)
    if live.machine.state is State.ASKING:
        return
    live.tripped_at = live.tripped_at or now
    live.stop_at = live.stop_at or now
    if live.machine.has_task and live.handle is not None:
        delivery.cut_output(state, live)
        live.handle.stop(InterruptReason.USER_SIGINT)
