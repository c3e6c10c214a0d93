"""What an input does to the question it reads against: decide, decline, ask again, move on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gateway import asking, deciding, reading
from gateway.core.answers import ControlKind, control_word, read_back, validates
from gateway.core.errors import (
    AccessDenied,
    AlreadyDecided,
    AnswerInvalid,
    GatewayError,
    InterruptExpired,
)
from gateway.core.events import MovedOn, State
from gateway.core.interrupts import (
    APPROVAL_ORDINAL,
    Decision,
    Interrupt,
    QuestionKind,
    Status,
    Way,
)
from gateway.core.messages import Json
from gateway.core.queueing import AskedOf, Mode, Priority, Reading, Ruling, Verdict
from gateway.delivery import save_run
from gateway.live import Work
from gateway.ports.rows import InputRow, NewInput, Outcome
from gateway.ports.store import SaveQuestion
from gateway.reading import Read
from gateway.running import advance
from gateway.state import ThreadState
from gateway.waiting import enqueue, stop, stop_runs

BY_COMMAND = Ruling(Verdict.SKIP)
"""The verdict of a control that was given as a command or a button."""


def decide(state: ThreadState, work: Work, row: InputRow, ruling: Ruling, found: Read) -> None:
    """The input is an answer."""
    if found.question is not None:
        settle(state, work, row, found, deciding.granted(found.question, found, row))


def settle(state: ThreadState, work: Work, row: InputRow, found: Read, decision: Decision) -> None:
    """Decide a question by an input, or refuse the input with the reason."""
    question = found.question
    assert question is not None
    live = state.runs[question.run]
    try:
        event = deciding.decide(state, work, question, decision, row.answered_at)
    except (AlreadyDecided, InterruptExpired) as error:
        refused(state, work, row, error)
        return
    state.finish(work, row, Outcome.DECIDED, question.id, run=live.id)
    remember(state, work, question, decision)
    advance(state, live, event, work)
    deciding.note_resumed(state, work, live)
    state.answer(work, row, "UNDERSTOOD", echo=found.echo, **_card(question, decision))


def remember(state: ThreadState, work: Work, question: Interrupt, decision: Decision) -> None:
    """Keep a rule where one is wished and may be: leave for a call of the run's own was given, and
    the tool destroys nothing.
    """
    own = question.asks_leave and question.ordinal == APPROVAL_ORDINAL
    leave = own and decision.status is Status.APPROVED
    destroys = state.wiring.agent.destructive(question.tool_name)
    if decision.remember and leave and not destroys:
        deciding.remember(state, work, decision.by, question.tool_name)


def _card(question: Interrupt, decision: Decision) -> dict[str, Json]:
    """What was understood, for whoever answered."""
    return {
        "interruptId": question.id,
        "message": question.message,
        "understood": decision.understood,
        "how": decision.how.value,
        "status": decision.status.value,
    }


def refused(state: ThreadState, work: Work, row: InputRow, error: GatewayError) -> None:
    """End an input with an error's code."""
    state.finish(work, row, Outcome.REFUSED, error.code)
    state.answer(work, row, error.code)


def press(state: ThreadState, work: Work, row: InputRow) -> None:
    """Take a pressed button or a whole response for the question it is bound to."""
    question = state.questions.get(row.new.reply_to or "")
    if question is None:
        refused(state, work, row, AlreadyDecided("decided long ago"))
        return
    if row.new.principal not in question.asked:
        refused(state, work, row, AccessDenied(f"question {question.id} is somebody else's"))
        return
    try:
        decision = read_press(state, question, row.new)
    except GatewayError as error:
        refused(state, work, row, error)
        return
    if question.decision is not None:
        _pressed_again(state, work, row, question, decision)
        return
    asking.arm(state, work, question.id)
    question = state.questions[question.id]
    found = Read(AskedOf.MINE, question=question, how=Way(row.new.how))
    if row.new.text == "cancel":
        decline(state, work, row, BY_COMMAND, found)
    else:
        settle(state, work, row, found, decision)


