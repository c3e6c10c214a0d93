"""One function an effect: what a run's machine wants done, as writes and as acts after them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, TypeVar

from gateway import asking, deciding, delivery, ending
from gateway.core import run_effects as fx
from gateway.core.cancellation import InterruptBehavior, InterruptReason
from gateway.core.errors import RunEnded
from gateway.core.events import Asked, CallStarted, Ended, GraceOver, State, StepDone
from gateway.core.interrupts import Interrupt, Status, Way
from gateway.core.log import Kind, Place, call_body
from gateway.core.messages import (
    DECLINED,
    MOVED_ON_TEXT,
    Json,
    ToolCall,
    ToolResult,
    declined_text,
)
from gateway.delivery import save_run
from gateway.live import LiveRun, Work
from gateway.mail import ExpiryDue, Happened
from gateway.ports.agent import JournalRecord
from gateway.ports.rows import StepText
from gateway.ports.store import AskAnew, SavePrompt, SaveQuestion
from gateway.state import ThreadState

E = TypeVar("E")


def perform(state: ThreadState, live: LiveRun, effect: fx.Effect, work: Work) -> None:
    """Do one effect.

    Raises:
        RunEnded: the effect is a refusal; nothing was written for it.
    """
    _EFFECTS[type(effect)](state, live, effect, work)


# -- calls -----------------------------------------------------------------------------------------


def _refuse(state: ThreadState, live: LiveRun, effect: fx.Refuse, work: Work) -> None:
    raise RunEnded(f"run {live.id} takes this no more: it is {live.machine.state}")


def _saw_batch(
    state: ThreadState, live: LiveRun, work: Work, step: int, batch: tuple[ToolCall, ...]
) -> None:
    """Append the step's calls, once, in their order."""
    if live.row.batch == batch:
        return
    live.row = replace(live.row, step=max(step, live.row.step), batch=batch)
    known = {call["id"] for call in _bodies(state, live, Kind.TOOL_CALL)}
    for call in batch:
        if call.id not in known:
            state.append(work, Kind.TOOL_CALL, Place.CALL, call_body(call), run=live.id, step=step)


def _bodies(state: ThreadState, live: LiveRun, kind: Kind) -> list[Mapping[str, Any]]:
    return [e.body for e in state.chain_of(live.id) if e.run == live.id and e.kind is kind]


def _said(
    state: ThreadState, live: LiveRun, work: Work, event: CallStarted | StepDone | Asked | Ended
) -> None:
    whole = StepText(event.text, provider_parts=event.provider_parts)
    delivery.said(state, live, work, event.step, whole)


def _save_started(state: ThreadState, live: LiveRun, effect: fx.SaveStarted, work: Work) -> None:
    event = effect.event
    _said(state, live, work, event)
    _saw_batch(state, live, work, event.step, event.batch)
    ending.note(live, work, JournalRecord(event.call.id, "started"))
    save_run(state, live, work, checkpoint=event.checkpoint)
    live.began[event.call.id] = state.wiring.clock.monotonic()
    data: dict[str, Json] = {
        "run": live.id,
        "step": event.step,
        "callId": event.call.id,
        "name": event.call.name,
        "arguments": dict(event.call.arguments),
        "state": "started",
    }
    state.draw(work, "call", data)


def _save_result(state: ThreadState, live: LiveRun, effect: fx.SaveResult, work: Work) -> None:
    result = effect.event.result
    ending.note(live, work, JournalRecord(result.call_id, "result"))
    ending.append_result(state, live, work, effect.event.step, result)
    save_run(state, live, work, checkpoint=effect.event.checkpoint)


def _save_note(state: ThreadState, live: LiveRun, effect: fx.SaveNote, work: Work) -> None:
    event = effect.event
    ending.note(live, work, JournalRecord(event.call_id, "note", event.key, event.value))


def _save_step(state: ThreadState, live: LiveRun, effect: fx.SaveStep, work: Work) -> None:
    event = effect.event
    _said(state, live, work, event)
    step = max(event.step, live.row.step)
    save_run(state, live, work, step=step, checkpoint=event.checkpoint, crashes=0)


