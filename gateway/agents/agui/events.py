"""The events of an AG-UI stream that are read here. Known ones have to have their form; what this
version doesn't know is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from pydantic.alias_generators import to_camel

from gateway.agents.agui.errors import broken

MAX_INTERRUPTS: Final = 100
"""Each is a question to a person."""


class Event(BaseModel):
    """What all events share."""

    model_config = ConfigDict(
        extra="ignore", frozen=True, strict=True, alias_generator=to_camel, validate_by_name=True
    )


class RunStarted(Event):
    """The run begins."""

    thread_id: str
    run_id: str


class Interrupt(Event):
    """A question of the agent's."""

    id: str = Field(min_length=1)
    reason: str
    message: str | None = None
    tool_call_id: str | None = None
    response_schema: dict[str, JsonValue] | None = None
    expires_at: str | None = None


class Outcome(Event):
    """How a run ended."""

    type: Literal["success", "interrupt", "cancelled"]
    interrupts: list[Interrupt] = Field(default_factory=list, max_length=MAX_INTERRUPTS)


class RunFinished(Event):
    """The run's end."""

    outcome: Outcome | None = None


class RunError(Event):
    """The run's end by an error."""

    message: str
    code: str | None = None


class TextStart(Event):
    """A message begins."""

    message_id: str = Field(min_length=1)
    role: str = "assistant"


class TextContent(Event):
    """More of a message."""

    message_id: str
    delta: str


class TextEnd(Event):
    """A message is whole."""

    message_id: str


class TextChunk(Event):
    """A piece of a message that begins and ends by itself."""

    message_id: str | None = None
    role: str | None = None
    delta: str | None = None


class CallStart(Event):
    """A tool call begins."""

    tool_call_id: str = Field(min_length=1)
    tool_call_name: str = Field(min_length=1)
    parent_message_id: str | None = None


class CallArgs(Event):
    """More of a call's arguments."""

    tool_call_id: str
    delta: str


class CallEnd(Event):
    """A call's arguments are whole."""

    tool_call_id: str


class CallChunk(Event):
    """A piece of a call that begins and ends by itself."""

    tool_call_id: str | None = None
    tool_call_name: str | None = None
    parent_message_id: str | None = None
    delta: str | None = None


class CallResult(Event):
    """What a call gave."""

    message_id: str
    tool_call_id: str
    content: str | list[JsonValue]

    @property
    def text(self) -> str:
        """Its text."""
        if isinstance(self.content, str):
            return self.content
        parts = [part for part in self.content if isinstance(part, dict)]
        return "".join(str(part.get("text", "")) for part in parts)


class StateSnapshot(Event):
    """The agent's state."""

    snapshot: JsonValue


class StateDelta(Event):
    """A change of the agent's state: a JSON Patch."""

    delta: list[dict[str, JsonValue]]


class SnapshotMessage(Event):
    """A message as the server holds it."""

    id: str
    role: str
    content: JsonValue = None


class MessagesSnapshot(Event):
    """The conversation as the server holds it."""

    messages: list[SnapshotMessage]


class Custom(Event):
    """Something of the server's own."""

    name: str
    value: JsonValue


_KNOWN: Final[Mapping[str, type[Event]]] = {
    "RUN_STARTED": RunStarted,
    "RUN_FINISHED": RunFinished,
    "RUN_ERROR": RunError,
    "TEXT_MESSAGE_START": TextStart,
    "TEXT_MESSAGE_CONTENT": TextContent,
    "TEXT_MESSAGE_END": TextEnd,
    "TEXT_MESSAGE_CHUNK": TextChunk,
    "TOOL_CALL_START": CallStart,
    "TOOL_CALL_ARGS": CallArgs,
    "TOOL_CALL_END": CallEnd,
    "TOOL_CALL_CHUNK": CallChunk,
    "TOOL_CALL_RESULT": CallResult,
    "STATE_SNAPSHOT": StateSnapshot,
    "STATE_DELTA": StateDelta,
    "MESSAGES_SNAPSHOT": MessagesSnapshot,
    "CUSTOM": Custom,
}


def event_of(data: Any) -> Event | None:
    """The event, None where it is of no kind that is read here.

    Raises:
        AgentFailed: it is no event, or one of a wrong form.
    """
    if not isinstance(data, dict) or not isinstance(data.get("type"), str):
        raise broken("the server sent something that is no event")
    kind = _KNOWN.get(data["type"])
    if kind is None:
        return None
    try:
        return kind.model_validate(data, by_alias=True, by_name=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise broken(f"{data['type']}: {where}: {first['msg']}") from None
