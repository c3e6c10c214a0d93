"""An AG-UI client: it keeps the conversation as the protocol says, and looks at every event.

ann = AguiClient(session, address, agent, thread="t")
run = await ann.say("hi")                      # to the end: run.outcome, run.text, run.events
run = ann.open(ann.input("hi"))                # as it comes: await run.until("TOOL_CALL_START")
await run.drop()                               # the connection is gone
run = await ann.resume({id: value, other: None})   # None: cancelled
Whatever is streamed is checked: by the published models, by `ag-ui-validate`, and by `Strict`.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import count
from typing import Any

import aiohttp
from ag_ui.core import Event
from ag_ui_validate.pytest_plugin import validate_agui
from pydantic import TypeAdapter

WITHIN_SECONDS = 60.0
TERMINAL = ("RUN_FINISHED", "RUN_ERROR")
_EVENT: TypeAdapter[Any] = TypeAdapter(Event)


class Strict:
    """The rules that the published models don't hold: of order, of ids, of outcomes."""

    def __init__(self, sent: dict[str, Any], calls: set[str]) -> None:
        self.sent = sent
        self.calls = calls
        self.messages: set[str] = set()
        self.open_texts: set[str] = set()
        self.open_calls: set[str] = set()
        self.first = True
        self.over = False

    def see(self, event: dict[str, Any]) -> None:
        type_ = event["type"]
        assert self.first == (type_ == "RUN_STARTED"), event
        assert not self.over, f"after the end: {event}"
        self.first = False
        assert None not in event.values(), f"null on the wire: {event}"
        check = getattr(self, f"_{type_.lower()}", None)
        if check is not None:
            check(event)

    def _run_started(self, event: dict[str, Any]) -> None:
        self._ids(event)
        assert event["protocolVersion"] == "1.0"

    def _ids(self, event: dict[str, Any]) -> None:
        ids = (event["threadId"], event["runId"])
        assert ids == (self.sent["threadId"], self.sent["runId"])

    def _text_message_start(self, event: dict[str, Any]) -> None:
        id_ = event["messageId"]
        assert id_ not in {"", *self.messages}, f"twice: {event}"
        assert not self.open_texts, f"two texts at once: {event}"
        self.messages.add(id_)
        self.open_texts.add(id_)

    def _text_message_content(self, event: dict[str, Any]) -> None:
        assert event["messageId"] in self.open_texts
        assert event["delta"]

    def _text_message_end(self, event: dict[str, Any]) -> None:
        self.open_texts.remove(event["messageId"])

    def _tool_call_start(self, event: dict[str, Any]) -> None:
        id_ = event["toolCallId"]
        assert id_ not in {"", *self.calls}, f"announced twice: {event}"
        self.calls.add(id_)
        self.open_calls.add(id_)

    def _tool_call_args(self, event: dict[str, Any]) -> None:
        assert event["toolCallId"] in self.open_calls

    def _tool_call_end(self, event: dict[str, Any]) -> None:
        self.open_calls.remove(event["toolCallId"])

    def _tool_call_result(self, event: dict[str, Any]) -> None:
        assert event["toolCallId"] in self.calls, f"of no call: {event}"

    def _messages_snapshot(self, event: dict[str, Any]) -> None:
        ids = [message["id"] for message in event["messages"]]
        assert len(set(ids)) == len(ids), ids
        self.calls |= {c["id"] for m in event["messages"] for c in m.get("toolCalls", ())}

    def _run_error(self, event: dict[str, Any]) -> None:
        assert event["message"]
        assert event["code"]
        self._closed(event)

    def _run_finished(self, event: dict[str, Any]) -> None:
        self._ids(event)
        self._closed(event)
        outcome = event["outcome"]
        if outcome["type"] != "interrupt":
            assert set(outcome) == {"type"}, outcome
            return
        ids = [interrupt["id"] for interrupt in outcome["interrupts"]]
        assert len(set(ids)) == len(ids) >= 1
        assert all(ids)
        for interrupt in outcome["interrupts"]:
            assert interrupt["reason"]
            assert interrupt["toolCallId"] in self.calls
            expires = datetime.fromisoformat(interrupt["expiresAt"])
            assert expires.utcoffset() == timedelta(0)
            assert interrupt["expiresAt"].endswith("Z")
            assert "digest" not in json.dumps(interrupt).lower()

    def _closed(self, event: dict[str, Any]) -> None:
        assert not self.open_texts | self.open_calls, f"left open: {event}"
        self.over = True


