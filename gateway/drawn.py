"""Inputs and questions as views draw them."""

from __future__ import annotations

from gateway.core.interrupts import Decision, Interrupt, iso
from gateway.core.log import attachment_body
from gateway.core.messages import Json
from gateway.ports.rows import InputRow


def armed_data(question: Interrupt) -> dict[str, Json]:
    """How long a question's time is, and when it is over."""
    return {
        "id": question.id,
        "run": question.run,
        "armedAt": iso(question.armed_at),
        "expiresAt": iso(question.expires_at),
        "seconds": question.expires_in_seconds,
    }


def decision_data(question: Interrupt, decision: Decision) -> dict[str, Json]:
    """A decided question as a view draws it."""
    return {
        **question.to_h(),
        "by": decision.by,
        "how": decision.how.value,
        "understood": decision.understood,
        "value": decision.value,
    }


def input_data(row: InputRow) -> dict[str, Json]:
    """An input as a view draws it."""
    new = row.new
    return {
        "seq": row.seq,
        "state": row.state.value,
        "outcome": None if row.outcome is None else row.outcome.value,
        "detail": row.detail,
        "run": row.run,
        "text": new.text,
        "kind": new.kind.value,
        "priority": row.priority.name,
        "principal": new.principal,
        "sender": new.sender,
        "id": new.dedup,
        "addressed": new.run,
        "attachments": [attachment_body(one) for one in new.attachments],
    }
