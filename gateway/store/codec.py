"""The stored form of rows: JSON with camelCase keys. The only place that knows it.

What stands at its default is left out where that is nothing. A reader takes what is left out, by an
older version too (its default stands) and passes over keys that a newer
version added. A reason is kept as text: `parse_reason` reads the names this version doesn't have.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from gateway.core.errors import ValidationFailed
from gateway.core.interrupts import iso, parse_iso
from gateway.core.log import attachment_body, attachment_of
from gateway.core.messages import Json, Quote, ToolCall
from gateway.core.queueing import Mode, Priority
from gateway.ports.agent import RunOptions
from gateway.ports.rows import InputKind, InputRow, NewInput, RunRow, StepText, ThreadRow

T = TypeVar("T")
_DAMAGE = (KeyError, ValueError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A row that can't be read. `name` is its kind and id, never its content."""

    name: str


def readable(name: str, decode: Callable[..., T], *args: Any) -> T | Unreadable:
    """What `decode` reads, or the name of the row it could not read."""
    try:
        return decode(*args)
    except _DAMAGE:
        return Unreadable(name)


_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")
)
_NO_OPTIONS = RunOptions()


def dumps(value: object) -> str:
    """JSON text that any UTF-8 column takes.

    Raises:
        ValidationFailed: the value is not JSON (a foreign type, NaN, nested too deep).
    """
    try:
        text = _ENCODER.encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValidationFailed(f"can't be stored: {type(error).__name__}") from error
    if text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    return json.dumps(value, allow_nan=False, separators=(",", ":"))


def _body(fields: Mapping[str, object]) -> str:
    return dumps({name: value for name, value in fields.items() if value is not None})


def loads(text: str) -> Any:
    """The value that `dumps` wrote."""
    return json.loads(text)


def loads_object(text: str) -> dict[str, Any]:
    """The JSON object in a `body` column.

    Raises:
        ValueError, TypeError: it is something else.
    """
    value = json.loads(text)
    if not isinstance(value, dict):
        raise TypeError("not an object")
    return value


def stamp(moment: datetime) -> str:
    """UTC text of fixed width: compared as text, it compares in time."""
    return iso(moment) or ""


def moment(text: str) -> datetime:
    """The moment that `stamp` wrote."""
    return datetime.fromisoformat(text)


