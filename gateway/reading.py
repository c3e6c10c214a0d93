"""How an input reads against the questions that are open to its sender."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from gateway.core.answers import (
    Control,
    ControlKind,
    How,
    Outcome,
    Problem,
    Value,
    control_word,
    is_hold_word,
    is_member,
    now_text,
    opens_with_correction,
    parse_answer,
    render_problem,
)
from gateway.core.interrupts import Interrupt, QuestionKind, Way
from gateway.core.messages import Json
from gateway.core.queueing import AskedOf, Reading
from gateway.ports.rows import InputRow, NewInput
from gateway.state import ThreadState

YES_NO: Mapping[str, Json] = {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Read:
    """How an input reads against the questions open to its sender. `echo`: what was understood is
    to be said, because it was spoken or repaired.
    """

    asked: AskedOf
    reading: Reading = Reading.SENTENCE
    question: Interrupt | None = None
    value: Json = None
    understood: str = ""
    how: Way = Way.TEXT
    problem: Problem | None = None
    echo: bool = False


def text_schema(question: Interrupt) -> Mapping[str, Json]:
    """The schema that a typed or spoken answer is read by: approvals and plans take a yes or no."""
    return question.schema if question.kind is QuestionKind.INPUT else YES_NO


def languages(language: str) -> tuple[str, ...]:
    """The person's language first, then the other."""
    return (language, "en" if language == "ru" else "ru")


def asked_here(state: ThreadState, question: Interrupt, principal: str) -> bool:
    """Whether a person is asked this question on this very thread. An approver is asked in their
    own chat: that may be another thread, and then only a reply to it is an answer here.
    """
    if not question.approvers:
        return principal in question.asked
    return any(
        prompt.principal == principal and prompt.chat == state.thread.id
        for prompt in state.prompts_of(question.id)
    )


def open_here(state: ThreadState, principal: str) -> list[Interrupt]:
    """The questions that are open to a person on this thread, in the order asked."""
    return [q for q in state.open_questions() if asked_here(state, q, principal)]


def _open_to(state: ThreadState, row: InputRow) -> list[Interrupt]:
    """The questions that an input may be for: those open here, and one that it replies to. What
    replies to a question that was decided, or so long ago that it isn't known here any more, is
    for no other.
    """
    who, replied = row.new.principal, row.new.reply_to
    if replied is not None:
        asked = state.questions.get(replied)
        if asked is None or asked.decision is not None:
            return []
    return [
        q
        for q in state.open_questions()
        if asked_here(state, q, who) or (q.id == replied and who in q.asked)
    ]


def read(state: ThreadState, row: InputRow, *, waited: bool = False) -> Read:
    """Against which question an input reads, and as what."""
    principal = row.new.principal
    runs = [run for run in state.runs.values() if run.machine.open]
    pending = _open_to(state, row)
    if not pending:
        others = any(principal in run.row.principals for run in runs)
        return Read(AskedOf.OTHERS if others else AskedOf.NONE)
    picked, text = _picked(state, pending, row)
    armed = [q for q in picked if q.armed_at is not None or row.new.reply_to == q.id]
    if not armed:
        return Read(AskedOf.UNSEEN if waited else AskedOf.UNARMED)
    seen = [q for q in armed if could_have_seen(state, q, row)]
    if not seen:
        return Read(AskedOf.UNSEEN)
    return _read_all(row, seen, text)


def _picked(
    state: ThreadState, pending: Sequence[Interrupt], row: InputRow
) -> tuple[Sequence[Interrupt], str]:
    """The questions that an input may be for, and what it says to them. A reply names its question;
    so does `2: yes`, where several are open.
    """
    replied = [q for q in pending if q.id == row.new.reply_to]
    number, rest = number_of(state, row)
    named = numbered(state).get(number)
    if replied or named is None or named not in pending:
        return replied or pending, row.new.text
    return (named,), rest


def number_of(state: ThreadState, row: InputRow) -> tuple[int, str]:
    """The number of a question that a text begins with, and what it says to it; 0 without one. Of
    one question alone nobody speaks by number.
    """
    numbered(state)
    found = _NUMBER.match(row.new.text)
    if found is None or row.new.reply_to is not None or len(state.numbers) < 2:
        return 0, row.new.text
    number = int(found[1])
    return (number, found[2]) if number in state.numbers.values() else (0, row.new.text)


_NUMBER = re.compile(r"\s*(\d{1,3}):\s+(.+)", re.DOTALL)


