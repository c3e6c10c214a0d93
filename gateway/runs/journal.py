"""What is known of a run's calls when it is resumed: records, decided questions, results."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from gateway.core.errors import ValidationFailed
from gateway.core.interrupts import APPROVAL_ORDINAL, Interrupt, Status, Way, iso
from gateway.core.messages import (
    MOVED_ON_TEXT,
    Json,
    ToolResult,
    declined_text,
    expired_text,
    undeliverable_text,
)
from gateway.ports.agent import JournalRecord, RunStart

CHILD_KEY = "child:"
"""Begins the key of the note that keeps a child run."""
CHILD_ORDINAL = 1000
"""From here on count the questions of a call's child runs, which are asked through it."""


class Record(StrEnum):
    """The kinds of a call's journal record."""

    ASKED = "asked"
    STARTED = "started"
    RESULT = "result"
    NOTE = "note"


class CallJournal:
    """The past of a run's calls. A call's last record decides whether it may run (again).

    Raises:
        ValidationFailed: another version wrote a record that this one doesn't know.
    """

    def __init__(self, start: RunStart) -> None:
        self._last: dict[str, Record] = {}
        self._notes: dict[tuple[str, str], Json] = {}
        self._questions: dict[str, list[Interrupt]] = {}
        self._results: dict[str, ToolResult] = {}
        for record in start.journal:
            self._read(record)
        for message in start.history:
            if isinstance(message, ToolResult):
                self._results.setdefault(message.call_id, message)
        for question in start.questions:
            self._questions.setdefault(question.tool_call_id, []).append(question)

    def _read(self, record: JournalRecord) -> None:
        try:
            kind = Record(record.record)
        except ValueError as error:
            text = f"the journal of call {record.call_id} holds an unknown {record.record!r}"
            raise ValidationFailed(text) from error
        if kind is Record.NOTE:
            self._notes[record.call_id, record.key] = record.value
        else:
            self._last[record.call_id] = kind

    def last(self, call_id: str) -> Record | None:
        """The call's last record, None if it never got as far."""
        return self._last.get(call_id)

    def result(self, call_id: str) -> ToolResult | None:
        """The stored result of the call, None unless the journal has one."""
        if self.last(call_id) is not Record.RESULT:
            return None
        return self._results.get(call_id)

    def has_note(self, call_id: str, key: str) -> bool:
        """Whether a value was noted."""
        return (call_id, key) in self._notes

    def note(self, call_id: str, key: str) -> Json:
        """The noted value."""
        return self._notes[call_id, key]

    def noted(self, call_id: str, key: str, value: Json) -> None:
        """A value was noted in this very run of the task."""
        self._notes[call_id, key] = value

    def questions(self, call_id: str) -> Sequence[Interrupt]:
        """The call's questions, in the order asked; decided, save those a partial resume left."""
        return self._questions.get(call_id, ())

    def open_questions(self, call_id: str) -> tuple[Interrupt, ...]:
        """Those nobody has decided yet."""
        return tuple(q for q in self.questions(call_id) if q.decision is None)

    def question(self, call_id: str, ordinal: int) -> Interrupt | None:
        """The last question of that ordinal which the call asked itself."""
        own = [q for q in self.own_questions(call_id) if q.ordinal == ordinal]
        return own[-1] if own else None

    def own_questions(self, call_id: str) -> tuple[Interrupt, ...]:
        """The call's questions without those that its child runs asked through it."""
        return tuple(q for q in self.questions(call_id) if q.ordinal < CHILD_ORDINAL)

    def approval(self, call_id: str) -> Interrupt | None:
        """The last decision about whether the call may run."""
        return self.question(call_id, APPROVAL_ORDINAL)


def closing_text(question: Interrupt) -> str | None:
    """The call's result where its question was closed without an answer; None if it has one.

    A question that is to be asked anew is neither.
    """
    decision = question.decision
    if decision is None or decision.how is Way.ASKED_ANEW:
        return None
    if decision.status is Status.EXPIRED:
        return expired_text(question.message, iso(question.expires_at) or "")
    if decision.status is not Status.CANCELLED:
        return None
    if decision.how is Way.MOVED_ON:
        return MOVED_ON_TEXT
    if decision.how is Way.UNDELIVERABLE:
        return undeliverable_text(question.message)
    return declined_text(question.message)
