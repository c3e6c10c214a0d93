"""Anthropic's Messages API over loopback: its events, in its order, by the script of `provider`."""

from __future__ import annotations

import json
from typing import Any

from aiohttp import web

from tests.fakes.provider import Answer, FakeProvider, Raw, Step, Wait

Block = list[Step]
"""One content block: its start, its deltas, its stop."""


def event(kind: str, **data: Any) -> Raw:
    """One event as it stands on the wire."""
    return Raw(f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}")


def block(index: int, content: dict[str, Any], *deltas: dict[str, Any] | Wait) -> Block:
    """A content block; a wait may stand between its deltas."""
    steps: Block = [event("content_block_start", index=index, content_block=content)]
    for delta in deltas:
        if isinstance(delta, Wait):
            steps.append(delta)
        else:
            steps.append(event("content_block_delta", index=index, delta=delta))
    return [*steps, event("content_block_stop", index=index)]


def text(index: int, *pieces: str, pause_seconds: float = 0.0) -> Block:
    """A block of text, in pieces."""
    deltas: list[dict[str, Any] | Wait] = []
    for piece in pieces:
        deltas += [Wait(pause_seconds), {"type": "text_delta", "text": piece}]
    return block(index, {"type": "text", "text": ""}, *deltas)


def thinking(index: int, thought: str, signature: str) -> Block:
    """A block of reasoning, signed."""
    return block(
        index,
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "thinking_delta", "thinking": thought},
        {"type": "signature_delta", "signature": signature},
    )


def redacted(index: int, data: str) -> Block:
    """Reasoning that only the provider can read."""
    return block(index, {"type": "redacted_thinking", "data": data})


def tool_use(index: int, call_id: str, name: str, *pieces: str) -> Block:
    """A tool call, its arguments in pieces."""
    deltas = ({"type": "input_json_delta", "partial_json": piece} for piece in pieces)
    return block(index, {"type": "tool_use", "id": call_id, "name": name, "input": {}}, *deltas)


def begins(input_tokens: int = 7) -> Block:
    """The beginning of a message."""
    message: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5-5",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": input_tokens, "output_tokens": 1},
    }
    return [event("message_start", message=message), event("ping")]


def ends(reason: str = "end_turn", output_tokens: int = 5) -> Block:
    """The end of a message."""
    delta = {"stop_reason": reason, "stop_sequence": None}
    used = {"output_tokens": output_tokens}
    return [event("message_delta", delta=delta, usage=used), event("message_stop")]


def message(*blocks: Block, stop: str = "end_turn") -> Answer:
    """A whole reply."""
    return Answer((*begins(), *(step for one in blocks for step in one), *ends(stop)))


def says(*pieces: str, pause_seconds: float = 0.0) -> Answer:
    """A reply of text, piece by piece."""
    return message(text(0, *pieces, pause_seconds=pause_seconds))


def fails(status: int, kind: str, message: str = "it did not work", **headers: str) -> Answer:
    """An error before any stream; header names are written with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status=status, error={"type": kind, "message": message}, headers=named)


class FakeAnthropic(FakeProvider):
    """The server, while it is entered."""

    path = "/v1/messages"
    root = ""

    def key(self, request: web.Request) -> str:
        return request.headers.get("x-api-key") or super().key(request)

    def error(self, answer: Answer) -> dict[str, Any]:
        return {"type": "error", "error": dict(answer.error or {})}
