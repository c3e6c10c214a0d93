"""What a program asks of a thread's actor: resume a pause, look at it, take the last turn back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gateway import answering, asking, ending, joining
from gateway.core.errors import (
    AccessDenied,
    AlreadyDecided,
    InterruptExpired,
    NotFound,
    RunNotPaused,
    ThreadBusy,
    ValidationFailed,
)
from gateway.core.events import State
from gateway.core.interrupts import Decision, Interrupt, Status
from gateway.core.log import Entry, Kind
from gateway.core.messages import Attachment, Json
from gateway.hosting import advance
from gateway.live import Work
from gateway.ports.rows import InputKind, NewInput
from gateway.state import ThreadState
from gateway.waiting import stop_runs


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that was taken back: what the person had said, to be sent again or not."""

    text: str
    attachments: tuple[Attachment, ...] = ()
    sender: str | None = None


def resume(
    state: ThreadState, work: Work, principal: str, responses: Mapping[str, Json], channel: str
) -> str:
    """Decide questions by their ids, all of them or none; the run they belong to.

    An answer that is there already is confirmed, another one conflicts.

    Raises:
        RunNotPaused: the thread waits on nothing that was ever asked by these ids.
        ValidationFailed: it doesn't wait on one of them; or there are none.
        AccessDenied: one is asked of somebody else.
        AnswerInvalid, InterruptExpired, AlreadyDecided: with `interruptId`.
    """
    if not responses:
        raise ValidationFailed("responses: none are given")
    decided = [
        _decision(
            state,
            question,
            NewInput(
                dedup="",
                thread=state.thread.id,
                channel=channel,
                principal=principal,
                text="value",
                kind=InputKind.PRESS,
                value=value,
                how="api",
            ),
        )
        for question, value in responses.items()
    ]
    runs = {question.run for question, _ in decided}
    if len(runs) > 1:
        raise ValidationFailed("responses: they are for questions of several runs")
    for question, decision in decided:
        if decision is not None:
            _decide(state, work, question, decision)
    return runs.pop()


def _decision(
    state: ThreadState, question_id: str, new: NewInput
) -> tuple[Interrupt, Decision | None]:
    """The question and its decision, checked; None where it holds the same one already."""
    question = state.questions.get(question_id)
    if question is None:
        if not state.open_questions():
            raise RunNotPaused(f"thread {state.thread.id} waits on nothing")
        raise ValidationFailed(f"it doesn't wait on {question_id}", interruptId=question_id)
    if new.principal not in question.asked:
        raise AccessDenied(f"question {question_id} is asked of somebody else")
    decision = answering.read_press(state, question, new)
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
    event = asking.decide(state, work, state.questions[question.id], decision, state.now())
    answering.remember(state, work, question, decision)
    advance(state, live, event, work)
    asking.note_resumed(state, work, live)


def cancel_pause(state: ThreadState, work: Work, principal: str, reason: str) -> int:
    """End one's pauses (an admin: all) without an answer; how many questions were declined. The
    reason stands in the log.

    Raises:
        RunNotPaused: nothing is asked. AccessDenied: only of others.
    """
    paused = [live for live in state.runs.values() if live.machine.state is State.ASKING]
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
        tuple(Attachment(f["blob"], f["mediaType"], f["name"], f["sizeBytes"]) for f in files),
        said[0].body.get("sender") if said else None,
    )


def last_turn(state: ThreadState) -> str:
    """The last run of the active branch, "" where there is none."""
    runs = [e.run for e in state.chain if e.kind is Kind.USER and e.step == 0]
    return runs[-1] if runs else ""