def _store_reply(state: ThreadState, live: LiveRun, effect: fx.StoreReply, work: Work) -> None:
    event = effect.event
    _said(state, live, work, event)
    step = max(event.step, live.row.step)
    save_run(state, live, work, step=step, checkpoint=event.checkpoint)
    if live.machine.state is State.DELIVERING:
        ending.draw_run(state, live, work)


# -- questions -------------------------------------------------------------------------------------


def _save_questions(
    state: ThreadState, live: LiveRun, effect: fx.SaveQuestions, work: Work
) -> None:
    event = effect.event
    _said(state, live, work, event)
    _saw_batch(state, live, work, event.step, event.batch)
    live.pause = live.machine.open
    for question in event.questions:
        _replace_earlier(state, live, work, question.tool_call_id, question.ordinal)
        ending.note(live, work, JournalRecord(question.tool_call_id, "asked"))
        question = _named(state, question)
        prompts = asking.new_prompts(state, live, question)
        question = _until_armed(state, question, bool(prompts))
        state.questions[question.id] = question
        for person in question.asked:
            state.last_asked.pop(person, None)
        work.write(SaveQuestion(question))
        state.metric(work, "questions", status="asked")
        if not prompts:
            work.then(state.post, ExpiryDue())
        for prompt in prompts:
            state.prompts[prompt.token] = prompt
            work.write(SavePrompt(prompt))
            work.then(state.wiring.elsewhere, prompt, question, True)
        work.then(state.wiring.expiry)
    items: list[Json] = [
        {"id": q.id, "kind": q.kind.value, "reason": q.reason, "message": q.message}
        for q in event.questions
    ]
    body = {"status": "paused", "interrupts": items}
    state.append(work, Kind.INTERRUPT, Place.NOTE, body, run=live.id, step=event.step)
    save_run(state, live, work, checkpoint=event.checkpoint)
    state.relist(work)
    ending.draw_run(state, live, work)


def _named(state: ThreadState, question: Interrupt) -> Interrupt:
    """A question to the approvers, with their names. Where there are none it is nobody's: it never
    falls to the person whose run it is.
    """
    named = state.wiring.access.approvers()
    return replace(question, approvers=named) if question.approvers and named else question


def _until_armed(state: ThreadState, question: Interrupt, has_prompts: bool) -> Interrupt:
    """A question waits this long for somebody to be shown it, and not at all where there is nobody;
    its own time starts at arming.
    """
    waits = timedelta(seconds=state.wiring.policy.undelivered_seconds if has_prompts else 0)
    return replace(question, expires_at=state.now() + waits)


def _replace_earlier(
    state: ThreadState, live: LiveRun, work: Work, call_id: str, ordinal: int
) -> None:
    """An answer that no longer fits its question leaves the run's answers: it is asked anew."""
    for earlier in list(state.questions.values()):
        same = (earlier.run, earlier.tool_call_id, earlier.ordinal) == (live.id, call_id, ordinal)
        if same and earlier.decision is not None and earlier.status is not Status.CANCELLED:
            decision = replace(earlier.decision, status=Status.CANCELLED, how=Way.ASKED_ANEW)
            state.questions[earlier.id] = replace(earlier, decision=decision)
            work.write(AskAnew(state.questions[earlier.id]))


def _deliver(state: ThreadState, live: LiveRun, effect: fx.DeliverPrompts, work: Work) -> None:
    work.then(asking.send, state, live)


def _arm(state: ThreadState, live: LiveRun, effect: fx.Arm, work: Work) -> None:
    asking.arm(state, work, effect.question)


def _withdraw(state: ThreadState, live: LiveRun, effect: fx.Withdraw, work: Work) -> None:
    question = state.questions.get(effect.question)
    if question is not None:
        for prompt in state.prompts_of(question.id):
            asking.withdraw(state, work, prompt, question)


