"""What questions are decided as: what an answer or a press stands for, and its storing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, cast

from gateway import asking
from gateway.core.answers import plan, read_back, validates
from gateway.core.errors import AnswerInvalid
from gateway.core.events import Decided, State
from gateway.core.interrupts import Decision, Interrupt, QuestionKind, Status, Way
from gateway.core.log import Kind, Place
from gateway.core.messages import Json
from gateway.drawn import decision_data
from gateway.live import LiveRun, Recent, Work
from gateway.ports.rows import InputRow, NewInput, Rule
from gateway.ports.store import DecideQuestion, SaveRule
from gateway.reading import YES_NO, Read
from gateway.state import ThreadState

KEPT_CLOSED = 32
"""Closed questions of runs that have ended that a thread keeps in memory, the newest."""


def granted(question: Interrupt, found: Read, row: InputRow) -> Decision:
    """The decision that a value stands for."""
    by, how = row.new.principal, found.how
    if question.kind is QuestionKind.INPUT:
        return Decision(
            status=Status.ANSWERED, how=how, value=found.value, by=by, understood=found.understood
        )
    approved = found.value is True
    value: dict[str, Json] = {"approved": approved}
    if not approved and len(row.new.text.split()) > 1 and how is not Way.BUTTON:
        value["reason"] = row.new.text
    status = Status.APPROVED if approved else Status.DENIED
    return Decision(status=status, how=how, value=value, by=by, understood=found.understood)


def pressed(question: Interrupt, new: NewInput) -> Decision:
    """The decision behind a button or a whole response: approve, deny, yes, no, skip, cancel, the
    index of a choice, or `value` with the value given.

    Raises:
        AnswerInvalid: no such option, or the value doesn't fit the schema.
    """
    if question.kind is not QuestionKind.INPUT:
        return _pressed_approval(question, new)
    chosen = new.value if new.text == "value" else _option_value(question, new.text)
    wrong = validates(chosen, question.schema)
    if wrong is not None:
        raise AnswerInvalid(wrong, interruptId=question.id)
    return Decision(
        status=Status.ANSWERED,
        how=Way(new.how),
        value=chosen,
        by=new.principal,
        understood=read_back(chosen, question.schema, new.language),
    )


def _pressed_approval(question: Interrupt, new: NewInput) -> Decision:
    option = new.text
    given: Mapping[str, Any] = new.value if isinstance(new.value, dict) else {}
    verdicts: dict[str, object] = {"approve": True, "yes": True, "deny": False, "no": False}
    approved = given.get("approved") if option == "value" else verdicts.get(option)
    edited = given.get("updatedArguments")
    edits = edited is None or (isinstance(edited, dict) and question.asks_leave)
    if not isinstance(approved, bool) or not edits:
        raise AnswerInvalid(f"not a decision: {option}", interruptId=question.id)
    decision: dict[str, Json] = {"approved": approved}
    if given.get("reason"):
        decision["reason"] = str(given["reason"])
    return Decision(
        status=Status.APPROVED if approved else Status.DENIED,
        how=Way(new.how),
        value=decision,
        by=new.principal,
        understood=read_back(approved, YES_NO, new.language),
        updated_arguments=edited if approved else None,
        remember=given.get("remember") is True,
    )


def choices(question: Interrupt) -> list[tuple[str, Json]]:
    """The options that can be pressed, as key and value, in the schema's order."""
    form = plan.plan_of(question.schema)
    solid = [one for one in form.branches or (form,) if one.kind is not plan.Kind.NULL]
    if [one.kind for one in solid] == [plan.Kind.BOOLEAN]:
        return [("yes", True), ("no", False)]
    members = [cast(Json, member.value) for one in solid for member in one.members]
    return [(str(number), member) for number, member in enumerate(members)]


def _option_value(question: Interrupt, option: str) -> Json:
    for key, value in choices(question):
        if key == option:
            return value
    raise AnswerInvalid(f"no such option: {option}", interruptId=question.id)


