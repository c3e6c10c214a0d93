"""A run's events as an editor draws them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, TypeAlias

from acp.helpers import (
    start_tool_call,
    text_block,
    tool_content,
    update_agent_message_text,
    update_tool_call,
    update_user_message_text,
)

from gateway.api.runlog import Line, Said
from gateway.core.interrupts import Interrupt
from gateway.core.log import Entry, Kind, public

Update: TypeAlias = Any
Send: TypeAlias = Callable[[Update], Awaitable[None]]


class Drawing:
    """What one session's editor was sent of its runs."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._calls: set[str] = set()
        self._texts: dict[tuple[str, int], int] = {}

    async def draw(self, run: str, item: Line | Said) -> None:
        """Send what happened, where it shows."""
        if isinstance(item, Said):
            await self._text(run, item)
        elif item.type == "tool":
            await self._call(item.data)
        elif item.type == "progress":
            text = tool_content(text_block(str(item.data.get("text", ""))))
            await self._send(update_tool_call(str(item.data["callId"]), content=[text]))

    async def say(self, text: str) -> None:
        """Send a text of ours."""
        await self._send(update_agent_message_text(text))

    async def pending(self, question: Interrupt) -> None:
        """Send the call that a question is about, if it is not there yet."""
        if question.tool_call_id in self._calls:
            return
        self._calls.add(question.tool_call_id)
        arguments = question.details.get("arguments")
        call = start_tool_call(
            question.tool_call_id,
            question.tool_name,
            kind="other",
            status="pending",
            raw_input=arguments,
        )
        await self._send(call)

    async def replay(self, entries: Iterable[Entry]) -> None:
        """Send a conversation as it stands."""
        for entry in entries:
            body = public(entry.body)
            if entry.kind is Kind.USER:
                await self._send(update_user_message_text(str(body["text"])))
            elif entry.kind is Kind.ASSISTANT and body.get("text"):
                await self._send(update_agent_message_text(str(body["text"])))
            elif entry.kind is Kind.TOOL_CALL:
                await self._call({**body, "callId": body["id"], "state": "started"})
            elif entry.kind is Kind.TOOL_RESULT:
                await self._call({**body, "state": "returned"})

    async def _text(self, run: str, said: Said) -> None:
        """Only what is new: an editor can't take back what it has."""
        key = (run, said.step)
        sent = self._texts.get(key, 0)
        more = said.text[max(0, sent - said.offset) :]
        if not more:
            return
        first = sent == 0 and any(other == run and step < said.step for other, step in self._texts)
        self._texts[key] = said.offset + len(said.text)
        await self._send(update_agent_message_text(f"\n\n{more}" if first else more))

    async def _call(self, data: Mapping[str, Any]) -> None:
        id_ = str(data["callId"])
        if data.get("state") == "started":
            if id_ in self._calls:
                update = update_tool_call(id_, status="in_progress", raw_input=data["arguments"])
                await self._send(update)
                return
            self._calls.add(id_)
            call = start_tool_call(
                id_,
                str(data["name"]),
                kind="other",
                status="in_progress",
                raw_input=data["arguments"],
            )
            await self._send(call)
            return
        content = str(data.get("content", ""))
        ended = update_tool_call(
            id_,
            status="failed" if data.get("error") else "completed",
            content=[tool_content(text_block(content))],
            raw_output=content,
        )
        await self._send(ended)