def numbered(state: ThreadState) -> Mapping[int, Interrupt]:
    """The open questions by the numbers that people use for them. A number stays its question's for
    as long as any is open, so that "2: yes" never means another one because the first was decided.
    """
    open_now = state.open_questions()
    if not open_now:
        state.numbers.clear()
    paused = [n for run in state.runs.values() for n in run.pause if n in state.questions]
    asked = sorted({*paused, *(q.id for q in open_now)}, key=state.asked_at)
    for name in asked:
        state.numbers.setdefault(name, max(state.numbers.values(), default=0) + 1)
    return {state.numbers[q.id]: q for q in open_now}


def numbered_here(state: ThreadState, principal: str) -> Mapping[int, Interrupt]:
    """The questions that are open to a person on this thread, by their numbers."""
    return {n: q for n, q in numbered(state).items() if asked_here(state, q, principal)}


def could_have_seen(state: ThreadState, question: Interrupt, row: InputRow) -> bool:
    """Whether the sender could have seen the question when they wrote (RACES 16): it was shown on
    the channel they wrote on, at or before the last thing they had seen there.
    """
    if row.new.reply_to == question.id:
        return True
    shown = [
        prompt.seq
        for prompt in state.prompts_of(question.id)
        if prompt.state == "armed"
        and (prompt.channel, prompt.principal) == (row.new.channel, row.new.principal)
    ]
    return any(row.new.seen is None or row.new.seen >= seq for seq in shown)


def _read_all(row: InputRow, questions: Sequence[Interrupt], text: str) -> Read:
    reads = [read_one(row, question, text) for question in questions]
    values = [one for one in reads if one.reading is Reading.VALUE]
    if len(values) > 1 or (not values and _needs_one(reads[0].reading, questions, text)):
        return replace(reads[0], reading=Reading.FITS_TWO)
    return values[0] if values else reads[0]


def _needs_one(reading: Reading, questions: Sequence[Interrupt], text: str) -> bool:
    """Whether a control must say which question it is for. A stop is for all of them."""
    if reading is Reading.SKIP:
        return len(questions) > 1
    stops = control_word(text) is ControlKind.STOP
    return reading is Reading.DECLINE and not stops and len(to_decline(questions)) > 1


def to_decline(questions: Iterable[Interrupt]) -> set[str]:
    """What a cancel may be for: a whole pause, or one question where an approver is asked."""
    return {question.id if question.approvers else question.run for question in questions}


def outcome_of(new: NewInput, schema: Mapping[str, Json], text: str, at: datetime) -> Outcome:
    """What a text that its sender wrote or said at this moment comes to as an answer."""
    return parse_answer(
        text,
        schema,
        languages=languages(new.language),
        channel="speech" if new.how == "voice" else "text",
        now=at,
    )


def read_one(row: InputRow, question: Interrupt, text: str) -> Read:
    """How a text reads against one question that is open to its sender."""
    schema = text_schema(question)
    found = Read(AskedOf.MINE, question=question)
    if not is_member(text, schema):
        if now_text(text) is not None:
            return replace(found, reading=Reading.NOW_TEXT)
        if is_hold_word(text):
            return replace(found, reading=Reading.HOLD_WORD)
    outcome = outcome_of(row.new, schema, text, row.answered_at)
    if isinstance(outcome, Value):
        how = Way.VOICE if row.new.how == "voice" else Way.TEXT
        value: Any = outcome.value
        return replace(
            found,
            reading=Reading.VALUE,
            value=value,
            understood=outcome.read_back,
            how=how,
            echo=how is Way.VOICE or outcome.how is not How.EXACT,
        )
    if isinstance(outcome, Control):
        return replace(found, reading=_CONTROLS[outcome.kind])
    if opens_with_correction(text):
        return replace(found, reading=Reading.NOW_TEXT)
    reading = Reading.UNCLEAR if outcome.attempt else Reading.SENTENCE
    return replace(found, reading=reading, problem=outcome)


_CONTROLS = {
    ControlKind.CANCEL: Reading.DECLINE,
    ControlKind.STOP: Reading.DECLINE,
    ControlKind.SKIP: Reading.SKIP,
    ControlKind.REPEAT: Reading.REPEAT,
    ControlKind.HELP: Reading.HELP,
}


def ask_again_text(found: Read, language: str) -> str:
    """What is wrong with an answer, in the person's language."""
    if found.problem is None or found.question is None:
        return ""
    return render_problem(found.problem, text_schema(found.question), language)
