"""The events of one AG-UI run, in an order that the protocol allows: what was opened is closed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from json.encoder import encode_basestring
from typing import Any, Final

from gateway.api.agui.requests import PROTOCOL_VERSION
from gateway.api.sse import event
from gateway.core.messages import Json, ToolCall

SUCCESS: Final[Mapping[str, Any]] = {"type": "success"}
CANCELLED: Final[Mapping[str, Any]] = {"type": "cancelled"}


def text_id(run: str, step: int) -> str:
    """The id of the message that a step of a run makes."""
    return f"{run}-{step}"


def result_id(call_id: str) -> str:
    """The id of the message that holds a call's result."""
    return f"result-{call_id}"


class Outlet:
    """Makes the events of one run; each method gives the bytes to send. `announced` are the calls
    that the client knows.
    """

    def __init__(self, thread_id: str, run_id: str) -> None:
        self._thread_id = thread_id
        self._run_id = run_id
        self._open = ""
        self._lengths: dict[str, int] = {}
        self.announced: set[str] = set()

    def started(self, parent_run_id: str | None) -> bytes:
        """The run begins."""
        return self._event(
            "RUN_STARTED",
            **self._ids(),
            protocolVersion=PROTOCOL_VERSION,
            parentRunId=parent_run_id,
        )

    def messages(self, messages: Sequence[Mapping[str, Any]]) -> bytes:
        """The whole conversation."""
        return self.close() + self._event("MESSAGES_SNAPSHOT", messages=messages)

    def text(self, run: str, step: int, offset: int, text: str) -> bytes:
        """More of a step's text. What was sent can't be taken back: a text that was changed goes on
        in a message of its own, and the next snapshot puts it right.
        """
        id_ = text_id(run, step)
        while self._lengths.get(id_, 0) != offset and id_ in self._lengths:
            id_, offset = f"{id_}-anew", 0
        made = b""
        if self._open != id_:
            made = self.close() + self._event("TEXT_MESSAGE_START", messageId=id_, role="assistant")
            self._open = id_
        self._lengths[id_] = offset + len(text)
        return made + _content(id_, text)

    def close(self) -> bytes:
        """The open message is whole."""
        id_, self._open = self._open, ""
        return self._event("TEXT_MESSAGE_END", messageId=id_) if id_ else b""

    def knows(self, run: str, step: int) -> bool:
        """Whether something of this step's text was sent."""
        return text_id(run, step) in self._lengths

    def call(self, run: str, step: int, call: ToolCall) -> bytes:
        """A tool call, once; nothing where the client knows it."""
        if call.id in self.announced:
            return b""
        self.announced.add(call.id)
        start = self._event(
            "TOOL_CALL_START",
            toolCallId=call.id,
            toolCallName=call.name,
            parentMessageId=text_id(run, step),
        )
        arguments = self._event("TOOL_CALL_ARGS", toolCallId=call.id, delta=_json(call.arguments))
        return b"".join(
            [self.close(), start, arguments, self._event("TOOL_CALL_END", toolCallId=call.id)]
        )

    def result(self, call_id: str, content: str) -> bytes:
        """The result of a call that the client knows."""
        return self.close() + self._event(
            "TOOL_CALL_RESULT",
            messageId=result_id(call_id),
            toolCallId=call_id,
            content=content,
            role="tool",
        )

    def custom(self, name: str, value: Json) -> bytes:
        """Something that the protocol has no event for."""
        return self._event("CUSTOM", name=f"bargein.{name}", value=value)

    def finished(self, outcome: Mapping[str, Any]) -> bytes:
        """The run's end."""
        return self.close() + self._event("RUN_FINISHED", **self._ids(), outcome=outcome)

    def failed(self, code: str, message: str) -> bytes:
        """The run's end by an error."""
        return self.close() + self._event("RUN_ERROR", message=message, code=code)

    def _ids(self) -> dict[str, str]:
        return {"threadId": self._thread_id, "runId": self._run_id}

    def _event(self, type_: str, **fields: Any) -> bytes:
        given = {name: value for name, value in fields.items() if value is not None}
        return event(_json({"type": type_, **given}).encode("utf-8", "replace"))


def interrupted(interrupts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The outcome of a run that asks."""
    return {"type": "interrupt", "interrupts": list(interrupts)}


def _content(id_: str, text: str) -> bytes:
    """A piece of text. It is encoded by itself: most events are these."""
    line = (
        f'{{"type":"TEXT_MESSAGE_CONTENT","messageId":"{id_}","delta":{encode_basestring(text)}}}'
    )
    return event(line.encode("utf-8", "replace"))


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