def read_press(state: ThreadState, question: Interrupt, new: NewInput) -> Decision:
    """The decision behind a press or a whole response.

    Raises:
        AnswerInvalid: no such option, a value that doesn't fit the schema, edited arguments that
            don't fit the tool.
    """
    if new.text == "skip":
        return skipped(question, new)
    if new.text == "cancel":
        return declined(question, new)
    decision = deciding.pressed(question, new)
    edited = decision.updated_arguments
    wrong = None if edited is None else _refuses(state, question, edited)
    if wrong is not None:
        raise AnswerInvalid(wrong, interruptId=question.id)
    return decision


def _refuses(state: ThreadState, question: Interrupt, edited: Mapping[str, Json]) -> str | None:
    """Why edited arguments don't fit the tool: this run's, or by its schema that of a child run."""
    if question.ordinal == APPROVAL_ORDINAL:
        return state.wiring.agent.refuses(question.tool_name, edited)
    return validates({"approved": True, "updatedArguments": dict(edited)}, question.schema)


def _pressed_again(
    state: ThreadState, work: Work, row: InputRow, question: Interrupt, again: Decision
) -> None:
    """A replay gets the stored decision; another one conflicts."""
    stored = question.decision
    assert stored is not None
    if stored.same_as(again):
        state.finish(work, row, Outcome.HANDLED, "REPLAYED", run=question.run)
        state.answer(work, row, "REPLAYED", **_card(question, stored))
    elif stored.status is Status.EXPIRED:
        refused(state, work, row, InterruptExpired(interruptId=question.id))
    else:
        refused(state, work, row, AlreadyDecided(interruptId=question.id))


def from_elsewhere(state: ThreadState, work: Work, row: InputRow) -> None:
    """What an approver said in their own chat to a question of this thread: it answers that or is
    asked again, and is never an input here.
    """
    question = state.questions.get(row.new.reply_to or "")
    if question is None or question.decision is not None or row.new.principal not in question.asked:
        expired = question is not None and question.status is Status.EXPIRED
        refused(state, work, row, InterruptExpired() if expired else AlreadyDecided())
        return
    asking.arm(state, work, question.id)
    question = state.questions[question.id]
    found = reading.read_one(row, question, row.new.text)
    verdict = _ELSEWHERE.get(found.reading, Verdict.ASK_AGAIN)
    act = {
        Verdict.DECIDE: decide,
        Verdict.SKIP: skip,
        Verdict.DECLINE: decline,
        Verdict.REPEAT: repeat,
        Verdict.HELP: explain,
        Verdict.ASK_AGAIN: ask_again,
    }[verdict]
    act(state, work, row, Ruling(verdict, run=question.run), found)


_ELSEWHERE = {
    Reading.VALUE: Verdict.DECIDE,
    Reading.SKIP: Verdict.SKIP,
    Reading.DECLINE: Verdict.DECLINE,
    Reading.REPEAT: Verdict.REPEAT,
    Reading.HELP: Verdict.HELP,
}


def skip(state: ThreadState, work: Work, row: InputRow, ruling: Ruling, found: Read) -> None:
    """The schema's default or null; else, and where leave was asked, this question is declined."""
    assert found.question is not None
    settle(state, work, row, found, skipped(found.question, row.new))


def skipped(question: Interrupt, new: NewInput) -> Decision:
    """The decision that leaves a question out; what asks for leave has no default."""
    schema = question.schema
    leave = question.kind is not QuestionKind.INPUT
    if leave or ("default" not in schema and not deciding.takes_null(schema)):
        return Decision(status=Status.CANCELLED, how=Way.DECLINED, by=new.principal)
    value = schema.get("default")
    said = read_back(value, schema, new.language)
    return Decision(
        status=Status.ANSWERED, how=Way.DEFAULT, value=value, by=new.principal, understood=said
    )


def declined(question: Interrupt, new: NewInput) -> Decision:
    """The decision that an approver's cancel means: a denial where leave was asked."""
    if question.kind is QuestionKind.INPUT:
        return Decision(status=Status.CANCELLED, how=Way.DECLINED, by=new.principal)
    how = Way(new.how)
    return Decision(status=Status.DENIED, how=how, value={"approved": False}, by=new.principal)


