"""What a program asks of a thread's actor: resume a pause, look at it, take the last turn back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from gateway import answering, asking, deciding, ending, joining, reading
from gateway.core.answers import answer_format
from gateway.core.errors import (
    AccessDenied,
    AlreadyDecided,
    AnswerInvalid,
    InterruptExpired,
    NotFound,
    RunNotPaused,
    ThreadBusy,
    ValidationFailed,
)
from gateway.core.events import State
from gateway.core.interrupts import Decision, Interrupt, Status, Way
from gateway.core.log import Entry, Kind, attachment_of
from gateway.core.messages import Attachment, Json
from gateway.core.queueing import Reading
from gateway.live import Work
from gateway.ports.rows import InputKind, InputRow, NewInput
from gateway.running import advance
from gateway.state import ThreadState
from gateway.waiting import stop_runs


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that was taken back: what the person had said, to be sent again or not."""

    text: str
    attachments: tuple[Attachment, ...] = ()
    sender: str | None = None


@dataclass(frozen=True, slots=True)
class Typed:
    """An answer in words, read by its question's own form; the person's language."""

    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Declined:
    """No answer, on purpose: this question alone is declined, leave to run a call denied."""


Response: TypeAlias = "Json | Typed | Declined"


def resume(
    state: ThreadState,
    work: Work,
    principal: str,
    responses: Mapping[str, Response],
    channel: str,
    *,
    past: Mapping[str, Interrupt] | None = None,
) -> str:
    """Decide questions by their ids, all of them or none; the run they belong to.

    An answer that is there already is confirmed, another one conflicts; so it is for those of runs
    that have ended, where they are handed over as `past`. A typed "cancel" of the
    run's own person declines every question of the pause, and the run ends.

    Raises:
        RunNotPaused: the thread waits on nothing that was ever asked by these ids.
        ValidationFailed: it doesn't wait on one of them; or there are none.
        AccessDenied: one is asked of somebody else.
        AnswerInvalid, InterruptExpired, AlreadyDecided: with `interruptId`.
    """
    if not responses:
        raise ValidationFailed("responses: none are given")
    said = {
        question: _said(state, principal, response, channel)
        for question, response in responses.items()
    }
    known = {**(past or {}), **state.questions}
    decided = [_decision(state, known.get(name), name, new) for name, new in said.items()]
    runs = {question.run for question, _ in decided}
    if len(runs) > 1:
        raise ValidationFailed("responses: they are for questions of several runs")
    given = [(question, decision) for question, decision in decided if decision is not None]
    if any(_cancels(question, said[question.id], state.now()) for question, _ in given):
        stop_runs(state, work, [state.runs[run] for run in runs], principal)
        return runs.pop()
    for question, decision in given:
        _decide(state, work, question, decision)
    return runs.pop()


def _said(state: ThreadState, principal: str, response: Response, channel: str) -> NewInput:
    """A response as what a person sends."""
    new = NewInput(
        dedup="",
        thread=state.thread.id,
        channel=channel,
        principal=principal,
        text="cancel",
        kind=InputKind.PRESS,
        how="api",
    )
    if isinstance(response, Declined):
        return new
    if isinstance(response, Typed):
        said, language = response.text, response.language
        return replace(new, text=said, kind=InputKind.TEXT, language=language)
    return replace(new, text="value", value=response)


def _read(question: Interrupt, new: NewInput, now: datetime) -> tuple[InputRow, reading.Read]:
    row = InputRow(seq=0, new=new, accepted_at=now)
    return row, reading.read_one(row, question, new.text)


def _cancels(question: Interrupt, new: NewInput, now: datetime) -> bool:
    """Whether the run's own person cancels the pause in words."""
    if new.kind is not InputKind.TEXT or question.approvers:
        return False
    return _read(question, new, now)[1].reading is Reading.DECLINE


