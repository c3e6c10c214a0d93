"""What an actor does with each kind of message."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from gateway import answering, asking, delivery, ending, expiring, intake, joining, running, waiting
from gateway.core import run_effects as fx
from gateway.core.cancellation import InterruptReason
from gateway.core.errors import GatewayError, IllegalEvent, RunEnded
from gateway.core.events import Began, End, Ended, PromptDelivered, Settled, State
from gateway.fence import lift_fence
from gateway.live import LiveRun, Work
from gateway.mail import (
    Ask,
    ClientCame,
    DeadlineOver,
    ExpiryDue,
    FromRun,
    Happened,
    Held,
    InputArrived,
    KeepJoined,
    PromptSent,
    Pump,
    RefuseOwn,
    Release,
    SaveShownNow,
    SlotGranted,
    TakeJoins,
)
from gateway.ports.channel import TextRef
from gateway.ports.rows import InputKind, InputRow, Outcome
from gateway.running import advance
from gateway.state import ThreadState
from gateway.supervise import Caught, guarded


def _on_input(state: ThreadState, message: InputArrived, work: Work) -> None:
    row = message.row
    _on_channel(state, work, row)
    row = _in_language(state, row)
    if row.seq in state.poison:
        end_broken(state, work, row)
        return
    if row.new.kind is InputKind.STOP:
        waiting.stop(state, work, row)
        work.then(lift_fence, state, row.new.principal)
        work.then(state.post, Pump())
    elif row.new.kind is InputKind.COMMAND:
        state.wiring.commands(state, work, row)
    elif row.new.kind is InputKind.PRESS:
        answering.press(state, work, row)
    else:
        intake.take_in(state, work, row)
    if expiring.any_due(state):
        work.then(state.post, ExpiryDue())


def end_broken(state: ThreadState, work: Work, row: InputRow) -> None:
    """End an input that the actor broke on before."""
    row = state.finish(work, row, Outcome.FAILED, state.poison[row.seq])
    state.answer(work, row, "INPUT_FAILED", errorId=row.detail)


def _in_language(state: ThreadState, row: InputRow) -> InputRow:
    """The language that the person chose with `/lang` beats the channel's."""
    chosen = state.thread.settings.get(f"language:{row.new.principal}")
    return replace(row, new=replace(row.new, language=chosen)) if isinstance(chosen, str) else row


def _on_channel(state: ThreadState, work: Work, row: InputRow) -> None:
    """Remember that this thread is on the input's channel, and show there what is open; an
    approver's chat is elsewhere.
    """
    if row.new.chat:
        return
    names = state.thread.settings.get("channels")
    known = names if isinstance(names, list) else []
    if row.new.channel not in known:
        settings = {**state.thread.settings, "channels": [*known, row.new.channel]}
        state.save_thread(work, settings=settings)
        asking.ask_on(state, work, row.new.channel)


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
        _fail(message.done, error)
        return
    if isinstance(event, Began):
        ending.draw_run(state, live, work)
    work.then(_fulfil, message.done, None)


def _all_shown(state: ThreadState, live: LiveRun, event: Ended) -> bool:
    if not event.text or event.step in live.written:
        return True
    shown = live.cut.get(event.step) or state.channel(live.row.channel).shown(live.ref(event.step))
    return shown.text == event.text


def _on_take(state: ThreadState, message: TakeJoins, work: Work) -> None:
    live = _live(state, message.run, message.epoch, message.done)
    if live is not None:
        joined = joining.take_joins(state, live, work, message)
        work.then(_fulfil, message.done, joined)


def _on_refuse(state: ThreadState, message: RefuseOwn, work: Work) -> None:
    live = _live(state, message.run, message.epoch, message.done)
    if live is not None:
        joining.refuse_own(state, live, work, message.codes)
        work.then(_fulfil, message.done, None)


def _on_keep(state: ThreadState, message: KeepJoined, work: Work) -> None:
    live = _live(state, message.run, message.epoch, message.done)
    if live is not None:
        joining.keep_joined(state, live, work, message.joined)
        work.then(_fulfil, message.done, None)


def _live(state: ThreadState, run: str, epoch: int, done: asyncio.Future[Any]) -> LiveRun | None:
    live = state.runs.get(run)
    if live is None or live.epoch != epoch:
        _fail(done, RunEnded(f"run {run} takes nothing more"))
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


