"""Questions as AG-UI interrupts, and the answers to them as ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from gateway.api.agui.requests import ResumeEntry
from gateway.core.interrupts import Interrupt, QuestionKind
from gateway.core.messages import Json
from gateway.resuming import Declined, Response

OURS: Final = "updatedArguments"
THEIRS: Final = "editedArgs"


def wire(question: Interrupt) -> dict[str, Any]:
    """A question as the protocol has it: never its digest; its time only once that runs."""
    made: dict[str, Any] = {
        **question.to_protocol(),
        "reason": _reason(question),
        "responseSchema": _schema(question),
        "metadata": {
            "bargein": {
                "kind": question.kind.value,
                "reason": question.reason,
                "toolName": question.tool_name,
                "details": dict(question.details),
            }
        },
    }
    if question.armed_at is None:
        del made["expiresAt"]
    return made


def _reason(question: Interrupt) -> str:
    if question.asks_leave:
        return "tool_call"
    return "input_required" if question.kind is QuestionKind.INPUT else "confirmation"


def _schema(question: Interrupt) -> dict[str, Json]:
    """The form of the answer, with the protocol's name for edited arguments."""
    schema = dict(question.schema)
    fields = schema.get("properties")
    if question.kind is QuestionKind.INPUT or not isinstance(fields, dict):
        return schema
    renamed: dict[str, Json] = {THEIRS if k == OURS else k: field for k, field in fields.items()}
    return {**schema, "properties": renamed}


def response(question: Interrupt, entry: ResumeEntry) -> Response:
    """An entry as an answer to the question."""
    if entry.status == "cancelled":
        return Declined()
    payload: Any = entry.payload
    if question.kind is QuestionKind.INPUT or not isinstance(payload, Mapping):
        return payload  # type: ignore[no-any-return]
    return {OURS if name == THEIRS else name: value for name, value in payload.items()}