def _typed(state: ThreadState, question: Interrupt, new: NewInput) -> Decision:
    """The decision that an answer in words stands for.

    Raises:
        AnswerInvalid: it is none; the text says what is wrong, in the person's language.
    """
    row, found = _read(question, new, state.now())
    if found.reading is Reading.VALUE:
        return deciding.granted(question, found, row)
    if found.reading is Reading.SKIP:
        return answering.skipped(question, new)
    if found.reading is Reading.DECLINE and not question.approvers:
        return Decision(status=Status.CANCELLED, how=Way.DECLINED, by=new.principal)
    if found.reading is Reading.DECLINE:
        return answering.declined(question, new)
    wrong = reading.ask_again_text(found, new.language)
    form = answer_format(reading.text_schema(question), new.language)
    raise AnswerInvalid(wrong or form, interruptId=question.id)


def _decision(
    state: ThreadState, question: Interrupt | None, question_id: str, new: NewInput
) -> tuple[Interrupt, Decision | None]:
    """The question and its decision, checked; None where it holds the same one already."""
    if question is None:
        if not state.open_questions():
            raise RunNotPaused(f"thread {state.thread.id} waits on nothing")
        raise ValidationFailed(f"it doesn't wait on {question_id}", interruptId=question_id)
    if new.principal not in question.asked:
        raise AccessDenied(f"question {question_id} is asked of somebody else")
    words = new.kind is InputKind.TEXT
    decision = (_typed if words else answering.read_press)(state, question, new)
    stored = question.decision
    if stored is None:
        question.arm(state.now()).decide(decision, state.now())
        return question, decision
    if stored.same_as(decision):
        return question, None
    if stored.status is Status.EXPIRED:
        raise InterruptExpired(f"question {question_id} has expired", interruptId=question_id)
    raise AlreadyDecided(f"question {question_id} is {stored.status}", interruptId=question_id)


def _decide(state: ThreadState, work: Work, question: Interrupt, decision: Decision) -> None:
    live = state.runs[question.run]
    asking.arm(state, work, question.id)
    event = deciding.decide(state, work, state.questions[question.id], decision, state.now())
    answering.remember(state, work, question, decision)
    advance(state, live, event, work)
    deciding.note_resumed(state, work, live)


def cancel_pause(
    state: ThreadState,
    work: Work,
    principal: str,
    reason: str,
    of: frozenset[str] | None = None,
) -> int:
    """End one's pauses (an admin: all) without an answer; how many questions were declined. The
    reason stands in the log. With `of` only the pauses that wait on one of these questions.

    Raises:
        RunNotPaused: nothing is asked. AccessDenied: only of others.
    """
    paused = [
        live
        for live in state.runs.values()
        if live.machine.state is State.ASKING and (of is None or live.machine.open & of)
    ]
    if not paused:
        raise RunNotPaused(f"thread {state.thread.id} waits on nothing")
    admin = state.wiring.access.is_admin(principal)
    own = [live for live in paused if admin or principal in live.row.principals]
    if not own:
        raise AccessDenied(f"what thread {state.thread.id} waits on is somebody else's")
    count = sum(len(live.machine.open) for live in own)
    for live in own:
        live.closing_note = reason
    stop_runs(state, work, own, principal)
    return count


def last_of(entries: Iterable[Entry], run: str) -> tuple[str, int]:
    """A run's last text that is in the log, and its last entry."""
    own = [entry for entry in entries if entry.run == run]
    texts = [entry.body["text"] for entry in own if entry.kind is Kind.ASSISTANT]
    return str(texts[-1]) if texts else "", own[-1].seq if own else 0


def rewind_last_turn(state: ThreadState, work: Work, run: str) -> Turn:
    """Let the history go on from before the last run; its input.

    Raises:
        ThreadBusy: a run is on.
        NotFound: the active branch's last run is another one.
    """
    if state.occupying():
        raise ThreadBusy(f"a run is on in {state.thread.id}")
    if last_turn(state) != run:
        raise NotFound("that is not the last turn any more")
    said = joining.said_to(state, run)
    ending.take_out(state, work, run)
    state.last_run = None
    files = [file for entry in said for file in entry.body.get("attachments", ())]
    return Turn(
        "\n\n".join(str(entry.body["text"]) for entry in said),
        tuple(map(attachment_of, files)),
        said[0].body.get("sender") if said else None,
    )


def last_turn(state: ThreadState) -> str:
    """The last run of the active branch, "" where there is none."""
    runs = [e.run for e in state.chain if e.kind is Kind.USER and e.step == 0]
    return runs[-1] if runs else ""
