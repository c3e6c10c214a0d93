"""The conversation's log: append-only entries, branches, the history a model reads, its repair.

An entry knows its parent; a branch is the chain from a leaf to the root. Inside a branch, history
orders by run start, then step, then place, since a step's text is written when it was delivered,
which may be after the calls and results that follow it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from typing import Any

from gateway.core.messages import (
    OUTCOME_UNKNOWN,
    OUTCOME_UNKNOWN_TEXT,
    AssistantMessage,
    Attachment,
    Json,
    Message,
    Quote,
    ToolCall,
    ToolResult,
    UserMessage,
)


class Kind(StrEnum):
    """What an entry records."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    INTERRUPT = "interrupt"
    APPROVAL = "approval"
    SETTING = "setting"


class Place(IntEnum):
    """Where an entry stands inside its step."""

    INPUT = 0
    TEXT = 1
    CALL = 2
    RESULT = 3
    NOTE = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log. `run` is the run it belongs to, "" for a thread's own entries."""

    seq: int
    parent: int
    branch: int
    run: str
    step: int
    place: Place
    kind: Kind
    body: Mapping[str, Any]


def user_body(message: UserMessage, *, queued: str | None = None) -> dict[str, Json]:
    """The body of a person's message; `queued` is steer, followUp or inject."""
    body: dict[str, Json] = {"text": message.text}
    if message.sender is not None:
        body["sender"] = message.sender
    if message.attachments:
        body["attachments"] = [attachment_body(one) for one in message.attachments]
    if message.quote is not None:
        body["quote"] = {"text": message.quote.text, "sender": message.quote.sender}
    if queued is not None:
        body["metadata"] = {"queued": queued}
    return body


def attachment_body(attachment: Attachment) -> dict[str, Json]:
    """An attachment as it is written down and drawn."""
    body: dict[str, Json] = {
        "blob": attachment.blob,
        "mediaType": attachment.media_type,
        "name": attachment.name,
        "sizeBytes": attachment.size_bytes,
    }
    return body | {"kind": attachment.kind} if attachment.kind else body


def attachment_of(body: Mapping[str, Any]) -> Attachment:
    """The attachment that `attachment_body` wrote."""
    return Attachment(
        body["blob"],
        body["mediaType"],
        body.get("name", ""),
        body.get("sizeBytes", 0),
        body.get("kind", ""),
    )


def said_text(body: Mapping[str, Any]) -> str:
    """Every word that a person's message brings into a model's input, for checks to read."""
    quote = body.get("quote")
    return f"{quote['text']}\n{body['text']}" if quote else str(body["text"])


def assistant_body(
    text: str,
    *,
    provider_parts: Json = None,
    interrupted: str | None = None,
    heard_ms: int | None = None,
    total_ms: int | None = None,
    unheard: str = "",
) -> dict[str, Json]:
    """The body of an agent's message: `text` as shown or heard, `interrupted` a cut's reason."""
    metadata: dict[str, Json] = {}
    if interrupted is not None:
        metadata |= {"interrupted": True, "reason": interrupted}
    if heard_ms is not None:
        metadata |= {"heard_ms": heard_ms, "total_ms": total_ms}
    if unheard:
        metadata["unheard"] = unheard
    body: dict[str, Json] = {"text": text}
    if metadata:
        body["metadata"] = metadata
    if provider_parts is not None:
        body["providerParts"] = provider_parts
    return body


def call_body(call: ToolCall) -> dict[str, Json]:
    """The body of a tool call."""
    return {"id": call.id, "name": call.name, "arguments": dict(call.arguments)}


def result_body(result: ToolResult, seconds: float | None = None) -> dict[str, Json]:
    """The body of a tool's result; `seconds` is how long the call ran."""
    body: dict[str, Json] = {
        "callId": result.call_id,
        "name": result.name,
        "content": result.content,
        "error": result.error,
    }
    return body if seconds is None else {**body, "metadata": {"took_ms": round(seconds * 1000)}}


def path(entries: Iterable[Entry], leaf: int) -> list[Entry]:
    """The entries of the branch ending at `leaf`, root first. A missing parent ends the chain."""
    by_seq = {entry.seq: entry for entry in entries}
    chain: list[Entry] = []
    entry = by_seq.get(leaf)
    while entry is not None:
        chain.append(entry)
        entry = by_seq.get(entry.parent)
    chain.reverse()
    return chain


def rewind(chain: Sequence[Entry], run: str) -> tuple[int, tuple[Entry, ...]]:
    """Where the branch goes on from if `run` had never been: the new leaf, and the entries of other
    runs that came after it and have to be appended again on the new branch (mode `parallel`).
    """
    for index, entry in enumerate(chain):
        if entry.run == run:
            return entry.parent, tuple(later for later in chain[index:] if later.run != run)
    return (chain[-1].seq if chain else 0), ()


