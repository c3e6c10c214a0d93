"""What an AG-UI client sends (`RunAgentInput`), read more strictly than its published models do.

Unknown fields are left out, as the protocol wants; a known one of the wrong form refuses the whole
request.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, model_validator
from pydantic.alias_generators import to_camel

from gateway.core.errors import ValidationFailed
from gateway.core.queueing import Mode
from gateway.files import MOST_FILES

PROTOCOL_VERSION: Final = "1.0"
MAX_MESSAGES: Final = 10_000
MAX_TEXT: Final = 200_000
TEXT: Final = "text"
MEDIA: Final = ("image", "audio", "video", "document")
BEFORE: Final = {"data": "data", "url": "url", "id": "file"}

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


class Source(Read):
    """Where the bytes of a part are: in it, at an address, or kept before, by a handle."""

    type: Literal["data", "url", "file"]
    value: str
    provider: str | None = None


class Part(Read):
    """A part of a message's content: text, a picture, a recording, a film, a document."""

    type: str
    text: str | None = None
    source: Source | None = None
    metadata: Any = None

    @model_validator(mode="before")
    @classmethod
    def _of_before(cls, given: Any) -> Any:
        """The one part for all files that there was before 1.0, as one of today's."""
        if not isinstance(given, dict) or given.get("type") != "binary":
            return given
        found = next((kind for kind in BEFORE if isinstance(given.get(kind), str)), None)
        source = {"type": BEFORE[found], "value": given[found]} if found else None
        about = {"filename": given.get("filename")}
        return {"type": "document", "source": source, "metadata": about}

    @model_validator(mode="after")
    def _whole(self) -> Part:
        if self.type == TEXT and self.text is None:
            raise ValueError("a part of text has none")
        if self.type in MEDIA and self.source is None:
            raise ValueError("a part that is no text has a source")
        return self

    @property
    def name(self) -> str:
        """How people call the file, where its metadata says so."""
        about = self.metadata if isinstance(self.metadata, dict) else {}
        found = about.get("filename") or about.get("name")
        return found if isinstance(found, str) else ""


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

    @property
    def files(self) -> list[Part]:
        """Its parts that are no text."""
        parts = self.content if isinstance(self.content, list) else []
        return [part for part in parts if part.type != TEXT]


@dataclass(frozen=True, slots=True)
class Said:
    """What is said now, by the id of its last message."""

    id: str
    text: str
    files: tuple[Part, ...] = ()


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

    def said(self, known: frozenset[str]) -> Said | None:
        """What is said now: the last message, with those of the person's right before it that are
        not `known` by their ids; None where the last one is the agent's, or there is none.

        Raises:
            ValidationFailed: it is neither text nor files, or the result of a tool that the client
                ran.
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
        if any(isinstance(message.content, dict) for message in new):
            raise ValidationFailed("messages: a person's message is text, or parts")
        text = "\n\n".join(message.text for message in new if message.text or not message.files)
        files = tuple(part for message in new for part in message.files)
        if not (text.strip() or files) or len(text) > MAX_TEXT:
            raise ValidationFailed(f"messages: a message has 1 to {MAX_TEXT} characters")
        if any(part.type not in MEDIA for part in files):
            raise ValidationFailed(f"messages: parts are {TEXT}, {', '.join(MEDIA)}")
        if len(files) > MOST_FILES:
            raise ValidationFailed(f"messages: at most {MOST_FILES} files come at once")
        return Said(last.id, text, files)

    def light(self) -> RunAgentInput:
        """The same without what its files hold."""
        return self.model_copy(update={"messages": [_light(message) for message in self.messages]})


def _light(message: Message) -> Message:
    if not message.files:
        return message
    parts = message.content if isinstance(message.content, list) else []
    return message.model_copy(
        update={"content": [part.model_copy(update={"source": None}) for part in parts]}
    )