def _options(options: RunOptions) -> dict[str, Json] | None:
    if options == _NO_OPTIONS:
        return None
    fields: dict[str, Json] = {
        "maxIterations": options.max_iterations,
        "maxTokens": options.max_tokens,
        "maxCostUsd": options.max_cost_usd,
        "timeoutSeconds": options.timeout_seconds,
        "parallelToolCalls": options.parallel_tool_calls,
        "onIterationLimit": options.on_iteration_limit,
        "queueSteering": options.queue_steering,
        "queueFollowUp": options.queue_follow_up,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _read_options(row: Mapping[str, Any]) -> RunOptions:
    default = _NO_OPTIONS
    return RunOptions(
        max_iterations=row.get("maxIterations"),
        max_tokens=row.get("maxTokens"),
        max_cost_usd=row.get("maxCostUsd"),
        timeout_seconds=row.get("timeoutSeconds"),
        parallel_tool_calls=row.get("parallelToolCalls"),
        on_iteration_limit=row.get("onIterationLimit"),
        queue_steering=row.get("queueSteering", default.queue_steering),
        queue_follow_up=row.get("queueFollowUp", default.queue_follow_up),
    )


def input_body(row: InputRow) -> str:
    """The body of an input: what was said, and what became of it beyond the columns."""
    new = row.new
    return _body(
        {
            "channel": new.channel,
            "text": new.text,
            "kind": new.kind.value,
            "override": None if new.override is None else int(new.override),
            "sender": new.sender or None,
            "language": new.language,
            "attachments": [attachment_body(a) for a in new.attachments] or None,
            "quote": None if new.quote is None else [new.quote.text, new.quote.sender],
            "seen": new.seen,
            "replyTo": new.reply_to,
            "addressed": new.run,
            "value": new.value,
            "how": new.how,
            "saidAt": iso(new.said_at),
            "chat": new.chat or None,
            "mode": None if new.mode is None else new.mode.value,
            "branch": new.branch,
            "options": _options(new.options),
            "fingerprint": new.fingerprint or None,
            "queued": new.queued or None,
            "collect": row.collect or None,
            "joins": row.joins or None,
            "beside": row.beside or None,
            "detail": row.detail or None,
            "run": row.run,
        }
    )


def read_new_input(body: Mapping[str, Any], *, dedup: str, thread: str, principal: str) -> NewInput:
    """What was said."""
    override = body.get("override")
    return NewInput(
        dedup=dedup,
        thread=thread,
        channel=body["channel"],
        principal=principal,
        text=body["text"],
        kind=InputKind(body["kind"]),
        override=None if override is None else Priority(override),
        sender=body.get("sender", ""),
        language=body.get("language", "en"),
        attachments=tuple(map(attachment_of, body.get("attachments", ()))),
        quote=None if body.get("quote") is None else Quote(*body["quote"]),
        seen=body.get("seen"),
        reply_to=body.get("replyTo"),
        run=body.get("addressed"),
        value=body.get("value"),
        how=body.get("how", "text"),
        said_at=parse_iso(body.get("saidAt")),
        chat=body.get("chat", ""),
        mode=None if body.get("mode") is None else Mode(body["mode"]),
        branch=body.get("branch"),
        options=_read_options(body.get("options", {})),
        fingerprint=body.get("fingerprint", ""),
        queued=body.get("queued", ""),
    )


def _text(text: StepText) -> dict[str, Json]:
    return {
        "text": text.text,
        "shown": text.shown,
        "providerParts": text.provider_parts,
        "final": text.final,
    }


def _read_text(row: Mapping[str, Any]) -> StepText:
    return StepText(
        text=row["text"],
        shown=row.get("shown", ""),
        provider_parts=row.get("providerParts"),
        final=row.get("final", False),
    )


def _call(call: ToolCall) -> dict[str, Json]:
    return {"id": call.id, "name": call.name, "arguments": dict(call.arguments)}


def run_body(row: RunRow) -> str:
    """The body of a run."""
    return _body(
        {
            "agent": row.agent,
            "channel": row.channel,
            "principals": list(row.principals),
            "inputs": list(row.inputs),
            "language": row.language,
            "options": _options(row.options),
            "reason": row.reason,
            "end": row.end,
            "error": row.error,
            "errorId": row.error_id,
            "step": row.step or None,
            "checkpoint": row.checkpoint,
            "batch": [_call(call) for call in row.batch] or None,
            "texts": {str(step): _text(text) for step, text in row.texts.items()} or None,
            "crashes": row.crashes or None,
            "resumed": row.resumed or None,
            "rolledBack": row.rolled_back or None,
            "retryOf": row.retry_of,
            "beside": row.beside or None,
            "named": row.named or None,
        }
    )


def read_run(
    body: Mapping[str, Any], *, run: str, thread: str, state: str, started_at: str
) -> RunRow:
    """The run of a body and its columns."""
    return RunRow(
        id=run,
        thread=thread,
        agent=body["agent"],
        channel=body["channel"],
        state=state,
        principals=tuple(body["principals"]),
        inputs=tuple(body["inputs"]),
        started_at=moment(started_at),
        language=body.get("language", "en"),
        options=_read_options(body.get("options", {})),
        reason=body.get("reason"),
        end=body.get("end"),
        error=body.get("error"),
        error_id=body.get("errorId"),
        step=body.get("step", 0),
        checkpoint=body.get("checkpoint"),
        batch=tuple(
            ToolCall(call["id"], call["name"], call["arguments"]) for call in body.get("batch", ())
        ),
        texts={int(step): _read_text(text) for step, text in body.get("texts", {}).items()},
        crashes=body.get("crashes", 0),
        resumed=body.get("resumed", False),
        rolled_back=body.get("rolledBack", False),
        retry_of=body.get("retryOf"),
        beside=body.get("beside", False),
        named=body.get("named", False),
    )


def thread_body(row: ThreadRow) -> str:
    """The body of a thread."""
    return dumps({"settings": dict(row.settings), "title": row.title})
