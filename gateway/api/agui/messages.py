"""A thread's conversation as AG-UI messages, and whether a client holds the same."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gateway.api.agui.events import result_id, text_id
from gateway.api.agui.files import content
from gateway.api.agui.requests import Message, Said
from gateway.core.log import Entry, Kind, attachment_body, ordered, refused_entries
from gateway.core.messages import Attachment
from gateway.ports.rows import InputKind, InputRow

MESSAGE_ID = "messageId"
"""Under this name an input's value keeps the id that the client gave its message."""


def message_id(row: InputRow) -> str:
    """The id that a client gave to what it said, "" where it said none."""
    value = row.new.value
    found = value.get(MESSAGE_ID) if isinstance(value, dict) else None
    return str(found or "")


def conversation(
    chain: Sequence[Entry],
    waiting: Iterable[InputRow],
    inputs: Iterable[InputRow],
    growing: str,
    upto: int,
) -> list[dict[str, Any]]:
    """The active branch up to entry `upto`; of run `growing`, whose stream follows, only what was
    said to it after that. What clients said and still waits comes last. `inputs` are those behind
    the branch, and maybe more.
    """
    refused = refused_entries(chain)
    ids = _Ids(inputs)
    made: list[dict[str, Any]] = []
    for entry in ordered(chain):
        late = entry.seq > upto and entry.run == growing and entry.kind is not Kind.USER
        if entry.seq in refused or late:
            continue
        if entry.kind is Kind.USER:
            attached = entry.body.get("attachments", ())
            made.append(_user(ids.of(entry), entry.body["text"], attached))
        elif entry.kind is Kind.ASSISTANT:
            _step(made, entry).update(_said(entry.body))
        elif entry.kind is Kind.TOOL_CALL:
            _step(made, entry).setdefault("toolCalls", []).append(_call(entry.body))
        elif entry.kind is Kind.TOOL_RESULT:
            made.append(_result(entry.body))
    return [*made, *(_waits(item) for item in waiting if message_id(item))]


class _Ids:
    """The ids of people's messages: the client's own, or the entry's."""

    def __init__(self, inputs: Iterable[InputRow]) -> None:
        self._left: dict[tuple[str, str], list[str]] = {}
        for item in inputs:
            if item.new.kind is InputKind.TEXT and item.run and message_id(item):
                said = self._left.setdefault((item.run, item.new.text), [])
                said.append(message_id(item))

    def of(self, entry: Entry) -> str:
        left = self._left.get((entry.run, entry.body["text"]))
        return left.pop(0) if left else f"entry-{entry.seq}"


def _step(made: list[dict[str, Any]], entry: Entry) -> dict[str, Any]:
    """The message of an entry's step: the last one, or a new one."""
    id_ = text_id(entry.run, entry.step)
    if not made or made[-1]["id"] != id_:
        made.append({"id": id_, "role": "assistant"})
    return made[-1]


def _user(id_: str, text: str, attached: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"id": id_, "role": "user", "content": content(text, attached)}


def _waits(item: InputRow) -> dict[str, Any]:
    attached = [attachment_body(one) for one in item.new.attachments]
    return _user(message_id(item), item.new.text, attached)


def _said(body: Mapping[str, Any]) -> dict[str, Any]:
    said: dict[str, Any] = {"content": body["text"]}
    metadata = body.get("metadata", {})
    if metadata.get("interrupted"):
        said["metadata"] = {"interrupted": True, "reason": metadata.get("reason")}
    return said


def _call(body: Mapping[str, Any]) -> dict[str, Any]:
    arguments = json.dumps(body["arguments"], ensure_ascii=False, separators=(",", ":"))
    return {
        "id": body["id"],
        "type": "function",
        "function": {"name": body["name"], "arguments": arguments},
    }


def _result(body: Mapping[str, Any]) -> dict[str, Any]:
    made = {
        "id": result_id(body["callId"]),
        "role": "tool",
        "toolCallId": body["callId"],
        "content": body["content"],
    }
    return {**made, "error": body["error"]} if body["error"] else made


# -- what the client holds -------------------------------------------------------------------------


def snapshot(
    ours: list[dict[str, Any]],
    theirs: Sequence[Message],
    said: Said | None,
    attached: Sequence[Attachment] = (),
    *,
    always: bool = False,
) -> list[dict[str, Any]] | None:
    """The messages that the client should hold, None where it does, save with `always`. What is the
    client's alone (system and developer messages) stays; what it says now and is not in the log yet
    comes last.
    """
    if not ours:
        return None
    if said is not None and said.id not in [message["id"] for message in ours]:
        ours = [*ours, _user(said.id, said.text, [attachment_body(one) for one in attached])]
    spoken = [m for m in theirs if m.role in ("user", "assistant", "tool")]
    if not always and [_mine(message) for message in ours] == [
        _theirs(message) for message in spoken
    ]:
        return None
    own = [m for m in theirs if m.role in ("system", "developer")]
    return [*({"id": m.id, "role": m.role, "content": m.text} for m in own), *ours]


def _mine(message: Mapping[str, Any]) -> tuple[Any, ...]:
    calls = tuple(call["id"] for call in message.get("toolCalls", ()))
    cut = bool(message.get("metadata", {}).get("interrupted"))
    held = message.get("content") or ""
    parts = held if isinstance(held, list) else []
    text = "".join(part.get("text", "") for part in parts) if parts else held
    files = sum(part["type"] != "text" for part in parts)
    return message["id"], message["role"], text, files, calls, cut


def _theirs(message: Message) -> tuple[Any, ...]:
    calls = tuple(call.id for call in message.tool_calls or ())
    cut = bool((message.metadata or {}).get("interrupted"))
    return message.id, message.role, message.text, len(message.files), calls, cut
