"""The end of a question that nobody answered: at its expiry, or because it reached nobody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from gateway import deciding, reading
from gateway.core.interrupts import Decision, Interrupt, Status
from gateway.core.messages import Json
from gateway.live import Work
from gateway.mail import ExpiryDue
from gateway.ports.channel import Notice
from gateway.ports.rows import InputState, PromptRow
from gateway.ports.store import SavePrompt
from gateway.running import advance
from gateway.state import ThreadState


def conclude(state: ThreadState, work: Work, question: Interrupt, decision: Decision) -> None:
    """Decide a question that no person decided; its run goes on once it was the last."""
    event = deciding.decide(state, work, question, decision, state.now())
    live = state.runs[question.run]
    advance(state, live, event, work)
    deciding.note_resumed(state, work, live)


def expire_due(state: ThreadState, work: Work, at: datetime) -> None:
    """Expire every question whose time is over at `at`.

    First it waits, 10 s at most, for what a person asked had said in time and is not read yet.
    """
    for question in state.open_questions():
        if not question.expired(at):
            continue
        wait = _wait_seconds(state, question, at)
        if wait > 0:
            state.later(wait, ExpiryDue())
        elif question.armed_at is None:
            undelivered(state, work, question)
        else:
            _expire(state, work, question)


def any_due(state: ThreadState) -> bool:
    """Whether a question is open whose time is over."""
    now = state.now()
    return any(question.expired(now) for question in state.open_questions())


def _wait_seconds(state: ThreadState, question: Interrupt, at: datetime) -> float:
    expires_at = question.expires_at
    assert expires_at is not None
    held = [state.inputs[seq] for seq in state.held]
    coming = [*state.arriving(), *((row.new.principal, row.answered_at) for row in held)]
    if not any(who in question.asked and said < expires_at for who, said in coming):
        return 0.0
    until = expires_at + timedelta(seconds=state.wiring.policy.hold_seconds)
    return (until - at) / timedelta(seconds=1)


def _expire(state: ThreadState, work: Work, question: Interrupt) -> None:
    live = state.runs[question.run]
    for person in question.asked:
        if reading.asked_here(state, question, person):
            state.last_asked[person] = question
    shown = [prompt for prompt in state.prompts_of(question.id) if prompt.state == "armed"]
    conclude(state, work, question, deciding.expired_decision())
    state.tell(
        work,
        live.row.channel,
        "QUESTION_EXPIRED",
        language=live.row.language,
        message=question.message,
    )
    why: dict[str, Json] = {"message": question.message}
    for prompt in (prompt for prompt in shown if prompt.chat != state.thread.id):
        notice = Notice(prompt.chat, "QUESTION_EXPIRED", why, prompt.principal, live.row.language)
        work.then(state.channel(prompt.channel).tell, notice)


def undelivered(state: ThreadState, work: Work, question: Interrupt) -> None:
    """The question reached nobody: its call is told so, and the run goes on."""
    row = state.runs[question.run].row
    conclude(state, work, question, deciding.undeliverable_decision())
    state.tell(work, row.channel, "UNDELIVERABLE", language=row.language, message=question.message)


def chat_lost(state: ThreadState, work: Work, gone: Callable[[PromptRow], bool]) -> None:
    """Nobody reads these prompts any more. A question that is asked nowhere else reached nobody;
    one that others are asked as well stays theirs.
    """
    for question in state.open_questions():
        lost = [row for row in state.prompts_of(question.id) if gone(row)]
        for row in lost:
            state.prompts[row.token] = failed = replace(row, state="failed")
            work.write(SavePrompt(failed))
        if lost and all(row.state == "failed" for row in state.prompts_of(question.id)):
            undelivered(state, work, question)


async def last_asked(state: ThreadState) -> dict[str, Interrupt]:
    """Who was asked last by a question that expired, and has said nothing since; from the store.
    An approver says it elsewhere.
    """
    asked = [question for question in state.questions.values() if not question.approvers]
    if not asked or asked[-1].status is not Status.EXPIRED or asked[-1].expires_at is None:
        return {}
    question, expired_at = asked[-1], asked[-1].expires_at
    said = {
        row.new.principal
        for row in await state.wiring.store.inputs(state.thread.id)
        if row.state is not InputState.NEW and row.answered_at >= expired_at
    }
    return {person: question for person in question.asked if person not in said}
