"""A conversation with an agent in memory: one run after the other, on one history."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gateway.core.cancellation import InterruptReason
from gateway.core.interrupts import Interrupt
from gateway.core.log import spoken_text
from gateway.core.messages import AssistantMessage, Json, Message, ToolCall, ToolResult
from gateway.runs import memory
from gateway.runs.agent import Agent
from gateway.runs.result import RunResult

Act = Callable[["Conversation"], object]


class Conversation:
    """What one person says to an agent, and what they saw. `acts` happen once their text shows up
    in what is streamed or in a tool's progress.
    """

    def __init__(self, agent: Agent, language: str = "en") -> None:
        self.agent = agent
        self.language = language
        self.history: tuple[Message, ...] = ()
        self.progress: list[str] = []
        self.shown = ""
        self.acts: list[tuple[str, Act]] = []
        self.host: memory.MemoryHost | None = None
        self.questions: tuple[Interrupt, ...] = ()

    def once_seen(self, text: str, act: Act) -> None:
        """Do this when the text is seen."""
        self.acts.append((text, act))

    async def say(self, text: str) -> RunResult:
        """Start a run with this; returns when it ends or asks."""
        self.host = memory.start(
            self.agent,
            text,
            history=self.history,
            language=self.language,
            thread="web:1",
            principals=("ann",),
            on_show=self._on_show,
            on_progress=self._on_progress,
        )
        return await self._settled()

    async def answer(self, *values: Json) -> RunResult:
        """Answer the open questions, in order."""
        assert self.host is not None
        ids = [question.id for question in self.questions]
        memory.resume(self.host, dict(zip(ids, values, strict=True)))
        return await self._settled()

    def steer(self, text: str) -> bool:
        """Let a message join the run."""
        assert self.host is not None
        return self.host.handle.steer(text)

    def stop(self, reason: InterruptReason = InterruptReason.USER_SIGINT) -> None:
        """Stop the run, also one that asks."""
        assert self.host is not None
        self.host.stop(reason)
        self.history = tuple(self.host.record.messages())

    @property
    def asked(self) -> str:
        """The one open question's text."""
        (question,) = self.questions
        return question.message

    @property
    def calls(self) -> list[ToolCall]:
        """Every tool call so far."""
        return [c for m in self.history if isinstance(m, AssistantMessage) for c in m.calls]

    @property
    def results(self) -> list[ToolResult]:
        """Every tool result so far."""
        return [m for m in self.history if isinstance(m, ToolResult)]

    @property
    def said(self) -> list[str]:
        """What the agent said, as a model reads it."""
        return [spoken_text(m) for m in self.history if isinstance(m, AssistantMessage)]

    async def _settled(self) -> RunResult:
        assert self.host is not None
        result = await self.host.handle.result
        self.questions = result.questions
        self.history = tuple(self.host.record.messages())
        return result

    def _on_show(self, step: int, text: str) -> None:
        self.shown = text
        self._act(text)

    def _on_progress(self, call_id: str, text: str, fraction: float | None) -> None:
        self.progress.append(text)
        self._act(text)

    def _act(self, seen: str) -> None:
        due = [act for text, act in self.acts if text in seen]
        self.acts = [(text, act) for text, act in self.acts if text not in seen]
        for act in due:
            act(self)


def arguments(call: ToolCall) -> dict[str, Any]:
    """A call's arguments without the language it is made in."""
    return {name: value for name, value in call.arguments.items() if name != "language"}
