"""The model that plays the agent: a step a call; it notes what it was asked, and when it closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

from gateway.core.log import spoken_text
from gateway.core.messages import AssistantMessage, ToolCall, ToolResult, UserMessage
from gateway.ports.model import CallDelta, Finished, ModelEvent, ModelRequest, TextDelta

Step = Iterable[object]
"""One model call, in order: str = text · float = a wait in (virtual) seconds · Gate = a wait until
it opens · ToolCall (see `call`) = a call · Exception = raised · Finished = the end with its usage.
"""

_calls = count(1)


def call(name: str, /, **arguments: Any) -> ToolCall:
    """A tool call with an id of its own."""
    return ToolCall(f"call_{next(_calls)}", name, arguments)


class Gate:
    """A place in a script or a tool where it waits until the test opens it."""

    def __init__(self) -> None:
        self._open = asyncio.Event()
        self.reached = asyncio.Event()

    def open(self) -> None:
        self._open.set()

    async def wait(self) -> None:
        self.reached.set()
        await self._open.wait()


class Begun:
    """A place that a tool has come to, in whatever thread it runs."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._come = asyncio.Event()

    def tell(self) -> None:
        self._loop.call_soon_threadsafe(self._come.set)

    async def wait(self) -> None:
        await self._come.wait()


@dataclass(slots=True)
class Stream:
    """One model call as the provider saw it; times by the loop."""

    request: ModelRequest
    opened_at: float
    closed_at: float | None = None
    sent: int = 0
    finished: bool = False


class Script:
    """Plays one step a call; the last one again and again. A step may be made from the request."""

    def __init__(self, *steps: Step | Callable[[ModelRequest], Step]) -> None:
        self._steps = list(steps)
        self.streams: list[Stream] = []

    @property
    def requests(self) -> list[ModelRequest]:
        return [stream.request for stream in self.streams]

    @property
    def open_streams(self) -> list[Stream]:
        return [stream for stream in self.streams if stream.closed_at is None]

    @asynccontextmanager
    async def stream(self, request: ModelRequest) -> AsyncIterator[AsyncIterator[ModelEvent]]:
        loop = asyncio.get_running_loop()
        stream = Stream(request, loop.time())
        self.streams.append(stream)
        wanted = self._steps[min(len(self.streams), len(self._steps)) - 1]
        step = wanted(request) if callable(wanted) else wanted
        try:
            yield self._play(stream, iter(step))
        finally:
            stream.closed_at = loop.time()

    async def _play(self, stream: Stream, step: Iterator[object]) -> AsyncIterator[ModelEvent]:
        for item in step:
            if isinstance(item, str):
                stream.sent += 1
                yield TextDelta(item)
            elif isinstance(item, float):
                await asyncio.sleep(item)
            elif isinstance(item, Gate):
                await item.wait()
            elif isinstance(item, ToolCall):
                yield CallDelta(item)
            elif isinstance(item, Finished):
                stream.finished = True
                yield item
                return
            elif isinstance(item, BaseException):
                raise item
            else:
                raise TypeError(f"no part of a script: {item!r}")
        stream.finished = True
        yield Finished()


def by_text(**replies: Step) -> Callable[[ModelRequest], Step]:
    """A step for several people at once: chosen by the first word of the last user message; "ok"
    where none fits.
    """

    def choose(request: ModelRequest) -> Step:
        said = [m.text for m in request.messages if isinstance(m, UserMessage)]
        return replies.get(said[-1].split()[0].strip(",.!").lower(), ["ok"])

    return choose


def messages(request: ModelRequest) -> list[tuple[str, str]]:
    """A model input as (kind, text): user, assistant (with its mark), call (its name), result."""
    lines: list[tuple[str, str]] = []
    for message in request.messages:
        match message:
            case UserMessage():
                lines.append(("user", message.text))
            case AssistantMessage():
                if message.text:
                    lines.append(("assistant", spoken_text(message)))
                lines.extend(("call", asked.name) for asked in message.calls)
            case ToolResult():
                lines.append(("result", message.content))
    return lines
