"""What a model reads: user and assistant messages, tool calls and their results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

ABORTED_BEFORE_DISPATCH = "ABORTED_BEFORE_DISPATCH"
OUTCOME_UNKNOWN = "OUTCOME_UNKNOWN"
INTERRUPTED = "TOOL_INTERRUPTED"
DECLINED = "DECLINED"
NOT_STARTED = "NOT_STARTED"
ABORTED_TEXT = "Aborted before dispatch: the run stopped before this tool call started"
OUTCOME_UNKNOWN_TEXT = (
    "The run stopped before this tool call returned: outcome unknown, verify before retrying"
)
MOVED_ON_TEXT = "The user moved on without answering"
NOT_STARTED_TEXT = "Not started"


def interrupted_text(reason: str) -> str:
    """The result of a call that a stop cut short; the stop's reason."""
    return f"Interrupted: {reason}"


def declined_text(message: str) -> str:
    """The result of a call whose question the person declined."""
    return f'The user declined to answer "{message}"'


def expired_text(message: str, expires_at: str) -> str:
    """The result of a call whose question nobody answered in time (ISO 8601 UTC)."""
    return f'Nobody answered "{message}" before it expired at {expires_at}'


def undeliverable_text(message: str) -> str:
    """The result of a call whose question reached nobody."""
    return f'The question "{message}" could not be delivered'


@dataclass(frozen=True, slots=True)
class Attachment:
    """A picture or file that came with an input; `blob` is its key in `Blobs`. `kind` is "voice"
    for a recording whose words are the message.
    """

    blob: str
    media_type: str
    name: str = ""
    size_bytes: int = 0
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """What a message replies to: the words, and who said them (None: the agent)."""

    text: str
    sender: str | None = None


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What a person said. `sender` is set where a thread has several people."""

    text: str
    sender: str | None = None
    attachments: tuple[Attachment, ...] = ()
    quote: Quote | None = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call the model asked for; `arguments` as the model gave them, parsed."""

    id: str
    name: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """What the agent said in one step. `text` is what was shown or heard, never more."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    provider_parts: Json = None
    interrupted: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The one result of a call. `error` is a code, or None for a real result."""

    call_id: str
    name: str
    content: str
    error: str | None = None


Message: TypeAlias = UserMessage | AssistantMessage | ToolResult


def attached(message: Message) -> tuple[Attachment, ...]:
    """The files that a person said it with."""
    return message.attachments if isinstance(message, UserMessage) else ()


def newest_attachments(messages: Sequence[Message]) -> Iterator[Attachment]:
    """Every file of a conversation, as often as it was sent; those of the last message first."""
    for message in reversed(messages):
        yield from attached(message)


def sent_later(messages: Sequence[Message]) -> list[tuple[int, ...]]:
    """For each file of each message, how often the same one was sent after it."""
    times: Counter[str] = Counter()
    found: list[tuple[int, ...]] = []
    for message in reversed(messages):
        later = []
        for one in reversed(attached(message)):
            later.append(times[one.blob])
            times[one.blob] += 1
        found.append(tuple(reversed(later)))
    return found[::-1]
