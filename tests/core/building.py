"""Values that the core's tests are about; defaults for everything a test doesn't name."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from gateway.core import events
from gateway.core.cancellation import InterruptBehavior, InterruptReason
from gateway.core.interrupts import Interrupt, QuestionKind
from gateway.core.log import Entry, Kind, Place
from gateway.core.messages import Json, ToolCall, ToolResult

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
DIGEST = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"  # of {}


def a_question(
    question_id: str = "q1",
    *,
    schema: Mapping[str, Json] | None = None,
    **fields: Any,
) -> Interrupt:
    return Interrupt(
        id=question_id,
        **{
            "run": "r1",
            "kind": QuestionKind.INPUT,
            "ordinal": 0,
            "message": "Which region?",
            "schema": schema or {"type": "string", "enum": ["eu", "us"]},
            "tool_call_id": "c1",
            "tool_name": "deploy",
            "arguments_digest": DIGEST,
            "principals": ("ann",),
            "created_at": NOON,
            **fields,
        },
    )


def a_call(call_id: str = "c1", name: str = "search") -> ToolCall:
    return ToolCall(call_id, name, {})


def a_result(call_id: str = "c1", content: str = "found") -> ToolResult:
    return ToolResult(call_id, "search", content)


def started(
    call_id: str = "c1",
    *,
    step: int = 1,
    text: str = "",
    behavior: InterruptBehavior = InterruptBehavior.NON_INTERRUPTIBLE,
) -> events.CallStarted:
    call = a_call(call_id)
    return events.CallStarted(step, call, behavior, (call,), text, None, {})


def returned(call_id: str = "c1", *, step: int = 1) -> events.CallReturned:
    return events.CallReturned(step, a_result(call_id), {})


def step_done(step: int = 1, text: str = "") -> events.StepDone:
    return events.StepDone(step, text, None, {})


def asked(*question_ids: str, step: int = 1, text: str = "") -> events.Asked:
    questions = tuple(a_question(question_id) for question_id in question_ids)
    return events.Asked(step, questions, (a_call(),), text, None, {})


def ended(
    end: events.End = events.End.COMPLETED, *, step: int = 1, text: str = "", **fields: Any
) -> events.Ended:
    return events.Ended(end, step, text, **fields)


def stop(
    reason: InterruptReason = InterruptReason.USER_SIGINT, grace_ms: int = 500
) -> events.StopRequested:
    return events.StopRequested(reason, grace_ms, "ann")


class Log:
    """Entries of one thread, appended in order; `leaf` is the last."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.leaf = 0

    def add(
        self,
        run: str,
        step: int,
        place: Place,
        kind: Kind,
        body: Mapping[str, Any],
        *,
        parent: int | None = None,
        branch: int = 0,
    ) -> Entry:
        at = self.leaf if parent is None else parent
        entry = Entry(len(self.entries) + 1, at, branch, run, step, place, kind, body)
        self.entries.append(entry)
        self.leaf = entry.seq
        return entry

    def user(self, run: str, text: str, *, step: int = 0, **more: Any) -> Entry:
        return self.add(run, step, Place.INPUT, Kind.USER, {"text": text, **more})

    def said(self, run: str, text: str, *, step: int = 1, **metadata: Any) -> Entry:
        body: dict[str, Any] = {"text": text}
        if metadata:
            body["metadata"] = metadata
        return self.add(run, step, Place.TEXT, Kind.ASSISTANT, body)

    def call(self, run: str, call_id: str, *, step: int = 1) -> Entry:
        body = {"id": call_id, "name": "search", "arguments": {}}
        return self.add(run, step, Place.CALL, Kind.TOOL_CALL, body)

    def result(self, run: str, call_id: str, content: str = "found", *, step: int = 1) -> Entry:
        body = {"callId": call_id, "name": "search", "content": content, "error": None}
        return self.add(run, step, Place.RESULT, Kind.TOOL_RESULT, body)
