"""What an actor does with each kind of message."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from gateway import answering, asking, delivery, expiring, intake, running, waiting
from gateway.core.cancellation import InterruptReason
from gateway.core.errors import GatewayError
from gateway.core.events import PromptDelivered, State
from gateway.fence import lift_fence
from gateway.live import Work
from gateway.mail import (
    Ask,
    ClientCame,
    ExpiryDue,
    Heed,
    Held,
    InputArrived,
    PromptSent,
    Pump,
    Release,
    fail,
    fulfil,
)
from gateway.ports.rows import InputKind, InputRow, Outcome
from gateway.run_handlers import OF_RUNS
from gateway.running import advance
from gateway.state import ThreadState


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


def _on_release(state: ThreadState, message: Release, work: Work) -> None:
    if message.wanted is not None and message.wanted.cancelled():
        return  # whoever wanted it was told that it was not done, or is gone
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


def _on_ask(state: ThreadState, message: Ask, work: Work) -> None:
    if message.done.cancelled():
        return  # whoever asked was told that it was not done, or is gone
    try:
        result = message.fn(state, work)
    except GatewayError as error:
        fail(message.done, error)
        return
    work.then(fulfil, message.done, result)


def _on_heed(state: ThreadState, message: Heed, work: Work) -> None:
    message.fn(state, work)


def _on_pump(state: ThreadState, message: Pump, work: Work) -> None:
    """Nothing but the pump that follows every message."""


HANDLERS: Mapping[type, Callable[[ThreadState, Any, Work], None]] = {
    **OF_RUNS,
    InputArrived: _on_input,
    PromptSent: _on_prompt,
    Held: _on_held,
    ExpiryDue: _on_expiry,
    Release: _on_release,
    ClientCame: _on_client,
    Ask: _on_ask,
    Heed: _on_heed,
    Pump: _on_pump,
}
