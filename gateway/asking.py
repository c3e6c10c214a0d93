"""Questions: their decisions, their prompts, and when they are armed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, cast

from gateway.core.answers import answer_format, plan, read_back, validates
from gateway.core.errors import AnswerInvalid
from gateway.core.events import Decided, State
from gateway.core.interrupts import APPROVERS, Decision, How, Interrupt, QuestionKind, Status
from gateway.core.log import Kind, Place
from gateway.core.messages import Json
from gateway.drawn import armed_data, decision_data
from gateway.live import LiveRun, Recent, Work
from gateway.mail import PromptSent
from gateway.ports.channel import Delivery, Prompt, Sent
from gateway.ports.rows import InputRow, NewInput, PromptRow, Rule
from gateway.ports.store import DecideQuestion, SavePrompt, SaveQuestion, SaveRule
from gateway.reading import YES_NO, Read, text_schema
from gateway.state import ThreadState
from gateway.supervise import Caught, guarded_await


def granted(question: Interrupt, found: Read, row: InputRow) -> Decision:
    """The decision that a value stands for."""
    by, how = row.new.principal, found.how
    if question.kind is QuestionKind.INPUT:
        return Decision(
            status=Status.ANSWERED, how=how, value=found.value, by=by, understood=found.understood
        )
    approved = found.value is True
    value: dict[str, Json] = {"approved": approved}
    if not approved and len(row.new.text.split()) > 1 and how is not How.BUTTON:
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
        how=How(new.how),
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
        how=How(new.how),
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
        withdraw(state, work, prompt, decided)
    state.draw(work, "decided", decision_data(decided, decision))
    state.relist(work)
    if decision.by:
        until = state.now() + timedelta(seconds=state.wiring.policy.recent_seconds)
        state.recent = Recent(decided, decision.by, until)
    state.metric(work, "questions", status=decision.status.value)
    return Decided(question.id)


def close(state: ThreadState, work: Work, question: Interrupt, how: How) -> None:
    """Decide an open question of an ending run as cancelled."""
    decide(state, work, question, Decision(status=Status.CANCELLED, how=how), state.now())


def withdraw(state: ThreadState, work: Work, prompt: PromptRow, question: Interrupt) -> None:
    """Fold one prompt to its outcome."""
    row = replace(prompt, state="withdrawn")
    state.prompts[prompt.token] = row
    work.write(SavePrompt(row))
    work.then(state.channel(prompt.channel).withdraw, row, question)
    work.then(state.wiring.elsewhere, row, question, False)


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
    return Decision(status=Status.EXPIRED, how=How.EXPIRED)


def undeliverable_decision() -> Decision:
    """The decision of a question that reached nobody."""
    return Decision(status=Status.CANCELLED, how=How.UNDELIVERABLE)


# -- prompts ---------------------------------------------------------------------------------------


def new_prompts(state: ThreadState, live: LiveRun, question: Interrupt) -> list[PromptRow]:
    """Where a question is shown: to each person asked, on each channel of the thread, or to each
    approver in their own chat.
    """
    places: list[tuple[str, str, str]] = []
    if question.approvers:
        for person in (who for who in question.approvers if who != APPROVERS):
            channel, chat = state.wiring.access.home(person, live.row.channel)
            places.append((channel, chat, person))
    else:
        names = [view.name for view in state.views()] or [live.row.channel]
        places = [(n, state.thread.id, who) for n in names for who in question.principals]
    return _prompts(state, question, places)


def _prompts(
    state: ThreadState, question: Interrupt, places: Iterable[tuple[str, str, str]]
) -> list[PromptRow]:
    """Prompts at these places, by channel, chat and person."""
    return [
        PromptRow(
            question=question.id,
            thread=state.thread.id,
            channel=channel,
            chat=chat,
            principal=person,
            token=state.wiring.ids.uuid(),
        )
        for channel, chat, person in places
        if channel in state.wiring.channels
    ]


def ask_on(state: ThreadState, work: Work, channel: str) -> None:
    """Show what is open on a channel that the thread has come to be on."""
    for question in state.open_questions():
        shown = any(prompt.channel == channel for prompt in state.prompts_of(question.id))
        if question.approvers or shown:
            continue
        here = ((channel, state.thread.id, person) for person in question.principals)
        for prompt in _prompts(state, question, here):
            state.prompts[prompt.token] = prompt
            work.write(SavePrompt(prompt))
        work.then(send, state, state.runs[question.run])


def send(state: ThreadState, live: LiveRun, principal: str | None = None) -> None:
    """Send the prompts of a run that were not delivered yet (those of one person, or all)."""
    for question in state.open_questions():
        if question.run != live.id:
            continue
        for row in state.prompts_of(question.id):
            due = row.state == "ready" and row.token not in state.sending
            if due and principal in (None, row.principal):
                state.sending.add(row.token)
                _send_one(state, live, question, row)


def send_again(state: ThreadState, live: LiveRun, row: InputRow, found: Read, again: str) -> None:
    """Ask a question again on the channel of the input, saying why."""
    question = found.question
    if question is None:
        return
    for prompt in state.prompts_of(question.id):
        if prompt.channel == row.new.channel and prompt.principal == row.new.principal:
            _send_one(state, live, question, prompt, again=again)


def _send_one(
    state: ThreadState, live: LiveRun, question: Interrupt, row: PromptRow, again: str | None = None
) -> None:
    language = live.row.language
    form = answer_format(text_schema(question), language)
    prompt = Prompt(row, question, form, language, again)

    async def ask() -> None:
        sent = await guarded_await(state.channel(row.channel).ask(prompt))
        if isinstance(sent, Caught):
            state.wiring.report(f"question {question.id}", sent.error)
            sent = Sent(Delivery.FAILED)
        state.post(PromptSent(row.token, sent.delivery.value, sent.message_ref, sent.seq))

    state.wiring.supervisor.spawn(ask(), name=f"ask {row.token}")


def on_sent(state: ThreadState, work: Work, message: PromptSent) -> PromptRow | None:
    """Store what became of a prompt's sending; None where it still waits for somebody to be there.

    A prompt that was withdrawn meanwhile stays withdrawn, and knows where it has to be folded.
    """
    row = state.prompts.get(message.token)
    state.sending.discard(message.token)
    if row is None or message.delivery == Delivery.NOBODY.value:
        return None
    armed = row.state == "armed" or message.delivery == Delivery.CONFIRMED.value
    stored = replace(
        row,
        state="withdrawn" if row.state == "withdrawn" else "armed" if armed else message.delivery,
        message_ref=message.message_ref or row.message_ref,
        seq=row.seq or message.seq,
    )
    state.prompts[row.token] = stored
    work.write(SavePrompt(stored))
    if stored.state == "armed":
        work.then(state.wiring.elsewhere, stored, state.questions[row.question], True)
    return stored


def undeliverable(state: ThreadState, question: Interrupt) -> bool:
    """Whether every prompt of the question has failed."""
    rows = state.prompts_of(question.id)
    return question.armed_at is None and all(row.state == "failed" for row in rows)


def arm(state: ThreadState, work: Work, question_id: str) -> None:
    """Start a question's time."""
    armed = state.questions[question_id].arm(state.now())
    if armed is not state.questions[question_id]:
        state.questions[question_id] = armed
        work.write(SaveQuestion(armed))
        state.draw(work, "armed", armed_data(armed))
        work.then(state.wiring.expiry)
