"""What a pause leaves to be answered, as it stands in the checkpoint."""

from __future__ import annotations

import json
from typing import Any

from gateway.agents.agui import events as ev
from gateway.agents.agui import outgoing
from gateway.agents.agui.questions import LEGACY
from gateway.core.messages import Json, ToolCall
from gateway.ports.agent import RunStart
from gateway.supervise import Caught, guarded


def as_read(answer: Json) -> Json:
    """The answer as such a server reads it: a text that is JSON too would be taken for that."""
    if not isinstance(answer, str) or isinstance(guarded(json.loads, answer), Caught):
        return answer
    return json.dumps(answer)


def asked_item(question: str, interrupt: str, step: int, call: ToolCall) -> Json:
    """A question for the checkpoint: what the server calls it, and the call that it is about."""
    return {
        "question": question,
        "interrupt": interrupt,
        "step": step,
        "call": call.id,
        "tool": call.name,
        "arguments": dict(call.arguments),
    }


def left_by(start: RunStart) -> dict[str, Any]:
    """What the last task of the run left to be answered; nothing where its answers were sent."""
    stored = start.checkpoint
    kept = stored.get(outgoing.KEY) if isinstance(stored, dict) else None
    return kept if isinstance(kept, dict) and not kept.get("sent") else {}


def legacy_question(value: Json) -> ev.Interrupt:
    """A question that came as CUSTOM `on_interrupt`: a text, or an object with one, as JSON too."""
    read = guarded(json.loads, value) if isinstance(value, str) else value
    found = read if isinstance(read, dict) else {}
    said = found.get("message") or found.get("question") or value
    message = said if isinstance(said, str) else None
    schema = found.get("responseSchema") or found.get("response_schema")
    return ev.Interrupt(
        id=LEGACY,
        reason="input_required",
        message=message,
        response_schema=schema if isinstance(schema, dict) else None,
    )