def decide(
    state: ThreadState, work: Work, question: Interrupt, decision: Decision, at: datetime
) -> Decided:
    """Store a decision and fold its prompts; the event for the run's machine.

    Raises:
        AlreadyDecided, InterruptExpired: nothing was changed.
    """
    decided = question.decide(decision, at)
    state.questions[question.id] = decided
    work.write(DecideQuestion(decided))
    if question.kind is not QuestionKind.INPUT and isinstance(decision.value, dict):
        body = {"interruptId": question.id, **decision.value, "by": decision.by, "rule": None}
        live = state.runs[question.run]
        state.append(work, Kind.APPROVAL, Place.NOTE, body, run=live.id, step=live.row.step)
    for prompt in state.prompts_of(question.id):
        asking.withdraw(state, work, prompt, decided)
    state.draw(work, "decided", decision_data(decided, decision))
    state.relist(work)
    if decision.by:
        until = state.now() + timedelta(seconds=state.wiring.policy.recent_seconds)
        state.recent = Recent(decided, decision.by, until)
    state.metric(work, "questions", status=decision.status.value)
    return Decided(question.id)


def close(state: ThreadState, work: Work, question: Interrupt, how: Way) -> None:
    """Decide an open question of an ending run as cancelled."""
    decide(state, work, question, Decision(status=Status.CANCELLED, how=how), state.now())


def takes_null(schema: Mapping[str, Json]) -> bool:
    """Whether null is an answer to this schema."""
    return validates(None, schema) is None


def remember(state: ThreadState, work: Work, principal: str, tool: str) -> None:
    """Allow a tool for this person in this thread from now on."""
    rule = Rule(state.thread.id, principal, tool)
    state.rules.add(rule)
    work.write(SaveRule(rule))


def note_resumed(state: ThreadState, work: Work, live: LiveRun) -> None:
    """Append the answers of a pause once its last question is decided."""
    if live.machine.open or live.machine.state is State.ENDED:
        return
    items: list[Json] = [
        {
            "id": q.id,
            "kind": q.kind.value,
            "reason": q.reason,
            "response": q.decision.value if q.decision is not None else None,
        }
        for q in state.questions.values()
        if q.run == live.id and q.id in live.pause
    ]
    body = {"status": "resumed", "interrupts": items}
    state.append(work, Kind.INTERRUPT, Place.NOTE, body, run=live.id, step=live.row.step)


def pause_of(state: ThreadState, run: str) -> frozenset[str]:
    """All questions of the run's last pause, those decided since too; from the log."""
    pauses = [
        entry.body["interrupts"]
        for entry in state.chain_of(run)
        if entry.run == run and entry.kind is Kind.INTERRUPT and entry.body["status"] == "paused"
    ]
    return frozenset(item["id"] for item in pauses[-1]) if pauses else frozenset()


def expired_decision() -> Decision:
    """The decision of a question whose time is over."""
    return Decision(status=Status.EXPIRED, how=Way.EXPIRED)


def undeliverable_decision() -> Decision:
    """The decision of a question that reached nobody."""
    return Decision(status=Status.CANCELLED, how=Way.UNDELIVERABLE)


def let_go(state: ThreadState) -> None:
    """Forget the questions that nothing in memory needs any more; the store has them all.

    Kept are the open ones; those of runs that are on, and of the last one, which may be retried;
    the one that expired last, for a late answer (RACES 1); those whose prompt is still being sent
    and has to be folded; and the newest of the rest, so that a second press or a reply is told
    what came of it.
    """
    runs = {*state.runs, state.last_run.id if state.last_run is not None else ""}
    sending = {state.prompts[token].question for token in state.sending if token in state.prompts}
    expired = [q.id for q in state.questions.values() if q.status is Status.EXPIRED]
    needed = sending | set(expired[-1:])
    closed = [q for q in state.questions.values() if q.decision is not None and q.run not in runs]
    for question in closed[:-KEPT_CLOSED]:
        if question.id not in needed:
            for prompt in state.prompts_of(question.id):
                del state.prompts[prompt.token]
            del state.questions[question.id]
