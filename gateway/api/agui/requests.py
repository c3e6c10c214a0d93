"""What an AG-UI client sends (`RunAgentInput`), read more strictly than its published models do.

Unknown fields are left out, as the protocol wants; a known one of the wrong form refuses the whole
request.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, model_validator
from pydantic.alias_generators import to_camel

from gateway.core.errors import ValidationFailed
from gateway.core.queueing import Mode

PROTOCOL_VERSION: Final = "1.0"
MAX_MESSAGES: Final = 10_000
MAX_TEXT: Final = 200_000

Id = Annotated[
    str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\s\x00-\x1f\x7f]+$")
]
Version = Annotated[str, StringConstraints(max_length=20, pattern=r"^[01]\.\d+(\.\d+)?$")]


class Read(BaseModel):
    """What all parts share: camelCase, no guessing of types, unknown fields left out."""

    model_config = ConfigDict(
        extra="ignore", frozen=True, strict=True, alias_generator=to_camel, validate_by_name=True
    )


class Function(Read):
    """What a tool call calls."""

    name: str
    arguments: str


class Call(Read):
    """A tool call in an assistant's message."""

    id: Id
    function: Function


class Part(Read):
    """A part of a message's content."""

    type: str
    text: str | None = None


class Message(Read):
    """A message that the client holds."""

    id: Id
    role: Literal["user", "assistant", "tool", "system", "developer", "activity", "reasoning"]
    content: str | list[Part] | dict[str, JsonValue] | None = None
    tool_calls: list[Call] | None = None
    tool_call_id: str | None = None
    metadata: dict[str, JsonValue] | None = None

    @property
    def text(self) -> str:
        """Its text, whatever the form of its content."""
        if isinstance(self.content, list):
            return "".join(part.text or "" for part in self.content)
        return self.content if isinstance(self.content, str) else ""


class ResumeEntry(Read):
    """What became of one interrupt: an answer, or nothing."""

    interrupt_id: Id
    status: Literal["resolved", "cancelled"]
    payload: JsonValue = None
    metadata: dict[str, JsonValue] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _no_payload_of_nothing(self) -> ResumeEntry:
        if self.status == "cancelled" and "payload" in self.model_fields_set:
            raise ValueError("what is cancelled has no payload")
        return self


class Wishes(Read):
    """What `forwardedProps.bargein` may say about the message."""

    language: Literal["en", "ru"] = "en"
    priority: Literal["now", "next", "later"] | None = None
    multitask_strategy: Mode | None = Field(None, strict=False)


class Props(Read):
    """The part of `forwardedProps` that is ours."""

    bargein: Wishes = Wishes()


class RunAgentInput(Read):
    """A run that a client asks for: a new message, answers, or only how things stand."""

    thread_id: Id
    run_id: Id
    messages: Annotated[list[Message], Field(max_length=MAX_MESSAGES)]
    protocol_version: Version | None = None
    parent_run_id: Id | None = None
    forwarded_props: Any = None
    resume: Annotated[list[ResumeEntry], Field(max_length=100)] | None = None

    @model_validator(mode="after")
    def _answers_once(self) -> RunAgentInput:
        ids = [entry.interrupt_id for entry in self.resume or ()]
        if len(set(ids)) != len(ids):
            raise ValueError("resume: an interrupt is answered twice")
        return self

    @property
    def wishes(self) -> Wishes:
        """What is wished for the message.

        Raises:
            pydantic.ValidationError: it has the wrong form.
        """
        if not isinstance(self.forwarded_props, dict) or "bargein" not in self.forwarded_props:
            return Wishes()
        return Props.model_validate(self.forwarded_props, by_alias=True, by_name=False).bargein

    def said(self, known: frozenset[str]) -> Message | None:
        """What is said now: the last message, with those of the person's right before it that are
        not `known` by their ids; None where the last one is the agent's, or there is none.

        Raises:
            ValidationFailed: it is no text, or the result of a tool that the client ran.
        """
        spoken = [m for m in self.messages if m.role in ("user", "assistant", "tool")]
        if not spoken or spoken[-1].role == "assistant":
            return None
        last = spoken[-1]
        if last.role == "tool":
            raise ValidationFailed("messages: tools of the client are not called here")
        new = [last]
        for message in reversed(spoken[:-1]):
            if message.role != "user" or message.id in known:
                break
            new.insert(0, message)
        text = "\n\n".join(_words(message) for message in new)
        if not text.strip() or len(text) > MAX_TEXT:
            raise ValidationFailed(f"messages: a message has 1 to {MAX_TEXT} characters")
        return Message(id=last.id, role="user", content=text)


def _words(message: Message) -> str:
    parts = message.content if isinstance(message.content, list) else []
    if isinstance(message.content, dict) or any(part.type != "text" for part in parts):
        raise ValidationFailed("messages: only text is taken here")
    return message.text