class AguiRun:
    """One request and what is streamed of it."""

    def __init__(self, client: AguiClient, sent: dict[str, Any]) -> None:
        self.client = client
        self.sent = sent
        self.events: list[dict[str, Any]] = []
        self.status = 0
        self.problem: Any = None
        self.dropped = False
        self._taken = 0
        self._news = asyncio.Event()
        self._ended = False
        self._strict = Strict(sent, client.calls)
        self._response: aiohttp.ClientResponse | None = None
        self._task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        client = self.client
        headers = {**client.headers, "Accept": "text/event-stream"}
        try:
            with suppress(aiohttp.ClientError):
                async with client.session.post(
                    client.url, json=self.sent, headers=headers
                ) as response:
                    self._response, self.status = response, response.status
                    if response.status != 200:
                        self.problem = json.loads(await response.read())
                    else:
                        await self._events(response)
        finally:
            self._ended = True
            self._news.set()

    async def _events(self, response: aiohttp.ClientResponse) -> None:
        assert response.content_type == "text/event-stream"
        async for raw in response.content:
            line = raw.decode().rstrip("\n")
            if not line or line.startswith(":"):
                continue
            assert line.startswith("data: "), line
            event = json.loads(line.removeprefix("data: "))
            _EVENT.validate_python(event)
            self._strict.see(event)
            self.events.append(event)
            self.client.apply(event)
            self._news.set()

    async def _wait(self, done: Any) -> None:
        async with asyncio.timeout(WITHIN_SECONDS * 10):
            while not done():
                if self._task.done() and self._task.exception() is not None:
                    raise self._task.exception()  # type: ignore[misc]
                assert not self._ended, f"ended: {self.status} {self.problem} {self.types}"
                self._news.clear()
                await self._news.wait()

    async def until(self, type_: str) -> dict[str, Any]:
        """The next event of this type."""

        def found() -> bool:
            return any(event["type"] == type_ for event in self.events[self._taken :])

        await self._wait(found)
        while True:
            event = self.events[self._taken]
            self._taken += 1
            if event["type"] == type_:
                return event

    async def done(self) -> AguiRun:
        """The same once its stream has ended; all of it is checked."""
        async with asyncio.timeout(WITHIN_SECONDS * 20):
            await self._task
        if self.status == 200 and not self.dropped:
            assert self.types[-1] in TERMINAL, self.types
            self.client.streamed += self.events
            report = validate_agui(self.client.streamed)
            found = [d for d in report.diagnostics if d.severity == "error"]
            assert not found, found
        return self

    async def drop(self) -> None:
        """Break the connection."""
        self.dropped = True
        if self._response is not None and self._response.connection is not None:
            transport = self._response.connection.transport
            if transport is not None:
                transport.abort()
        self._task.cancel()
        await asyncio.wait({self._task})

    @property
    def types(self) -> list[str]:
        return [event["type"] for event in self.events]

    @property
    def last(self) -> dict[str, Any]:
        return self.events[-1]

    @property
    def outcome(self) -> str:
        """success, interrupt, cancelled, or the code of the error."""
        if self.status != 200:
            return f"{self.status} {self.problem['code']}"
        last = self.events[-1]
        return str(last["code"] if last["type"] == "RUN_ERROR" else last["outcome"]["type"])

    @property
    def interrupts(self) -> list[dict[str, Any]]:
        return list(self.events[-1].get("outcome", {}).get("interrupts", []))

    @property
    def text(self) -> str:
        return "".join(e["delta"] for e in self.events if e["type"] == "TEXT_MESSAGE_CONTENT")

    def of(self, type_: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["type"] == type_]


class AguiClient:
    """Somebody's conversation with an agent."""

    def __init__(
        self, session: aiohttp.ClientSession, address: str, agent: str, *, thread: str, token: str
    ) -> None:
        self.session = session
        self.url = f"{address}/agui/{agent}"
        self.thread = thread
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.messages: list[dict[str, Any]] = []
        self.calls: set[str] = set()
        self.streamed: list[dict[str, Any]] = []
        self._numbers = count(1)

    def input(self, text: str | None = None, run: str = "", **more: Any) -> dict[str, Any]:
        """The body of a request: with a new message, or without."""
        number = next(self._numbers)
        if text is not None:
            self.messages.append({"id": f"user-{number}", "role": "user", "content": text})
        return {
            "threadId": self.thread,
            "runId": run or f"run-{number}",
            "messages": [dict(message) for message in self.messages],
            "state": {},
            "tools": [],
            "context": [],
            "forwardedProps": {},
            **more,
        }

    def open(self, body: dict[str, Any]) -> AguiRun:
        return AguiRun(self, body)

    async def say(self, text: str, **more: Any) -> AguiRun:
        return await self.open(self.input(text, **more)).done()

    async def again(self, run: AguiRun) -> AguiRun:
        """The same request once more."""
        return await self.open(run.sent).done()

    async def resume(self, answers: dict[str, Any], **more: Any) -> AguiRun:
        return await self.open(self.answers(answers, **more)).done()

    def answers(self, answers: dict[str, Any], **more: Any) -> dict[str, Any]:
        """The body of a request that answers; None cancels."""
        entries = [
            {"interruptId": id_, "status": "cancelled"}
            if value is None
            else {"interruptId": id_, "status": "resolved", "payload": value}
            for id_, value in answers.items()
        ]
        return self.input(resume=entries, **more)

    # -- the conversation

    def apply(self, event: dict[str, Any]) -> None:
        """Keep the conversation as an event changes it."""
        match event["type"]:
            case "TEXT_MESSAGE_START":
                self._message(event["messageId"])
            case "TEXT_MESSAGE_CONTENT":
                message = self._message(event["messageId"])
                message["content"] = message.get("content", "") + event["delta"]
            case "TOOL_CALL_START":
                function = {"name": event["toolCallName"], "arguments": ""}
                call = {"id": event["toolCallId"], "type": "function", "function": function}
                self._message(event["parentMessageId"]).setdefault("toolCalls", []).append(call)
            case "TOOL_CALL_ARGS":
                for message in self.messages:
                    for call in message.get("toolCalls", ()):
                        if call["id"] == event["toolCallId"]:
                            call["function"]["arguments"] += event["delta"]
            case "TOOL_CALL_RESULT":
                made = {"id": event["messageId"], "role": "tool", "content": event["content"]}
                self.messages.append({**made, "toolCallId": event["toolCallId"]})
            case "MESSAGES_SNAPSHOT":
                self.messages[:] = [dict(message) for message in event["messages"]]

    def _message(self, id_: str) -> dict[str, Any]:
        for message in self.messages:
            if message["id"] == id_:
                return message
        made = {"id": id_, "role": "assistant"}
        self.messages.append(made)
        return made
