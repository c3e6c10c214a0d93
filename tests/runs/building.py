"""Builders of runs: an agent on virtual time, its tools, its start."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from gateway.core.cancellation import Graces
from gateway.core.messages import Message, UserMessage
from gateway.ports.agent import RunOptions, RunStart
from gateway.ports.model import Model
from gateway.runs.agent import Agent
from gateway.runs.runtime import Runtime
from gateway.runs.threads import SyncThreads
from gateway.runs.tools import Tool
from gateway.supervise import Supervisor
from tests.builders import CountingIds, LoopClock


class Reports:
    """The errors that nobody else is told about."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, BaseException]] = []

    def __call__(self, name: str, error: BaseException) -> None:
        self.seen.append((name, error))


async def until(condition: Callable[[], object]) -> None:
    """Wait for what a thread does, five seconds at most."""
    for _ in range(500):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen")


def a_runtime(reports: Reports | None = None, **changed: Any) -> Runtime:
    """A runtime in the loop's time; call it inside a running loop."""
    report = reports or Reports()
    given: dict[str, Any] = {
        "supervisor": Supervisor(report),
        "clock": LoopClock(),
        "ids": CountingIds(),
        "report": report,
        "graces": Graces(),
        "threads": SyncThreads(),
    }
    return Runtime(**{**given, **changed})


def an_agent(model: Model, *tools: Tool, runtime: Runtime | None = None, **changed: Any) -> Agent:
    """An agent named agent."""
    name = changed.pop("name", "agent")
    return Agent(name, model, "Help.", tools, runtime=runtime or a_runtime(), **changed)


def a_start(
    text: str = "hello",
    *,
    history: Sequence[Message] = (),
    thread: str = "web:1",
    principals: tuple[str, ...] = ("ann",),
    options: RunOptions | None = None,
    **changed: Any,
) -> RunStart:
    """A run's start whose history ends with `text`."""
    return RunStart(
        run=changed.pop("run", "run-1"),
        thread=thread,
        principals=principals,
        history=(*history, UserMessage(text)) if text else tuple(history),
        options=options or RunOptions(),
        own=changed.pop("own", (text,) if text and "checkpoint" not in changed else ()),
        **changed,
    )
