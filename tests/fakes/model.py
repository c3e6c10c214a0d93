"""A model for tests: it plays a script, one step a model call, and journals every request.

A step is a list of parts, played in order: a text (a delta), a `Call`, a `Wait` (virtual seconds),
a `Fault` (raised), a `Gate` (held until it is opened), a `Spent` (what the call used) or a
`Garbage` event. A step without a `Cut` ends with `Finished`. A step may also be a function of the
request that gives the parts. After its script the model says `last`, or fails the test.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from gateway.core.errors import ModelFailed
from gateway.core.messages import Json, ToolCall
from gateway.ports.model import CallDelta, Finished, ModelEvent, ModelRequest, TextDelta, Usage


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call; without an id it gets call_1, call_2, … over the model's whole life."""

    name: str
    arguments: dict[str, Json] = field(default_factory=dict)
    id: str | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """A pause of the stream, in the loop's time."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Fault:
    """The stream breaks with this."""

    error: Exception = field(default_factory=lambda: ModelFailed("MODEL_UNAVAILABLE", "down"))


@dataclass(frozen=True, slots=True)
class Spent:
    """What the call used."""

    tokens: int = 0
    cost_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class Cut:
    """The stream ends here, without `Finished`."""


@dataclass(frozen=True, slots=True)
class Garbage:
    """Something that is no event."""

    event: object = "<html>"


class Gate:
    """Holds the stream until `open`; `reached` is set when the stream stands before it."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self._open = asyncio.Event()

    def open(self) -> None:
        self._open.set()

    async def wait(self) -> None:
        self.reached.set()
        await self._open.wait()


Part: TypeAlias = str | Call | Wait | Fault | Spent | Cut | Garbage | Gate
Step: TypeAlias = Sequence[Part] | Callable[[ModelRequest], Sequence[Part]]


class ScriptedModel:
    """Plays `script`. `requests` is its journal; `opened` and `closed` count its streams."""

    def __init__(self, *script: Step, last: Step | None = None) -> None:
        self.script: list[Step] = list(script)
        self.last = last
        self.requests: list[ModelRequest] = []
        self.opened = 0
        self.closed = 0
        self.closed_at: list[float] = []
        self._calls = 0

    @property
    def calls(self) -> int:
        """How many model calls were made."""
        return len(self.requests)

    def stream(
        self, request: ModelRequest
    ) -> AbstractAsyncContextManager[AsyncIterator[ModelEvent]]:
        return self._stream(request)

    @asynccontextmanager
    async def _stream(self, request: ModelRequest) -> AsyncIterator[AsyncIterator[ModelEvent]]:
        self.requests.append(request)
        self.opened += 1
        try:
            yield self._play(self._next(request))
        finally:
            self.closed += 1
            self.closed_at.append(asyncio.get_running_loop().time())

    def _next(self, request: ModelRequest) -> Iterable[Part]:
        if not self.script and self.last is None:
            raise AssertionError(f"model call {self.calls} is not in the script")
        step = self.script.pop(0) if self.script else self.last
        assert step is not None
        return step(request) if callable(step) else step

    async def _play(self, parts: Iterable[Part]) -> AsyncIterator[ModelEvent]:
        usage = Usage()
        for part in parts:
            match part:
                case str():
                    yield TextDelta(part)
                case Call():
                    yield CallDelta(self._call(part), part.problem)
                case Wait(seconds):
                    await asyncio.sleep(seconds)
                case Gate():
                    await part.wait()
                case Spent(tokens, cost_usd):
                    usage = Usage(tokens, 0, cost_usd)
                case Garbage(event):
                    yield event  # type: ignore[misc]
                case Fault(error):
                    raise error
                case Cut():
                    return
        yield Finished(usage)

    def _call(self, part: Call) -> ToolCall:
        self._calls += 1
        given = f"call_{self._calls}" if part.id is None else part.id
        return ToolCall(given, part.name, part.arguments)
