"""A loopback server that speaks OpenAI's chat completions, streaming, faults and all.

It answers from a script, one `Answer` a request, and keeps what it was asked and whether its own
socket saw the client leave.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self, TypeAlias

from aiohttp import web


@dataclass(frozen=True)
class Delta:
    """A chunk of the reply: the `delta` of its one choice, and why the reply ends here."""

    delta: Mapping[str, Any]
    finish: str | None = None


@dataclass(frozen=True)
class Used:
    """The chunk without choices that says what was used."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True)
class Raw:
    """A line as it is."""

    line: str


@dataclass(frozen=True)
class Wait:
    """Nothing for so many seconds."""

    seconds: float


@dataclass(frozen=True)
class Drop:
    """The connection is cut."""


Step: TypeAlias = "Delta | Used | Raw | Wait | Drop"
DONE = Raw("data: [DONE]")
STALL = Wait(100_000.0)


@dataclass(frozen=True)
class Answer:
    """What one request gets: a stream of `steps`, or with an `error` no stream."""

    steps: tuple[Step, ...] = ()
    status: int = 200
    error: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Exchange:
    """One request, and how it went on: `waits` at the first pause, `left` when the client went.

    Times are the loop's seconds.
    """

    path: str
    body: dict[str, Any]
    key: str
    at: float
    sent: int = 0
    waits: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    left_at: float | None = None

    def messages(self) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = self.body["messages"]
        return messages


def says(*chunks: str, pause_seconds: float = 0.0, used: tuple[int, int] = (7, 5)) -> Answer:
    """A reply of text, piece by piece."""
    steps: list[Step] = [Delta({"role": "assistant", "content": ""})]
    for chunk in chunks:
        steps += [Wait(pause_seconds), Delta({"content": chunk})]
    return Answer((*steps, Delta({}, "stop"), Used(*used), DONE))


def fragments(index: int, call_id: str, name: str, *pieces: str) -> tuple[Delta, ...]:
    """A tool call as it streams: its head, then its arguments in pieces."""
    head = {"index": index, "id": call_id, "type": "function"}
    first = Delta({"tool_calls": [head | {"function": {"name": name, "arguments": ""}}]})
    rest = (
        Delta({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
        for piece in pieces
    )
    return (first, *rest)


def calls(*deltas: Delta, text: str = "", finish: str = "tool_calls") -> Answer:
    """A reply of tool calls (`fragments`), after some text."""
    said = (Delta({"content": text}),) if text else ()
    first = Delta({"role": "assistant", "content": None})
    return Answer((first, *said, *deltas, Delta({}, finish), Used(7, 5), DONE))


def streams(*steps: Step) -> Answer:
    """Exactly these steps."""
    return Answer(steps)


def fails(status: int, code: str | None = None, kind: str | None = None, **headers: str) -> Answer:
    """An error before any stream; header names are written with underscores."""
    error = {"message": "it did not work", "type": kind, "code": code, "param": None}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status=status, error=error, headers=named)


class FakeProvider:
    """The server, while it is entered. A request beyond the script gets 418 and fails the test."""

    path = "/v1/chat/completions"
    root = "/v1"

    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)
        self.exchanges: list[Exchange] = []
        self.asked = asyncio.Event()
        self.base_url = ""
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post(self.path, self._answer)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.base_url = f"http://{host}:{port}{self.root}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    def key(self, request: web.Request) -> str:
        """The key that the request came with."""
        return request.headers.get("Authorization", "").removeprefix("Bearer ")

    def error(self, answer: Answer) -> dict[str, Any]:
        """The body of an error, as this provider writes it."""
        return {"error": dict(answer.error or {})}

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        now = asyncio.get_running_loop().time()
        exchange = Exchange(request.path, await request.json(), self.key(request), now)
        self.exchanges.append(exchange)
        self.asked.set()
        if not self._answers:
            return web.json_response({"error": {"message": "the script is over"}}, status=418)
        answer = self._answers.pop(0)
        if answer.error is not None:
            body = self.error(answer)
            return web.json_response(body, status=answer.status, headers=answer.headers)
        try:
            return await self._stream(request, answer.steps, exchange)
        except (asyncio.CancelledError, ConnectionError):
            exchange.left_at = asyncio.get_running_loop().time()
            exchange.left.set()
            raise

    async def _stream(
        self, request: web.Request, steps: Sequence[Step], exchange: Exchange
    ) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for step in steps:
            match step:
                case Wait(seconds):
                    exchange.waits.set()
                    await asyncio.sleep(seconds)
                case Drop():
                    assert request.transport is not None
                    request.transport.abort()
                    return response
                case _:
                    await response.write(_line(step, exchange.body.get("model", "")).encode())
                    exchange.sent += 1
        await response.write_eof()
        return response


def _line(step: Delta | Used | Raw, model: str) -> str:
    if isinstance(step, Raw):
        return f"{step.line}\n\n"
    chunk: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1_760_000_000,
        "model": model,
        "choices": [],
    }
    if isinstance(step, Delta):
        chunk["choices"] = [{"index": 0, "delta": dict(step.delta), "finish_reason": step.finish}]
    else:
        chunk["usage"] = {
            "prompt_tokens": step.input_tokens,
            "completion_tokens": step.output_tokens,
            "total_tokens": step.input_tokens + step.output_tokens,
        }
    return f"data: {json.dumps(chunk)}\n\n"