def _on_prompt(state: ThreadState, message: PromptSent, work: Work) -> None:
    row = asking.on_sent(state, work, message)
    question = None if row is None else state.questions.get(row.question)
    if row is None or question is None:
        return
    live = state.runs.get(question.run)
    if live is None or row.state == "withdrawn":
        asking.withdraw(state, work, row, question)
        return
    if row.state == "armed":
        advance(state, live, PromptDelivered(question.id), work)
    elif question.id in live.machine.open and asking.undeliverable(state, question):
        expiring.undelivered(state, work, question)
    _release_held(state, work)


def _release_held(state: ThreadState, work: Work) -> None:
    """Look again at the inputs that waited for a prompt's delivery."""
    for seq in sorted(state.held):
        if seq in state.held:  # an earlier one may have ended it: a stop gives back what is held
            state.held.discard(seq)
            intake.take_in(state, work, state.inputs.pop(seq))


def _on_held(state: ThreadState, message: Held, work: Work) -> None:
    if message.seq in state.held:
        state.held.discard(message.seq)
        intake.take_in(state, work, state.inputs.pop(message.seq), waited=True)


def _on_expiry(state: ThreadState, message: ExpiryDue, work: Work) -> None:
    expiring.expire_due(state, work, state.now())
    if not expiring.any_due(state):
        work.then(state.wiring.expiry)


def _on_shown(state: ThreadState, message: SaveShownNow, work: Work) -> None:
    live = state.runs.get(message.run)
    if live is not None:
        live.ticking = None
        delivery.store_shown(state, live, work)


def _on_deadline(state: ThreadState, message: DeadlineOver, work: Work) -> None:
    live = state.runs.get(message.run)
    if live is not None and live.machine.has_task:
        running.stop_run(state, live, InterruptReason.BUDGET_EXCEEDED, work)


def _on_release(state: ThreadState, message: Release, work: Work) -> None:
    state.released = True
    if message.reason is InterruptReason.SESSION_RELEASED:
        waiting.give_all_back(state, work, message.reason)
    for live in list(state.runs.values()):
        asks = live.machine.state is State.ASKING
        waits = live.machine.state is State.STARTING and not live.machine.has_task
        if message.reason is InterruptReason.SYSTEM_SHUTDOWN and (asks or waits):
            if waits:  # the next start takes it up, and this end was no crash
                delivery.save_run(state, live, work, crashes=-1)
            continue
        running.stop_run(state, live, message.reason, work)


def _on_client(state: ThreadState, message: ClientCame, work: Work) -> None:
    for live in state.runs.values():
        if live.machine.state is State.ASKING:
            asking.send(state, live, message.principal)


def _on_settled(state: ThreadState, message: TextRef, work: Work) -> None:
    live = state.runs.get(message.run)
    if live is not None and not live.output_closed:
        advance(state, live, Settled(message.step), work)


def _on_ask(state: ThreadState, message: Ask, work: Work) -> None:
    try:
        result = message.fn(state, work)
    except GatewayError as error:
        _fail(message.done, error)
        return
    work.then(_fulfil, message.done, result)


def _on_pump(state: ThreadState, message: Pump, work: Work) -> None:
    """Nothing but the pump that follows every message."""


HANDLERS: Mapping[type, Callable[[ThreadState, Any, Work], None]] = {
    InputArrived: _on_input,
    FromRun: _on_run,
    TakeJoins: _on_take,
    KeepJoined: _on_keep,
    RefuseOwn: _on_refuse,
    Happened: _on_happened,
    SlotGranted: _on_slot,
    PromptSent: _on_prompt,
    Held: _on_held,
    ExpiryDue: _on_expiry,
    SaveShownNow: _on_shown,
    DeadlineOver: _on_deadline,
    Release: _on_release,
    ClientCame: _on_client,
    TextRef: _on_settled,
    Ask: _on_ask,
    Pump: _on_pump,
}


def _fulfil(done: asyncio.Future[Any], result: object) -> None:
    if not done.done():
        done.set_result(result)


def _fail(done: asyncio.Future[Any], error: BaseException) -> None:
    if not done.done():
        done.set_exception(error)


def reject(message: object, error: Exception) -> None:
    """Fail the future of a message that will not be handled."""
    done = getattr(message, "done", None)
    if isinstance(done, asyncio.Future):
        _fail(done, error)