def _close_questions(
    state: ThreadState, live: LiveRun, effect: fx.CloseQuestions, work: Work
) -> None:
    how = Way.MOVED_ON if effect.moved_on else Way.DECLINED
    for question in [state.questions[name] for name in effect.questions]:
        deciding.close(state, work, question, how)
        text = MOVED_ON_TEXT if effect.moved_on else declined_text(question.message)
        result = ToolResult(question.tool_call_id, question.tool_name, text, DECLINED)
        if live.calls.get(result.call_id) != "result":
            ending.note(live, work, JournalRecord(result.call_id, "result"))
            ending.append_result(state, live, work, live.row.step, result)


# -- slots, starting, stopping ---------------------------------------------------------------------


def _free_slot(state: ThreadState, live: LiveRun, effect: fx.FreeSlot, work: Work) -> None:
    live.stop_clock()
    work.then(state.wiring.slots.give_back, live.id)


def _trip(state: ThreadState, live: LiveRun, effect: fx.Trip, work: Work) -> None:
    if live.tripped_at is None:
        live.tripped_at = state.wiring.clock.monotonic()
    save_run(state, live, work, reason=effect.reason.value)
    ending.draw_run(state, live, work)
    uncuttable = [
        call.name
        for call in live.row.batch
        if live.machine.running.get(call.id) is InterruptBehavior.NON_INTERRUPTIBLE
    ]
    if effect.reason is InterruptReason.NOW_PRIORITY_INPUT and uncuttable:
        state.tell(work, live.row.channel, "FINISHING_FIRST", run=live.id, tools=list(uncuttable))
    if live.handle is not None:
        work.then(live.handle.stop, effect.reason)


def _start_grace(state: ThreadState, live: LiveRun, effect: fx.StartGrace, work: Work) -> None:
    now = state.wiring.clock.monotonic()
    since = now if live.stop_at is None else live.stop_at
    at = since + effect.grace_ms / 1000
    if at >= live.grace_at:
        return
    if live.grace is not None:
        live.grace.cancel()
    live.grace_at = at
    live.grace = state.later(max(at - now, 0.0), Happened(live.id, GraceOver()))


def _abandon(state: ThreadState, live: LiveRun, effect: fx.Abandon, work: Work) -> None:
    live.epoch += 1
    live.children.clear()
    if live.handle is not None:
        work.then(live.handle.abandon)


def _tell_may_still_run(
    state: ThreadState, live: LiveRun, effect: fx.TellMayStillRun, work: Work
) -> None:
    names = [call.name for call in live.row.batch if live.calls.get(call.id) == "started"]
    state.tell(work, live.row.channel, "MAY_STILL_RUN", run=live.id, tools=list(names))


def _launch(state: ThreadState, live: LiveRun, effect: object, work: Work) -> None:
    save_run(
        state, live, work, reason=None, resumed=isinstance(effect, fx.Resume) or live.row.resumed
    )
    ending.draw_run(state, live, work)
    work.then(state.post, Happened(live.id, effect))


_EFFECTS: Mapping[type, Callable[[ThreadState, LiveRun, Any, Work], None]] = {
    fx.Refuse: _refuse,
    fx.SaveStarted: _save_started,
    fx.SaveResult: _save_result,
    fx.SaveNote: _save_note,
    fx.SaveStep: _save_step,
    fx.SaveQuestions: _save_questions,
    fx.DeliverPrompts: _deliver,
    fx.FreeSlot: _free_slot,
    fx.Resume: _launch,
    fx.Start: _launch,
    fx.Trip: _trip,
    fx.CutOutput: delivery.close_output,
    fx.StartGrace: _start_grace,
    fx.Abandon: _abandon,
    fx.TellMayStillRun: _tell_may_still_run,
    fx.CloseQuestions: _close_questions,
    fx.Arm: _arm,
    fx.Withdraw: _withdraw,
    fx.StoreReply: _store_reply,
    fx.AppendText: delivery.append_settled,
    fx.SaveShown: delivery.save_shown,
    fx.ClosePartial: delivery.close_partial,
    fx.SaveEnd: ending.save_end,
}
