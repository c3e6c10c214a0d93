"""Google's Gemini API over loopback: its chunks, by the script of `provider`."""

from __future__ import annotations

import json
from typing import Any

from aiohttp import web

from tests.fakes.provider import Answer, FakeProvider, Raw, Step, Wait


def chunk(*parts: dict[str, Any], finish: str | None = None, used: tuple[int, int] = (7, 5)) -> Raw:
    """One chunk of the stream, with what was used so far; `finish` ends the reply."""
    candidate: dict[str, Any] = {"index": 0, "content": {"role": "model", "parts": list(parts)}}
    if finish is not None:
        candidate["finishReason"] = finish
    return body(candidates=[candidate], used=used)


def body(used: tuple[int, int] = (7, 5), **content: Any) -> Raw:
    """A chunk of that content."""
    tokens = {
        "promptTokenCount": used[0],
        "candidatesTokenCount": used[1],
        "totalTokenCount": sum(used),
    }
    known = {"usageMetadata": tokens, "modelVersion": "gemini-2.5-flash", "responseId": "r1"}
    return Raw(f"data: {json.dumps(content | known)}")


def thought(said: str) -> dict[str, Any]:
    """Reasoning, as the provider tells it."""
    return {"text": said, "thought": True}


def called(name: str, arguments: dict[str, Any], signature: str | None = None) -> dict[str, Any]:
    """A tool call, whole; it has no id of its own here."""
    signed = {} if signature is None else {"thoughtSignature": signature}
    return {"functionCall": {"name": name, "args": arguments}, **signed}


def says(*pieces: str, pause_seconds: float = 0.0) -> Answer:
    """A reply of text, piece by piece."""
    steps: list[Step] = []
    for piece in pieces:
        steps += [Wait(pause_seconds), chunk({"text": piece})]
    return Answer((*steps, chunk(finish="STOP")))


def fails(
    status: int, named: str, message: str = "it did not work", retry_delay: str | None = None
) -> Answer:
    """An error before any stream."""
    details: list[dict[str, str]] = []
    if retry_delay is not None:
        retry = "type.googleapis.com/google.rpc.RetryInfo"
        details.append({"@type": retry, "retryDelay": retry_delay})
    error = {"code": status, "message": message, "status": named, "details": details}
    return Answer(status=status, error=error)


class FakeGoogle(FakeProvider):
    """The server, while it is entered."""

    path = "/v1beta/models/{model}:streamGenerateContent"
    root = ""

    def key(self, request: web.Request) -> str:
        return request.headers.get("x-goog-api-key", "")
