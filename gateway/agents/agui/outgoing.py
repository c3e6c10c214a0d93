"""What an AG-UI server is sent: the conversation as its messages, and under which thread's id.

The server's own ids of its messages are kept with them, so that a server which remembers the
conversation finds them again. Where what it remembers can't be what we hold (a reply was cut, a
call was never answered, the conversation went on from an earlier place), the thread gets another
id, and the server learns all of it anew: it never builds on what nobody saw.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from gateway.agents.agui.files import Files, Given
from gateway.core.log import spoken_text
from gateway.core.messages import (
    AssistantMessage,
    Json,
    Message,
    ToolResult,
    UserMessage,
    sent_later,
)
from gateway.core.notes import quote_note, sender_prefix, unforged
from gateway.ports.agent import RunStart

KEY: Final = "agui"
OWN_CALL: Final = "question-"
"""A call by this prefix stands in the log for a question that belongs to no call of the agent's."""


class Known:
    """The server's ids in what was said before, and the state it left."""

    def __init__(self, history: Sequence[Message]) -> None:
        self.state: Json = None
        self.results: dict[str, str] = {}
        self.parents: dict[str, str] = {}
        for message in history:
            parts = kept_parts(message)
            self.results |= parts.get("results", {})
            self.parents |= parts.get("parents", {})
            if "state" in parts:
                self.state = parts["state"]

    def id_of(self, message: Message) -> str:
        """The server's id of a message, "" where it has none."""
        if isinstance(message, ToolResult):
            return self.results.get(message.call_id, "")
        if isinstance(message, UserMessage):
            return ""
        own = str(kept_parts(message).get("id", ""))
        return own or (self.parents.get(message.calls[0].id, "") if message.calls else "")


def kept_parts(message: Message) -> Mapping[str, Any]:
    """What was kept of the server's with a message that was said to its end."""
    if not isinstance(message, AssistantMessage) or message.interrupted:
        return {}
    parts = message.provider_parts
    found = parts.get(KEY) if isinstance(parts, dict) else None
    return found if isinstance(found, dict) else {}


def thread_id(start: RunStart, known: Known, *, again: bool) -> str:
    """The thread's id for the server: the same for as long as it may remember the conversation;
    `again`: the run was broken off before.
    """
    history = start.history
    strange = sum(
        not isinstance(message, UserMessage) and not known.id_of(message) for message in history
    )
    pairs = pairwise(history)
    unanswered = sum(isinstance(a, UserMessage) and isinstance(b, UserMessage) for a, b in pairs)
    own = f"{start.run}/{start.step}" if again else ""
    return _id("thread", start.thread, start.since, start.branch, strange, unanswered, own)


def messages(start: RunStart, files: Files, unanswered: Iterable[str] = ()) -> list[dict[str, Any]]:
    """The conversation, with its files; calls that are about to be answered have no result yet."""
    history, left_out = start.history, set(unanswered)
    known = Known(history)
    later = sent_later(history)
    made: list[dict[str, Any]] = []
    for index, message in enumerate(history):
        if isinstance(message, ToolResult):
            if message.call_id not in left_out and not message.call_id.startswith(OWN_CALL):
                made.append(_result(message, known))
        elif isinstance(message, AssistantMessage):
            made += _assistant(message, known, index, start)
        else:
            id_ = _id(start.thread, start.branch, index, message.text)
            made.append({"id": id_, "role": "user", "content": _said(message, files, later[index])})
    return made


def _said(message: UserMessage, files: Files, later: Sequence[int]) -> str | list[dict[str, Any]]:
    """A person's message: a text, or parts where files come with it. `later` is how often each of
    them was sent after it.
    """
    parts: list[dict[str, Any]] = []
    notes: list[str] = []
    for one, times in zip(message.attachments, later, strict=True):
        given = files.get(one.blob, Given())
        if given.part is not None and times < given.times:
            parts.append(dict(given.part))
        elif given.note:
            notes.append(given.note)
    text = _text(message, notes)
    if not parts:
        return text
    return [{"type": "text", "text": text}, *parts] if text else parts


def _text(message: UserMessage, notes: Sequence[str]) -> str:
    prefix = sender_prefix(message.sender) if message.sender is not None else ""
    quoted = [] if message.quote is None else [quote_note(message.quote)]
    noted = bool(prefix or quoted or message.attachments)
    text = unforged(message.text) if noted else message.text
    return "\n".join(line for line in (*quoted, prefix + text, *notes) if line)


def _assistant(
    message: AssistantMessage, known: Known, index: int, start: RunStart
) -> list[dict[str, Any]]:
    calls = [call for call in message.calls if not call.id.startswith(OWN_CALL)]
    text = spoken_text(message)
    if not text and not calls:
        return []
    made: dict[str, Any] = {
        "id": known.id_of(message) or _id(start.thread, start.branch, index, text),
        "role": "assistant",
        "content": text,
    }
    if calls:
        made["toolCalls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {
                    "name": call.name,
                    "arguments": json.dumps(dict(call.arguments), ensure_ascii=False),
                },
            }
            for call in calls
        ]
    return [made]


def _result(message: ToolResult, known: Known) -> dict[str, Any]:
    code = f"{message.error}: " if message.error is not None else ""
    return {
        "id": known.id_of(message) or f"result-{message.call_id}",
        "role": "tool",
        "toolCallId": message.call_id,
        "content": code + message.content,
    }


def _id(*parts: object) -> str:
    """An id made of these parts, always the same."""
    digest = hashlib.sha256(json.dumps([str(part) for part in parts]).encode()).digest()
    return str(uuid.UUID(bytes=digest[:16], version=5))
