"""How an input reads against a question that is decided already, or whose time is over."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gateway.core.answers import Control, ControlKind, Outcome, Value, control_word
from gateway.core.interrupts import Interrupt, QuestionKind
from gateway.core.messages import Json
from gateway.core.queueing import Reading
from gateway.ports.rows import InputRow
from gateway.reading import YES_NO, outcome_of, text_schema
from gateway.state import ThreadState

_PAUSES = re.compile(r"[,.!;–—\n]+")


def too_late(state: ThreadState, row: InputRow) -> bool:
    """Whether an answer was being spoken while its question was decided: it is no correction."""
    asked = state.questions.get(row.new.reply_to or "")
    if asked is None or asked.decided_at is None or row.new.how != "voice":
        return False
    return row.answered_at <= asked.decided_at and _fits(asked, row)


def after_decision(state: ThreadState, row: InputRow) -> Reading | None:
    """How an input reads against the sender's decision of a moment ago (RACES 26)."""
    recent = state.recent
    if recent is None or recent.principal != row.new.principal or row.answered_at >= recent.until:
        return None
    live = state.runs.get(recent.question.run)
    if live is None or live.machine.open:
        return None
    if _takes_back(row):
        return Reading.DECLINE
    if control_word(row.new.text) is not None:
        return None
    if recent.question.kind is not QuestionKind.INPUT or live.side is not None:
        return None
    other = _outcome(row, recent.question.schema, row.new.text)
    decision = recent.question.decision
    if isinstance(other, Value) and decision is not None and other.value != decision.value:
        return Reading.VALUE
    return None


def recent_beside(state: ThreadState) -> str:
    """The run of the last decision, where that is beside the active branch; else ""."""
    live = state.runs.get(state.recent.question.run) if state.recent is not None else None
    return live.id if live is not None and live.side is not None else ""


def _takes_back(row: InputRow) -> bool:
    """Whether a text says no, or stop, and nothing else: "no", "стой", "нет, стой". A recogniser
    may leave the marks out.
    """
    parts = [part.strip() for part in _PAUSES.split(row.new.text) if part.strip()]
    if row.new.how == "voice" and not all(_denies(row, part) for part in parts):
        parts = row.new.text.split()
    return bool(parts) and all(_denies(row, part) for part in parts)


def _denies(row: InputRow, text: str) -> bool:
    read = _outcome(row, YES_NO, text)
    if isinstance(read, Control):
        return read.kind in (ControlKind.CANCEL, ControlKind.STOP)
    return isinstance(read, Value) and read.value is False


def missed(state: ThreadState, row: InputRow) -> Interrupt | None:
    """The expired question that an input is a bare answer to: the person's last one, and they said
    nothing since.
    """
    question = state.last_asked.pop(row.new.principal, None)
    if question is None:
        return None
    return question if _fits(question, row) else None


def _fits(question: Interrupt, row: InputRow) -> bool:
    return isinstance(_outcome(row, text_schema(question), row.new.text), Value)


def _outcome(row: InputRow, schema: Mapping[str, Json], text: str) -> Outcome:
    return outcome_of(row.new, schema, text, row.answered_at)
