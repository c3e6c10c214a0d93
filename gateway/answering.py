"""What an input does to the question it reads against: decide, decline, ask again, move on."""

from __future__ import annotations

from dataclasses import replace

from gateway import asking, reading
from gateway.core.answers import ControlKind, control_word
from gateway.core.errors import AlreadyDecided, GatewayError, InterruptExpired
from gateway.core.events import MovedOn, State
from gateway.core.interrupts import Decision, How, Status
from gateway.core.queueing import Asked, Decided, Priority, Verdict
from gateway.hosting import advance
from gateway.live import Work
from gateway.ports.rows import InputRow, Outcome
from gateway.ports.store import SaveQuestion
from gateway.reading import Read
from gateway.state import ThreadState
from gateway.waiting import enqueue, stop, stop_runs

BY_COMMAND = Decided(Verdict.SKIP)
"""The verdict of a control that was given as a command or a button."""


def decide(state: ThreadState, work: Work, row: InputRow, decided: Decided, found: Read) -> None:
    """The input is an answer."""
    if found.question is not None:
        settle(state, work, row, found, asking.granted(found.question, found, row))


def settle(state: ThreadState, work: Work, row: InputRow, found: Read, decision: Decision) -> None:
    """Decide a question by an input, or refuse the input with the reason."""
    question = found.question
    assert question is not None
    live = state.runs[question.run]
    try:
        event = asking.decide(state, work, question, decision, row.answered_at)
    except (AlreadyDecided, InterruptExpired) as error:
        refused(state, work, row, error)
        return
    state.finish(work, row, Outcome.DECIDED, question.id, run=live.id)
    if decision.remember and not state.wiring.agent.destructive(question.tool_name):
        asking.remember(state, work, row.new.principal, question.tool_name)
    advance(state, live, event, work)
    asking.note_resumed(state, work, live)
    state.answer(
        work,
        row,
        "UNDERSTOOD",
        message=question.message,
        understood=decision.understood or str(decision.value),
        how=decision.how.value,
        status=decision.status.value,
    )


def refused(state: ThreadState, work: Work, row: InputRow, error: GatewayError) -> None:
    """End an input with an error's code."""
    state.finish(work, row, Outcome.REFUSED, error.code)
    state.answer(work, row, error.code)


def press(state: ThreadState, work: Work, row: InputRow) -> None:
    """Take a pressed button or a whole response for the question it is bound to."""
    question = state.questions.get(row.new.reply_to or "")
    if (
        question is None
        or question.run not in state.runs
        or row.new.principal not in question.asked
    ):
        code = "THREAD_ACCESS_DENIED" if question is not None else "INTERRUPT_EXPIRED"
        if question is not None and row.new.principal in question.asked:
            code = "INTERRUPT_ALREADY_DECIDED"
        state.finish(work, row, Outcome.REFUSED, code)
        state.answer(work, row, code)
        return
    found = Read(Asked.MINE, question=question, how=How(row.new.how))
    if row.new.text in ("skip", "cancel"):
        act = skip if row.new.text == "skip" else decline
        act(state, work, row, BY_COMMAND, found)
        return
    try:
        decision = asking.pressed(
            question, row.new.text, row.new.value, row.new.principal, found.how
        )
    except GatewayError as error:
        refused(state, work, row, error)
        return
    if question.decision is not None:
        _pressed_again(state, work, row, question.decision, decision)
        return
    asking.arm(state, work, question.id)
    found = replace(found, question=state.questions[question.id])
    settle(state, work, row, found, decision)


def _pressed_again(
    state: ThreadState, work: Work, row: InputRow, stored: Decision, again: Decision
) -> None:
    """A replay gets the stored decision; another one conflicts."""
    if stored.same_as(again):
        state.finish(work, row, Outcome.HANDLED, "REPLAYED")
    else:
        state.finish(work, row, Outcome.REFUSED, "INTERRUPT_ALREADY_DECIDED")
        state.answer(work, row, "INTERRUPT_ALREADY_DECIDED")


def skip(state: ThreadState, work: Work, row: InputRow, decided: Decided, found: Read) -> None:
    """The schema's default or null; else this question is declined."""
    question = found.question
    assert question is not None
    schema = question.schema
    if "default" in schema:
        decision = Decision(
            status=Status.ANSWERED,
            how=How.DEFAULT,
            value=schema["default"],
            by=row.new.principal,
        )
    elif asking.takes_null(schema):
        decision = Decision(status=Status.ANSWERED, how=How.DEFAULT, by=row.new.principal)
    else:
        decision = Decision(status=Status.CANCELLED, how=How.DECLINED, by=row.new.principal)
    settle(state, work, row, found, decision)


def decline(state: ThreadState, work: Work, row: InputRow, decided: Decided, found: Read) -> None:
    """Cancel or stop: every question of the pause is declined, the run ends."""
    question = found.question
    assert question is not None
    if question.approvers:
        denial = Decision(
            status=Status.DENIED, how=How.TEXT, value={"approved": False}, by=row.new.principal
        )
        settle(state, work, row, found, denial)
        return
    if control_word(row.new.text) is ControlKind.STOP:
        stop(state, work, row)
        return
    live = state.runs[question.run]
    stop_runs(state, work, [live], row.new.principal)
    state.finish(work, row, Outcome.HANDLED, "DECLINED", run=live.id)
    state.answer(work, row, "DECLINED", message=question.message)


def ask_again(state: ThreadState, work: Work, row: InputRow, decided: Decided, found: Read) -> None:
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


def repeat(state: ThreadState, work: Work, row: InputRow, decided: Decided, found: Read) -> None:
    """Show the question again; no try."""
    state.finish(work, row, Outcome.HANDLED, decided.verdict.value.upper())
    _show_again(state, work, row, found, "")


def explain(state: ThreadState, work: Work, row: InputRow, decided: Decided, found: Read) -> None:
    """Say what can be said, and show the question again; no try."""
    state.answer(work, row, "ANSWER_HELP")
    repeat(state, work, row, decided, found)


def ask_which(state: ThreadState, work: Work, row: InputRow, decided: Decided, found: Read) -> None:
    """It fits two questions: ask which."""
    mine = [q for q in state.open_questions() if row.new.principal in q.asked]
    items = [f"{number}. {q.message}" for number, q in enumerate(mine, 1)]
    state.finish(work, row, Outcome.REFUSED, "INTERRUPT_ANSWER_INVALID")
    state.answer(work, row, "WHICH_QUESTION", questions=list(items))


def move_on(state: ThreadState, work: Work, row: InputRow, decided: Decided, found: Read) -> None:
    """The question is released, the input runs next."""
    live = state.runs.get(decided.run or "")
    enqueue(state, work, row, Priority.NOW)
    if live is not None and live.machine.state is State.ASKING:
        advance(state, live, MovedOn(), work)
        state.answer(work, row, "MOVED_ON")
