"""What an actor does with what its runs tell and ask, and when their tasks begin."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from gateway import delivery, ending, joining, running, waiting
from gateway.core import run_effects as fx
from gateway.core.cancellation import InterruptReason
from gateway.core.errors import IllegalEvent, RunEnded
from gateway.core.events import Began, End, Ended, Settled, State
from gateway.live import LiveRun, Work
from gateway.mail import (
    DeadlineOver,
    FromRun,
    Happened,
    KeepJoined,
    RefuseOwn,
    SaveShownNow,
    SlotGranted,
    TakeJoins,
    fail,
    fulfil,
)
from gateway.ports.channel import TextRef
from gateway.running import advance
from gateway.state import ThreadState
from gateway.supervise import Caught, guarded


def _on_run(state: ThreadState, message: FromRun, work: Work) -> None:
    live = _live(state, message.run, message.epoch, message.done)
    if live is None:
        return
    event: Any = message.event
    if isinstance(event, Ended):
        if live.output_closed and live.machine.state is State.RUNNING:
            waiting.stop_runs(state, work, [live], "")  # tripped at the door
        event = replace(event, all_shown=_all_shown(state, live, event))
    try:
        advance(state, live, event, work)
    except (RunEnded, IllegalEvent) as error:
        fail(message.done, error)
        return
    if isinstance(event, Began):
        ending.draw_run(state, live, work)
    work.then(fulfil, message.done, None)


def _all_shown(state: ThreadState, live: LiveRun, event: Ended) -> bool:
    if not event.text or event.step in live.written:
        return True
    shown = live.cut.get(event.step) or state.channel(live.row.channel).shown(live.ref(event.step))
    return shown.text == event.text


def _on_take(state: ThreadState, message: TakeJoins, work: Work) -> None:
    live = _live(state, message.run, message.epoch, message.done)
    if live is not None:
        joined = joining.take_joins(state, live, work, message)
        work.then(fulfil, message.done, joined)


def _on_refuse(state: ThreadState, message: RefuseOwn, work: Work) -> None:
    live = _live(state, message.run, message.epoch, message.done)
    if live is not None:
        joining.refuse_own(state, live, work, message.codes)
        work.then(fulfil, message.done, None)


def _on_keep(state: ThreadState, message: KeepJoined, work: Work) -> None:
    live = _live(state, message.run, message.epoch, message.done)
    if live is not None:
        joining.keep_joined(state, live, work, message.joined)
        work.then(fulfil, message.done, None)


def _live(state: ThreadState, run: str, epoch: int, done: asyncio.Future[Any]) -> LiveRun | None:
    live = state.runs.get(run)
    if live is None or live.epoch != epoch:
        fail(done, RunEnded(f"run {run} takes nothing more"))
        return None
    return live


def _on_happened(state: ThreadState, message: Happened, work: Work) -> None:
    live = state.runs.get(message.run)
    if live is None:
        return
    event: Any = message.event
    if isinstance(event, fx.Start | fx.Resume):
        _launch(state, live, isinstance(event, fx.Resume), work)
    else:
        advance(state, live, event, work)


def _launch(state: ThreadState, live: LiveRun, resume: bool, work: Work) -> None:
    if live.machine.state is not State.STARTING or live.machine.has_task or state.released:
        return
    granted = state.wiring.slots.take(
        live.id, lambda: state.post(SlotGranted(live.id)), resume=resume
    )
    if granted:
        work.then(_begin, state, live)
    else:
        state.tell(work, live.row.channel, "WAITS_FOR_SLOT", run=live.id)


def _on_slot(state: ThreadState, message: SlotGranted, work: Work) -> None:
    live = state.runs.get(message.run)
    if live is None or live.machine.state is not State.STARTING or state.released:
        work.then(state.wiring.slots.give_back, message.run)
    else:
        work.then(_begin, state, live)


def _begin(state: ThreadState, live: LiveRun) -> None:
    """Start the run's task, once; not while a stop is on its way to it: then once that is not
    stored. A run that can't be started has failed.
    """
    if live.machine.has_task:
        return
    if state.stop_on_its_way(live):
        state.held_back.add(live.id)
        return
    begun = guarded(running.begin, state, live)
    if isinstance(begun, Caught):
        error_id = state.wiring.report(f"run {live.id}", begun.error)
        failed = Ended(End.FAILED, live.last_step, error="INTERNAL_ERROR", error_id=error_id)
        state.post(Happened(live.id, failed))


def _on_shown(state: ThreadState, message: SaveShownNow, work: Work) -> None:
    live = state.runs.get(message.run)
    if live is not None:
        live.ticking = None
        delivery.store_shown(state, live, work)


def _on_deadline(state: ThreadState, message: DeadlineOver, work: Work) -> None:
    live = state.runs.get(message.run)
    if live is not None and live.machine.has_task:
        running.stop_run(state, live, InterruptReason.BUDGET_EXCEEDED, work)


def _on_settled(state: ThreadState, message: TextRef, work: Work) -> None:
    live = state.runs.get(message.run)
    if live is not None and not live.output_closed:
        advance(state, live, Settled(message.step), work)


OF_RUNS: Mapping[type, Callable[[ThreadState, Any, Work], None]] = {
    FromRun: _on_run,
    TakeJoins: _on_take,
    KeepJoined: _on_keep,
    RefuseOwn: _on_refuse,
    Happened: _on_happened,
    SlotGranted: _on_slot,
    SaveShownNow: _on_shown,
    DeadlineOver: _on_deadline,
    TextRef: _on_settled,
}
