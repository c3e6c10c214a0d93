"""Questions as views draw them."""

from __future__ import annotations

from gateway.core.interrupts import Decision, Interrupt, iso
from gateway.core.messages import Json


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
