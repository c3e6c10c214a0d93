"""Leave to run a call: the host is asked right before; an approval binds to its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from gateway.core.canonical import digest
from gateway.core.interrupts import (
    APPROVAL_ORDINAL,
    TOOL_CALL,
    Interrupt,
    QuestionKind,
    Status,
)
from gateway.core.messages import Json, ToolCall, ToolResult
from gateway.i18n import N_, translator
from gateway.ports.agent import CallFacts, Leave
from gateway.runs.dispatch import Paused, error_result
from gateway.runs.frame import Frame
from gateway.runs.schema import approval_schema
from gateway.runs.tools import Tool

DENIED = "TOOL_DENIED"
NOT_ALLOWED = "TOOL_NOT_ALLOWED"
APPROVAL_MISMATCH = "APPROVAL_MISMATCH"
MAY_IT_RUN = N_("May {tool} run?")
NEEDS_APPROVAL = N_("{tool} needs an approval each time it runs")


@dataclass(frozen=True, slots=True)
class Go:
    """The call may run with these arguments."""

    call: ToolCall
    arguments: Mapping[str, Any]


Answer: TypeAlias = Go | Paused | ToolResult | None


async def leave(frame: Frame, tool: Tool, call: ToolCall) -> Answer:
    """Whether the call may run now; None if the run was stopped while that was asked.

    Raises:
        ToolFailed: the arguments are not valid; the call must not run.
    """
    approval = frame.journal.approval(call.id)
    if approval is not None and approval.status is Status.DENIED:
        return error_result(call, DENIED, _denied(approval))
    approved = approval if approval is not None and approval.status is Status.APPROVED else None
    if approved is not None:
        edited = approved.decision.updated_arguments if approved.decision is not None else None
        if edited is not None:
            call = replace(call, arguments=dict(edited))
        if digest(call.arguments) != approved.arguments_digest:
            text = f"{call.name} was approved with other arguments; it was not run"
            return error_result(call, APPROVAL_MISMATCH, text)
    parsed = tool.parse(call.arguments)
    facts = CallFacts(call, tool.needs_approval(parsed), tool.destructive, approved)
    answer = await frame.host.may_run(facts)
    if frame.signal.cancelled:
        return None
    match answer:
        case Leave.RUN:
            return Go(call, parsed)
        case Leave.ASK:
            return Paused((_question(frame, tool, call),))
        case _:
            return error_result(call, NOT_ALLOWED, f"{call.name} may not run here; it was not run")


def _question(frame: Frame, tool: Tool, call: ToolCall) -> Interrupt:
    texts = translator(frame.start.language)
    details: dict[str, Json] = {
        "reason": texts.gettext(NEEDS_APPROVAL, tool=tool.name),
        "rule": None,
        "suggestedRule": None if tool.destructive else tool.name,
        "arguments": dict(call.arguments),
    }
    return Interrupt(
        id=frame.runtime.ids.uuid(),
        run=frame.start.run,
        kind=QuestionKind.APPROVAL,
        ordinal=APPROVAL_ORDINAL,
        message=texts.gettext(MAY_IT_RUN, tool=tool.name),
        schema=approval_schema(tool.spec.parameters),
        tool_call_id=call.id,
        tool_name=call.name,
        arguments_digest=digest(call.arguments),
        principals=frame.start.principals,
        created_at=frame.runtime.clock.now(),
        reason=TOOL_CALL,
        details=details,
    )


def _denied(approval: Interrupt) -> str:
    value = approval.decision.value if approval.decision is not None else None
    reason = value.get("reason") if isinstance(value, dict) else None
    return f"Denied: {reason}" if reason else "Denied by the person who was asked"
