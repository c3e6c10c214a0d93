"""Our messages as the provider library's, and the provider's opaque parts as JSON.

Opaque parts (reasoning with its signature, ids, a call's own data) are kept as the reply's outline:
its parts in order, texts as their lengths, calls as their ids. Text and arguments are always ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from gateway.agents.llm_files import Files, Given
from gateway.core.log import spoken_text
from gateway.core.messages import (
    AssistantMessage,
    Json,
    Message,
    ToolCall,
    ToolResult,
    UserMessage,
    sent_later,
)
from gateway.core.notes import quote_note, sender_prefix, unforged

VERSION = 1
_OUTLINED = ("text", "thinking", "tool-call")


@dataclass(frozen=True, slots=True)
class Origin:
    """Whose parts they are. Parts of another provider or address are not given back."""

    system: str
    url: str


def to_library(messages: Sequence[Message], origin: Origin, files: Files) -> list[ModelMessage]:
    """The history as the library takes it, with what its messages attach; neighbours of one side
    are one message.
    """
    history: list[ModelMessage] = []
    asked: list[ModelRequestPart] = []
    for message, later in zip(messages, sent_later(messages), strict=True):
        if not isinstance(message, AssistantMessage):
            asked.append(_asked(message, files, later))
            continue
        if asked:
            history.append(ModelRequest(parts=asked))
            asked = []
        if (response := _response(message, origin)).parts:
            history.append(response)
    if asked:
        history.append(ModelRequest(parts=asked))
    return history


def provider_parts(
    response: ModelResponse, calls: Sequence[ToolCall], said: str, origin: Origin
) -> Json:
    """What of a reply only its provider understands; None where there is nothing.

    `calls` are the reply's calls in order, with our ids; `said` is the text that was given out.
    """
    dumped = ModelMessagesTypeAdapter.dump_python([response], mode="json")[0]
    own_ids = iter(calls)
    kept = (part for part in dumped["parts"] if part["part_kind"] in _OUTLINED)
    parts: list[Json] = [_outline(part, own_ids) for part in kept]
    texts = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    if texts != said or not any(_is_opaque(part) for part in parts):
        return None
    return {
        "version": VERSION,
        "system": origin.system,
        "url": origin.url,
        "canonical": response.canonical_system,
        "response": response.provider_response_id,
        "parts": parts,
    }


def _outline(part: dict[str, Any], own_ids: Iterator[ToolCall]) -> dict[str, Json]:
    kept = {key: value for key, value in part.items() if value is not None}
    if kept["part_kind"] == "text":
        kept["chars"] = len(kept.pop("content"))
    elif kept["part_kind"] == "tool-call":
        kept.pop("args", None)
        kept["tool_call_id"] = next(own_ids).id
    return kept


def _is_opaque(part: Json) -> bool:
    plain = {"part_kind", "chars", "tool_name", "tool_call_id"}
    return isinstance(part, dict) and bool(part.keys() - plain)


def _asked(
    message: UserMessage | ToolResult, files: Files, later: Sequence[int]
) -> ModelRequestPart:
    """A result, or a person's message; `later` is how often each of its files was sent after it."""
    if isinstance(message, ToolResult):
        code = f"{message.error}: " if message.error is not None else ""
        return ToolReturnPart(message.name, code + message.content, message.call_id)
    prefix = sender_prefix(message.sender) if message.sender is not None else ""
    quoted = [] if message.quote is None else [quote_note(message.quote)]
    noted = prefix or quoted or message.attachments
    text = unforged(message.text) if noted else message.text
    sent = zip(message.attachments, later, strict=True)
    given = [_given(files[one.blob], times) for one, times in sent]
    lines = [*quoted, prefix + text, *(one.note for one in given)]
    said = "\n".join(line for line in lines if line)
    contents = [one.content for one in given if one.content is not None]
    return UserPromptPart([said, *contents] if contents else said)


def _given(one: Given, later: int) -> Given:
    return one if one.content is None or later < one.times else Given(one.full)


def _response(message: AssistantMessage, origin: Origin) -> ModelResponse:
    outline = _own_outline(message, origin)
    if outline is None:
        return _plain(message)
    data = {
        "kind": "response",
        "parts": list(_filled(message, outline["parts"])),
        "provider_name": origin.system,
        "provider_url": origin.url,
        "canonical_system": outline["canonical"],
        "provider_response_id": outline["response"],
    }
    try:
        restored = ModelMessagesTypeAdapter.validate_python([data])[0]
    except ValidationError:  # a release of the library that has no such parts any more
        return _plain(message)
    return restored if isinstance(restored, ModelResponse) else _plain(message)


def _plain(message: AssistantMessage) -> ModelResponse:
    text = spoken_text(message)
    parts: list[ModelResponsePart] = [TextPart(text)] if text else []
    parts += [ToolCallPart(call.name, dict(call.arguments), call.id) for call in message.calls]
    return ModelResponse(parts=parts)


def _own_outline(message: AssistantMessage, origin: Origin) -> Mapping[str, Any] | None:
    """The outline, where it is this provider's and the whole text was shown or heard."""
    outline = message.provider_parts
    if not isinstance(outline, dict) or message.interrupted:
        return None
    known = (outline.get("version"), outline.get("system"), outline.get("url"))
    if known != (VERSION, origin.system, origin.url):
        return None
    parts = outline["parts"]
    assert isinstance(parts, list)
    whole = sum(part.get("chars", 0) for part in _dicts(parts))
    return outline if whole == len(message.text) else None


def _filled(message: AssistantMessage, outline: list[Any]) -> Iterator[dict[str, Any]]:
    """The outline's parts with our text and our arguments; calls it doesn't know come last."""
    calls = {call.id: call for call in message.calls}
    start = 0
    for part in _dicts(outline):
        filled = dict(part)
        if filled["part_kind"] == "text":
            end = start + filled.pop("chars")
            filled["content"], start = message.text[start:end], end
        elif filled["part_kind"] == "tool-call":
            call = calls.pop(filled["tool_call_id"], None)
            if call is None:
                continue
            filled |= {"tool_name": call.name, "args": dict(call.arguments)}
        yield filled
    for call in calls.values():
        yield {
            "part_kind": "tool-call",
            "tool_name": call.name,
            "args": dict(call.arguments),
            "tool_call_id": call.id,
        }


def _dicts(parts: Iterable[Any]) -> Iterator[dict[str, Any]]:
    return (part for part in parts if isinstance(part, dict))
