"""The conversation that is killed at every point: its agent, and what its person does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from gateway import Agent, ToolContext, tool
from gateway.core.messages import AssistantMessage, Message, ToolCall, ToolResult, UserMessage
from gateway.ports.model import CallDelta, Finished, ModelEvent, ModelRequest, TextDelta
from tests.fakes.kill_channel import Screen
from tests.flows.watching import open_calls

REPORT = [f"part {number} " for number in range(1, 9)]


class Player:
    """A model without a memory: what it says depends on what it reads and on which life it is."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    @asynccontextmanager
    async def stream(self, request: ModelRequest) -> AsyncIterator[AsyncIterator[ModelEvent]]:
        self._screen.write("model", run=request.run, step=request.step, bad=open_calls(request))
        yield self._play(request)

    async def _play(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        name, pieces = _part(request)
        life = len(self._screen.lines("life"))
        for number, piece in enumerate(pieces):
            yield TextDelta(piece if number else f"({life}) {piece}")
            await asyncio.sleep(0.2)
        if name:
            yield CallDelta(ToolCall(f"{request.run}:{request.step}", name, {}))
        yield Finished()


def _part(request: ModelRequest) -> tuple[str, Sequence[str]]:
    last = _last(request.messages)
    if isinstance(last, ToolResult):
        if last.name == "deploy":
            return "publish", ["Publishing. "]
        return "", ["All ", "done ", f"with {last.name}."]
    assert isinstance(last, UserMessage)
    word = last.text.split()[0]
    if word == "search":
        return "search", ["Looking. "]
    if word == "deploy":
        return "deploy", []
    return "", REPORT if word == "report" else ["Fine: ", last.text, "."]


def _last(messages: Sequence[Message]) -> Message:
    """What there is to react to: a text that a crash broke off is nothing."""
    for message in reversed(messages):
        if not isinstance(message, AssistantMessage) or message.calls:
            return message
    raise AssertionError("a model was asked about nothing")


def agent(screen: Screen) -> Agent:
    @tool
    async def search(context: ToolContext) -> str:
        """Searches for a while."""
        screen.write("ran", tool="search", call=context.call_id)
        await asyncio.sleep(1.0)
        return "found"

    @tool
    async def deploy(context: ToolContext) -> str:
        """Asks where to, then deploys."""
        region = await context.interrupt(
            message="Which region?", response_schema={"enum": ["eu", "us"]}
        )
        screen.write("ran", tool="deploy", call=context.call_id, region=region)
        await asyncio.sleep(0.3)
        return f"deployed to {region}"

    @tool(approval=True)
    async def publish(context: ToolContext) -> str:
        """Publishes."""
        screen.write("ran", tool="publish", call=context.call_id)
        return "published"

    return Agent("killed", Player(screen), "", [search, deploy, publish])


Seen = Callable[[Screen], bool]


def _at_once(screen: Screen) -> bool:
    return True


def _ran(name: str) -> Seen:
    return lambda screen: any(line["tool"] == name for line in screen.lines("ran"))


def _asked(message: str) -> Seen:
    return lambda screen: any(message in line["message"] for line in screen.lines("ask"))


def _ended(*steps: str) -> Seen:
    """These inputs were seen to end."""

    def seen(screen: Screen) -> bool:
        data = [line["data"] for line in screen.lines("update") if line["type"] == "input"]
        return {step_id(step) for step in steps} <= {d["id"] for d in data if d["outcome"]}

    return seen


def _shows(text: str, times: int) -> Seen:
    def seen(screen: Screen) -> bool:
        runs = {line["run"] for line in screen.lines("show") if text in line["text"]}
        return len(runs) >= times

    return seen


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that the person does, once they see what they wait for (or 20 s went by)."""

    name: str
    text: str
    when: Seen
    outcomes: tuple[str, ...]
    press: str = ""


STEPS = (
    Step("first", "search trains", _at_once, ("answered",)),
    Step("steer", "and cheap ones", _ran("search"), ("steered", "answered")),
    Step("second", "deploy it", _ended("first", "steer"), ("answered",)),
    Step("answer", "eu", _asked("Which region?"), ("decided",)),
    Step("approve", "", _asked("publish"), ("decided",), press="publish"),
    Step("report", "report please", _ended("second"), ("interrupted", "answered")),
    Step("stop", "/stop", _shows("part 3", 1), ("handled",)),
    Step("again", "report again", _ended("report", "stop"), ("interrupted", "answered")),
    Step("now", "/now short one", _shows("part 3", 2), ("answered",)),
    Step("last", "bye", _ended("again", "now"), ("answered",)),
)


def step_id(name: str) -> str:
    return f"fake:bot:{name}"


def token_of(screen: Screen, message: str) -> str:
    """The button under the last prompt that says this."""
    tokens = [str(x["token"]) for x in screen.lines("ask") if message in x["message"]]
    return tokens[-1] if tokens else ""


def facts(line: dict[str, Any]) -> tuple[str, int]:
    """Which text a line is about."""
    return line["run"], line["step"]
