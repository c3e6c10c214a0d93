"""A script in a model's place, so that the examples run without a key.

It reads what a model would read, and decides what a model would decide. Your own agent doesn't need
it: give the agent a model, or set BARGEIN_MODEL.
"""

from __future__ import annotations

from dataclasses import dataclass

from gateway.agents.concierge.replies import Turn
from gateway.agents.scripted import Pace, Script, ScriptedModel
from gateway.core.messages import ToolResult, UserMessage
from gateway.core.trimming import own_start
from gateway.ports.model import ModelRequest

__all__ = ["Story", "Turn", "played", "story_of"]


@dataclass(frozen=True)
class Story:
    """One run so far: what the person said (corrections come last), and what the tools gave."""

    said: list[str]
    results: list[ToolResult]

    def result(self, tool: str) -> ToolResult | None:
        """What the tool gave last."""
        found = [result for result in self.results if result.name == tool]
        return found[-1] if found else None


def story_of(request: ModelRequest) -> Story:
    """The run that the request belongs to, without what was said before it."""
    own = request.messages[own_start(request.messages, request.step - 1) :]
    return Story(
        [message.text for message in own if isinstance(message, UserMessage)],
        [message for message in own if isinstance(message, ToolResult)],
    )


def played(script: Script) -> ScriptedModel:
    """The script as a model, at a pace that can be interrupted."""
    return ScriptedModel(Pace(first_word_seconds=0.2, words_per_second=8.0), script)
