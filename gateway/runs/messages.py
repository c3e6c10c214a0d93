"""The messages that a resumed run goes on from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gateway.core.messages import AssistantMessage, Message, ToolResult
from gateway.runs.budgets import BatchInHand


def resumed_messages(history: Sequence[Message], hand: BatchInHand | None) -> list[Message]:
    """The history to go on from: with a batch in hand it ends with that step's calls."""
    messages = list(history)
    if hand is None:
        return messages
    ids = {call.id for call in hand.calls}
    messages = [m for m in messages if not (isinstance(m, ToolResult) and m.call_id in ids)]
    said = AssistantMessage(calls=hand.calls, provider_parts=hand.provider_parts)
    kept: list[Message] = []
    for message in messages:
        if isinstance(message, AssistantMessage) and any(c.id in ids for c in message.calls):
            parts = message.provider_parts or hand.provider_parts
            text = message.text or said.text
            said = replace(message, calls=hand.calls, text=text, provider_parts=parts)
        else:
            kept.append(message)
    return [*kept, said]
