"""The agent's interrupts as our questions, and our decisions as what resumes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from gateway.agents.agui.errors import NOT_ALLOWED, broken
from gateway.agents.agui.events import Interrupt
from gateway.agents.agui.outgoing import OWN_CALL
from gateway.core import interrupts as core
from gateway.core.canonical import digest
from gateway.core.interrupts import QuestionKind, Status
from gateway.core.messages import Json, ToolCall, ToolResult, declined_text
from gateway.i18n import N_, translator
from gateway.ports.agent import RunStart
from gateway.runs.schema import DECISION, answer_form
from gateway.supervise import Caught, guarded

CONFIRMATION: Final = "confirmation"
MAY_IT_GO_ON: Final = N_("May it go on?")
ANSWER: Final = N_("The agent asks for something more.")
NOT_COUNTED: Final = "The answer does not count: whoever gave it may not decide this any more"
LEGACY: Final = "legacy"
"""The id of a question that came as CUSTOM `on_interrupt`, which has none."""


def ask(
    interrupt: Interrupt,
    call: ToolCall,
    start: RunStart,
    *,
    id_: str,
    ordinal: int,
    now: datetime,
) -> core.Interrupt:
    """The question that an interrupt asks about a call, of the run's own persons.

    Raises:
        AgentFailed: its form is none that an answer can be read by, or its time has no form.
    """
    leave = _asks_leave(interrupt)
    kind = QuestionKind.APPROVAL if leave else QuestionKind.INPUT
    schema = _approval(interrupt) if leave else interrupt.response_schema or {"type": "string"}
    form = guarded(answer_form, schema, kind)
    if isinstance(form, Caught):
        raise broken(f"responseSchema: {form.error}")
    said = interrupt.message or translator(start.language).gettext(
        MAY_IT_GO_ON if leave else ANSWER
    )
    arguments: dict[str, Json] = {"arguments": dict(call.arguments)} if call.arguments else {}
    return core.Interrupt(
        id=id_,
        run=start.run,
        kind=kind,
        ordinal=ordinal,
        message=said,
        schema=schema,
        tool_call_id=call.id,
        tool_name=call.name,
        arguments_digest=digest(call.arguments),
        principals=start.principals,
        created_at=now,
        reason=_reason(interrupt, call, leave=leave),
        details=arguments if leave else {},
        expires_in_seconds=_seconds(interrupt.expires_at, now),
    )


def _reason(interrupt: Interrupt, call: ToolCall, *, leave: bool) -> str:
    """Why it asks. Of `tool_call` a voice says the call; of all else, the message."""
    if leave and interrupt.tool_call_id is not None:
        return core.TOOL_CALL
    own = call.id.startswith(OWN_CALL)
    return CONFIRMATION if own and interrupt.reason == core.TOOL_CALL else interrupt.reason


def _asks_leave(interrupt: Interrupt) -> bool:
    """Whether the answer is a decision: `approved` with what belongs to it."""
    schema = interrupt.response_schema
    if schema is None:
        return interrupt.reason in (core.TOOL_CALL, CONFIRMATION)
    fields = schema.get("properties")
    approved = fields.get("approved") if isinstance(fields, dict) else None
    return isinstance(approved, dict) and approved.get("type") == "boolean"


def _approval(interrupt: Interrupt) -> dict[str, Json]:
    """The form of a decision, with our name for edited arguments where they may be edited."""
    schema: dict[str, Json] = dict(interrupt.response_schema or DECISION)
    fields = schema.get("properties")
    if isinstance(fields, dict) and "editedArgs" in fields:
        named = {"updatedArguments" if k == "editedArgs" else k: v for k, v in fields.items()}
        return {**schema, "properties": named}
    return schema


def _seconds(expires_at: str | None, now: datetime) -> float:
    if expires_at is None:
        return core.DEFAULT_EXPIRY_SECONDS
    try:
        at = datetime.fromisoformat(expires_at)
    except ValueError:
        raise broken("expiresAt is no ISO 8601") from None
    if at.utcoffset() is None:
        raise broken("expiresAt has no time zone")
    return max((at - now).total_seconds(), 0.0)


# -- the way back ----------------------------------------------------------------------------------


def resume(asked: Sequence[Mapping[str, Any]], start: RunStart, refused: set[str]) -> list[Any]:
    """An entry for every question of the pause; those of whom may not any more are denied."""
    decided = {question.id: question for question in start.questions}
    return [
        _entry(item["interrupt"], decided.get(item["question"]), item["question"] in refused)
        for item in asked
    ]


def _entry(interrupt: str, question: core.Interrupt | None, refused: bool) -> dict[str, Any]:
    payload = None if question is None else answer(question, refused=refused)
    if payload is None:
        return {"interruptId": interrupt, "status": "cancelled"}
    return {"interruptId": interrupt, "status": "resolved", "payload": payload[0]}


def answer(question: core.Interrupt, *, refused: bool) -> tuple[Json] | None:
    """What was answered, None where nothing was."""
    decision = question.decision
    if refused and question.kind is not QuestionKind.INPUT:
        return ({"approved": False},)
    if decision is None or refused:
        return None
    if question.status is Status.ANSWERED:
        return (decision.value,)
    if question.status is Status.APPROVED:
        edited = decision.updated_arguments
        return ({"approved": True} | ({} if edited is None else {"editedArgs": dict(edited)}),)
    if question.status is Status.DENIED:
        value = decision.value if isinstance(decision.value, dict) else {}
        reason = {"reason": value["reason"]} if value.get("reason") else {}
        return ({"approved": False, **reason},)
    return None


def result(call: ToolCall, question: core.Interrupt, *, refused: bool) -> ToolResult:
    """What the log says of a question that belongs to no call of the agent's, once it goes on: the
    answer that the server got.
    """
    if refused:
        return ToolResult(call.id, call.name, NOT_COUNTED, NOT_ALLOWED)
    given = answer(question, refused=False)
    text = declined_text(question.message) if given is None else str(given[0])
    return ToolResult(call.id, call.name, text)
