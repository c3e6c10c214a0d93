"""A language model, as the loop asks it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from gateway.core.errors import NotFound
from gateway.core.messages import Json, Message, ToolCall


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model sees it; `parameters` is the JSON Schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Json]


ReadFile: TypeAlias = Callable[[str], Awaitable[tuple[bytes, str]]]
"""The bytes and the media type of an attachment, by its key; raises NotFound where it is gone."""


async def no_files(key: str) -> tuple[bytes, str]:
    """Files where none are kept.

    Raises:
        NotFound: always.
    """
    raise NotFound(f"no file {key}")


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One model call. `language` is the person's (en, ru); `read` gives what messages attach."""

    instructions: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    thread: str = ""
    run: str = ""
    step: int = 0
    language: str = "en"
    read: ReadFile = no_files


@dataclass(frozen=True, slots=True)
class Usage:
    """What a model call used; cost in US dollars where it is known."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More of the text."""

    text: str


@dataclass(frozen=True, slots=True)
class CallDelta:
    """A whole tool call, once its arguments are complete.

    `problem` is set where they are no JSON object: the call holds none and must not run; its
    result is TOOL_ARGUMENTS_INVALID with `problem`, which tells the model what was wrong.
    """

    call: ToolCall
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of the call; `provider_parts` is kept in the log and given back as it was."""

    usage: Usage = field(default_factory=Usage)
    provider_parts: Json = None


ModelEvent: TypeAlias = TextDelta | CallDelta | Finished


class Model(Protocol):
    """A language model. Leaving the context closes its connection."""

    def stream(
        self, request: ModelRequest
    ) -> AbstractAsyncContextManager[AsyncIterator[ModelEvent]]:
        """Open one call.

        Raises (on entering or while iterating):
            ModelFailed: with a code that tells the kind of failure.
        """