def ordered(chain: Sequence[Entry], unfinished: frozenset[str] = frozenset()) -> list[Entry]:
    """The chain by run start, step, place, sequence; without entries of `unfinished` siblings."""
    start: dict[str, int] = {}
    for index, entry in enumerate(chain):
        start.setdefault(entry.run or f"#{index}", index)
    keyed = [
        ((start[e.run or f"#{i}"], e.step, e.place, i), e)
        for i, e in enumerate(chain)
        if e.run not in unfinished
    ]
    return [entry for _, entry in sorted(keyed, key=lambda pair: pair[0])]


def public(body: Mapping[str, Any]) -> dict[str, Json]:
    """An entry's body for those who look: without the provider's own parts."""
    return {key: value for key, value in body.items() if key != "providerParts"}


REFUSED = "refused"


def refused_body(entries: Sequence[int], code: str) -> dict[str, Json]:
    """The body of the note that an input check refused these entries: no model reads them."""
    listed: list[Json] = list(entries)
    return {"status": REFUSED, "entries": listed, "code": code}


def refused_entries(chain: Iterable[Entry]) -> frozenset[int]:
    """The entries that an input check refused."""
    return frozenset(
        seq
        for entry in chain
        if entry.kind is Kind.INTERRUPT and entry.body.get("status") == REFUSED
        for seq in entry.body["entries"]
    )


def history(
    chain: Sequence[Entry], unfinished: frozenset[str] = frozenset(), people: bool = False
) -> list[Message]:
    """What a model reads of this branch; every call has exactly one result (DESIGN 1.5).

    `people` True names each sender (shared threads).
    """
    messages: list[Message] = []
    said_in: tuple[str, int] | None = None
    left_out = refused_entries(chain)
    for entry in ordered(chain, unfinished):
        if entry.seq in left_out:
            continue
        if entry.kind is Kind.USER:
            messages.append(_user(entry.body, people))
            said_in = None
        elif entry.kind is Kind.ASSISTANT:
            messages.append(_assistant(entry.body))
            said_in = (entry.run, entry.step)
        elif entry.kind is Kind.TOOL_CALL:
            _add_call(messages, entry.body, same_step=said_in == (entry.run, entry.step))
            said_in = (entry.run, entry.step)
        elif entry.kind is Kind.TOOL_RESULT:
            messages.append(_result(entry.body))
    return repair_unanswered_tool_calls(messages)


def _user(body: Mapping[str, Any], people: bool) -> UserMessage:
    attachments = tuple(map(attachment_of, body.get("attachments", ())))
    quote = body.get("quote")
    return UserMessage(
        body["text"],
        body.get("sender") if people else None,
        attachments,
        Quote(quote["text"], quote["sender"]) if quote else None,
    )


def _assistant(body: Mapping[str, Any]) -> AssistantMessage:
    metadata = body.get("metadata", {})
    return AssistantMessage(
        text=body["text"],
        provider_parts=body.get("providerParts"),
        interrupted=bool(metadata.get("interrupted", False)),
        reason=metadata.get("reason"),
    )


def _add_call(messages: list[Message], body: Mapping[str, Any], *, same_step: bool) -> None:
    call = ToolCall(body["id"], body["name"], body["arguments"])
    last = messages[-1] if messages else None
    if same_step and isinstance(last, AssistantMessage):
        messages[-1] = replace(last, calls=(*last.calls, call))
    else:
        messages.append(AssistantMessage(calls=(call,)))


def _result(body: Mapping[str, Any]) -> ToolResult:
    return ToolResult(body["callId"], body["name"], body["content"], body["error"])


def repair_unanswered_tool_calls(messages: Sequence[Message]) -> list[Message]:
    """The messages with exactly one result a call, right after it, in call order.

    A call without a result gets OUTCOME_UNKNOWN; of several results the first stays; a result whose
    call isn't before it is left out. A provider may use a call's id again in a later message: a
    result belongs to the last call before it. Nothing that was given is changed.
    """
    last: dict[str, int] = {}
    results: dict[tuple[int, str], Message] = {}
    for index, message in enumerate(messages):
        if isinstance(message, AssistantMessage):
            last |= {call.id: index for call in message.calls}
        elif isinstance(message, ToolResult) and message.call_id in last:
            results.setdefault((last[message.call_id], message.call_id), message)
    repaired: list[Message] = []
    for index, message in enumerate(messages):
        if isinstance(message, ToolResult):
            continue
        repaired.append(message)
        if isinstance(message, AssistantMessage):
            repaired.extend(
                results.get((index, call.id)) or _unknown(call) for call in message.calls
            )
    return repaired


def _unknown(call: ToolCall) -> ToolResult:
    return ToolResult(call.id, call.name, OUTCOME_UNKNOWN_TEXT, OUTCOME_UNKNOWN)


_PERSONS_STOP = ("USER_SIGINT", "NOW_PRIORITY_INPUT")


def spoken_text(message: AssistantMessage) -> str:
    """The text as a model reads it: with its mark where it was cut."""
    if not message.interrupted:
        return message.text
    by_person = message.reason is None or message.reason in _PERSONS_STOP
    mark = "[interrupted by the user]" if by_person else f"[interrupted: {message.reason}]"
    return f"{message.text.rstrip()} {mark}".strip()
