"""What a run in memory leaves behind: its log, journal, questions and checkpoint, as JSON too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from gateway.core import log
from gateway.core.cancellation import InterruptReason
from gateway.core.events import Asked, CallReturned, CallStarted, End, Ended, Noted, StepDone
from gateway.core.growing import Growing
from gateway.core.interrupts import Decision, Interrupt, QuestionKind, Status, Way
from gateway.core.log import Entry, Kind, Place
from gateway.core.messages import (
    ABORTED_BEFORE_DISPATCH,
    ABORTED_TEXT,
    DECLINED,
    MOVED_ON_TEXT,
    NOT_STARTED,
    NOT_STARTED_TEXT,
    Json,
    Message,
    ToolCall,
    ToolResult,
    UserMessage,
    declined_text,
)
from gateway.core.run_effects import SaveEnd
from gateway.ports.agent import Joined, JournalRecord
from gateway.runs.journal import Record

Saved: TypeAlias = CallStarted | CallReturned | StepDone | Asked | Noted | Ended


class RunRecord:
    """One run's log and journal. `history` is what came before the run, `text` its input."""

    def __init__(self, run: str, history: Sequence[Message] = (), text: str = "") -> None:
        self.run = run
        self.history = tuple(history)
        self.entries: list[Entry] = []
        self.journal: list[JournalRecord] = []
        self.questions: dict[str, Interrupt] = {}
        self.checkpoint: Json = None
        self._shown: tuple[int, Growing] = (0, Growing())
        self._step = 0
        if text:
            self._add(0, Place.INPUT, Kind.USER, log.user_body(UserMessage(text)))

    def messages(self) -> list[Message]:
        """What a model reads: every call has exactly one result."""
        return log.repair_unanswered_tool_calls([*self.history, *log.history(self.entries)])

    def joined(self, joined: Joined) -> None:
        """A message joined after the last step."""
        body = log.user_body(joined.message, queued=joined.queued)
        self._add(self._step + 1, Place.INPUT, Kind.USER, body)

    @property
    def own(self) -> tuple[str, ...]:
        """The run's own input, where no step was made yet."""
        fresh = self.checkpoint is None and not self.journal
        return tuple(e.body["text"] for e in self.entries if e.kind is Kind.USER) if fresh else ()

    def refused(self, codes: Mapping[int, str]) -> None:
        """Parts of the run's own input were refused: no model reads them."""
        for place, code in codes.items():
            body = log.refused_body([self.entries[place].seq], code)
            self._add(0, Place.NOTE, Kind.INTERRUPT, body)

    def said(self, step: int, more: str) -> Growing:
        """More of a step's text was shown; all of it."""
        if self._shown[0] != step:
            self._shown = (step, Growing())
        self._shown[1].add(more)
        return self._shown[1]

    def save(self, event: Saved) -> None:
        """Take in what happened."""
        match event:
            case CallStarted(step, call, _, batch, text, parts):
                self._step_entries(step, text, parts, batch)
                self.journal.append(JournalRecord(call.id, Record.STARTED))
            case CallReturned(step, result):
                self._add(step, Place.RESULT, Kind.TOOL_RESULT, log.result_body(result))
                self.journal.append(JournalRecord(result.call_id, Record.RESULT))
            case Noted(call_id, key, value):
                self.journal.append(JournalRecord(call_id, Record.NOTE, key, value))
            case StepDone(step, text, parts):
                self._step_entries(step, text, parts, ())
                self._step = step
            case Asked(step, questions, batch, text, parts):
                self._step_entries(step, text, parts, batch)
                self._asked(step, questions)
            case Ended(step=step, text=text, provider_parts=parts, end=End.COMPLETED):
                self._step_entries(step, text, parts, ())
        if not isinstance(event, Noted):
            self.checkpoint = event.checkpoint

    def save_shown(self, reason: InterruptReason | None) -> None:
        """Keep what was shown of a step that was cut; nothing shown, nothing kept."""
        step, text = self._shown[0], self._shown[1].text
        if text and not self._has(step, Kind.ASSISTANT):
            body = log.assistant_body(text, interrupted=None if reason is None else reason.value)
            self._add(step, Place.TEXT, Kind.ASSISTANT, body)

    def save_end(self, end: SaveEnd) -> None:
        """Calls that never started get their result."""
        known = {record.call_id for record in self.journal if record.record != Record.NOTE}
        for entry in [e for e in self.entries if e.kind is Kind.TOOL_CALL]:
            if entry.body["id"] in known:
                continue
            aborted = (ABORTED_TEXT, ABORTED_BEFORE_DISPATCH)
            cut = (NOT_STARTED_TEXT, NOT_STARTED) if end.paused else aborted
            result = ToolResult(entry.body["id"], entry.body["name"], *cut)
            self._add(entry.step, Place.RESULT, Kind.TOOL_RESULT, log.result_body(result))

    def close_questions(self, moved_on: bool, now: datetime) -> None:
        """Nobody answers any more: the calls that asked read why."""
        how = Way.MOVED_ON if moved_on else Way.DECLINED
        for question in [q for q in self.questions.values() if q.decision is None]:
            decision = Decision(status=Status.CANCELLED, how=how)
            self.questions[question.id] = question.decide(decision, now)
            content = MOVED_ON_TEXT if moved_on else declined_text(question.message)
            call_id, name = question.tool_call_id, question.tool_name
            result = ToolResult(call_id, name, content, DECLINED)
            self._add(self._step + 1, Place.RESULT, Kind.TOOL_RESULT, log.result_body(result))

    def to_json(self) -> dict[str, Json]:
        """Everything, to go on from elsewhere."""
        return {
            "run": self.run,
            "step": self._step,
            "checkpoint": self.checkpoint,
            "entries": [
                [e.seq, e.parent, e.step, int(e.place), e.kind.value, dict(e.body)]
                for e in self.entries
            ],
            "journal": [[r.call_id, r.record, r.key, r.value] for r in self.journal],
            "questions": [question.to_storage() for question in self.questions.values()],
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> RunRecord:
        """What `to_json` gave."""
        record = cls(stored["run"])
        record._step = stored["step"]
        record.checkpoint = stored["checkpoint"]
        record.entries = [
            Entry(seq, parent, 0, record.run, step, Place(place), Kind(kind), body)
            for seq, parent, step, place, kind, body in stored["entries"]
        ]
        record.journal = [JournalRecord(*line) for line in stored["journal"]]
        questions = [Interrupt.from_storage(row) for row in stored["questions"]]
        record.questions = {question.id: question for question in questions}
        return record

    def _asked(self, step: int, questions: Sequence[Interrupt]) -> None:
        for question in questions:
            self.questions[question.id] = question
            self.journal.append(JournalRecord(question.tool_call_id, Record.ASKED))

    def _step_entries(self, step: int, text: str, parts: Json, batch: Sequence[ToolCall]) -> None:
        if text and not self._has(step, Kind.ASSISTANT):
            body = log.assistant_body(text, provider_parts=parts)
            self._add(step, Place.TEXT, Kind.ASSISTANT, body)
        if batch and not self._has(step, Kind.TOOL_CALL):
            for call in batch:
                self._add(step, Place.CALL, Kind.TOOL_CALL, log.call_body(call))

    def _has(self, step: int, kind: Kind) -> bool:
        return any(e.step == step and e.kind is kind for e in self.entries)

    def _add(self, step: int, place: Place, kind: Kind, body: Mapping[str, Any]) -> None:
        seq = len(self.entries) + 1
        self.entries.append(Entry(seq, seq - 1, 0, self.run, step, place, kind, body))


def decision_of(question: Interrupt, value: Json, how: Way) -> Decision:
    """The decision that an answer means; only `approved: true` itself approves."""
    if question.kind is QuestionKind.INPUT or not isinstance(value, dict):
        return Decision(status=Status.ANSWERED, how=how, value=value)
    edited = value.get("updatedArguments")
    return Decision(
        status=Status.APPROVED if value.get("approved") is True else Status.DENIED,
        how=how,
        value=value,
        updated_arguments=edited if isinstance(edited, dict) else None,
        remember=value.get("remember") is True,
    )