def decline(state: ThreadState, work: Work, row: InputRow, ruling: Ruling, found: Read) -> None:
    """Cancel or stop: every question of the pause is declined, the run ends. An approver's cancel
    is a denial, and the run goes on.
    """
    question = found.question
    assert question is not None
    if question.approvers:
        settle(state, work, row, found, declined(question, row.new))
        return
    if control_word(row.new.text) is ControlKind.STOP:
        stop(state, work, row)
        return
    cancel(state, work, row, question.run)


def cancel(state: ThreadState, work: Work, row: InputRow, run: str) -> None:
    """End a pause for its own person: every question of it is declined."""
    messages = [q.message for q in state.open_questions() if q.run == run]
    stop_runs(state, work, [state.runs[run]], row.new.principal)
    state.finish(work, row, Outcome.HANDLED, "DECLINED", run=run)
    state.answer(work, row, "DECLINED", message="; ".join(messages))


def ask_again(state: ThreadState, work: Work, row: InputRow, ruling: Ruling, found: Read) -> None:
    """Count the try, say what is wrong, show the question again."""
    question = found.question
    assert question is not None
    counted = question.unclear()
    state.questions[question.id] = counted
    work.write(SaveQuestion(counted))
    state.finish(work, row, Outcome.REFUSED, "INTERRUPT_ANSWER_INVALID", run=question.run)
    again = reading.ask_again_text(found, row.new.language)
    state.answer(work, row, "INTERRUPT_ANSWER_INVALID", problem=again, interruptId=question.id)
    state.metric(work, "questions", status="unclear")
    _show_again(state, work, row, replace(found, question=counted), again)


def _show_again(state: ThreadState, work: Work, row: InputRow, found: Read, again: str) -> None:
    assert found.question is not None
    live = state.runs[found.question.run]
    work.then(asking.send_again, state, live, row, found, again)


def repeat(state: ThreadState, work: Work, row: InputRow, ruling: Ruling, found: Read) -> None:
    """Show the question again; no try."""
    state.finish(work, row, Outcome.HANDLED, ruling.verdict.value.upper())
    _show_again(state, work, row, found, "")


def not_understood(state: ThreadState, work: Work, row: InputRow) -> None:
    """Nobody can tell what was said: what is asked of them is asked again; no try."""
    state.finish(work, row, Outcome.REFUSED, "NOT_UNDERSTOOD")
    state.answer(work, row, "NOT_UNDERSTOOD")
    for question in reading.open_here(state, row.new.principal):
        _show_again(state, work, row, Read(AskedOf.MINE, question=question), "")


def explain(state: ThreadState, work: Work, row: InputRow, ruling: Ruling, found: Read) -> None:
    """Say what can be said, and show the question again; no try."""
    state.answer(work, row, "ANSWER_HELP")
    repeat(state, work, row, ruling, found)


def ask_which(state: ThreadState, work: Work, row: InputRow, ruling: Ruling, found: Read) -> None:
    """It fits two questions: ask which."""
    which(state, work, row, reading.numbered_here(state, row.new.principal))


def which(state: ThreadState, work: Work, row: InputRow, numbered: Mapping[int, Interrupt]) -> None:
    """Ask which of these questions is meant."""
    lines: list[Json] = [f"{number}. {q.message}" for number, q in numbered.items()]
    state.finish(work, row, Outcome.REFUSED, "INTERRUPT_ANSWER_INVALID")
    state.answer(work, row, "WHICH_QUESTION", questions=lines)


def move_on(state: ThreadState, work: Work, row: InputRow, ruling: Ruling, found: Read) -> None:
    """The question is released, the input runs next."""
    live = state.runs.get(ruling.run or "")
    enqueue(state, work, row, Priority.NOW)
    if live is not None and live.machine.state is State.ASKING:
        if row.new.override is Priority.NOW and state.mode_of(row) is Mode.ROLLBACK:
            save_run(state, live, work, rolled_back=not (live.row.resumed or live.row.named))
        advance(state, live, MovedOn(), work)
        state.answer(work, row, "MOVED_ON")
