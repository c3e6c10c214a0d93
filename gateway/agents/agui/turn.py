"""One answer of an AG-UI server, as what happens in a run: texts, calls, results, its end."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from gateway.agents.agui import events as ev
from gateway.agents.agui.errors import FAILED, NOT_ALLOWED, broken
from gateway.agents.agui.outgoing import KEY
from gateway.agents.agui.patch import patched
from gateway.core.cancellation import InterruptBehavior
from gateway.core.errors import AgentFailed
from gateway.core.events import CallReturned, CallStarted, StepDone
from gateway.core.messages import Json, ToolCall, ToolResult
from gateway.ports.agent import CallFacts, Leave, RunHost

MAX_TEXT: Final = 1_000_000
MAX_PARTS: Final = 1_000
"""So many messages and calls one answer may have."""
MAX_STATE: Final = 256 * 1024
"""A greater state is not kept from one run to the next."""
ON_INTERRUPT: Final = "on_interrupt"


@dataclass(slots=True)
class Turn:
    """What was read of an answer so far. `open_calls` were asked about in the answer before: their
    results come here. `heard` are the ids of the messages that the server was sent. `forgets`: the
    server's ids are of a thread that it is not asked about again.
    """

    host: RunHost
    step: int
    state: Json
    checkpoint: Callable[[], Json]
    heard: frozenset[str]
    open_calls: Mapping[str, tuple[int, ToolCall]] = field(default_factory=dict)
    forgets: bool = False
    text: str = ""
    batch: list[ToolCall] = field(default_factory=list)
    returned: set[str] = field(default_factory=set)
    calls: dict[str, tuple[int, ToolCall]] = field(default_factory=dict)
    legacy: list[Json] = field(default_factory=list)
    finished: ev.RunFinished | None = None
    _began: bool = False
    _parts: int = 0
    _open: str | None = None
    _id: str = ""
    _chunk: str | None = None
    _ignored: set[str] = field(default_factory=set)
    _told: set[str] = field(default_factory=set)
    _building: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    _chunk_call: str | None = None
    _parents: dict[str, str] = field(default_factory=dict)
    _results: dict[str, str] = field(default_factory=dict)
    _snapshot: tuple[ev.SnapshotMessage, ...] = ()
    _takes: Mapping[type[ev.Event], Callable[[Any], Awaitable[None]]] = field(init=False)

    def __post_init__(self) -> None:
        self._takes = {
            ev.RunStarted: self._run_started,
            ev.RunFinished: self._run_finished,
            ev.TextStart: self._text_start,
            ev.TextContent: self._text_content,
            ev.TextEnd: self._text_end,
            ev.TextChunk: self._text_chunk,
            ev.CallStart: self._call_start,
            ev.CallArgs: self._call_args,
            ev.CallEnd: self._call_end,
            ev.CallChunk: self._call_chunk,
            ev.CallResult: self._call_result,
            ev.StateSnapshot: self._state_snapshot,
            ev.StateDelta: self._state_delta,
            ev.MessagesSnapshot: self._messages_snapshot,
            ev.Custom: self._custom,
        }

    async def take(self, event: ev.Event) -> bool:
        """Take in one event; whether it is the last.

        Raises:
            AgentFailed: it may not come now, or it says that the run has failed.
            RunEnded: the run takes nothing more.
        """
        if isinstance(event, ev.RunError):
            code = f" {event.code}" if event.code else ""
            raise AgentFailed(FAILED, f"the agent's run failed{code}: {event.message[:200]}")
        if not self._began and not isinstance(event, ev.RunStarted):
            raise broken("the answer doesn't begin with RUN_STARTED")
        if not isinstance(event, ev.TextChunk | ev.CallChunk):
            await self._close_chunks()
        await self._takes[type(event)](event)
        return self.finished is not None

    def parts(self) -> Json:
        """What is kept of the server's with the step's text."""
        keeps = self._id and self.text and not self.forgets
        return {KEY: {"id": self._id}} if keeps else None

    def last_parts(self) -> Json:
        """The same with all that a later run needs."""
        results: dict[str, Json] = dict(self._results)
        parents: dict[str, Json] = dict(self._parents)
        own: dict[str, Json] = {"id": self._id, "results": results, "parents": parents}
        kept = {} if self.forgets else own
        if self.state is not None and len(json.dumps(self.state)) <= MAX_STATE:
            kept["state"] = self.state
        return {KEY: kept}

    # -- the run -------------------------------------------------------------------------------

    async def _run_started(self, event: ev.RunStarted) -> None:
        if self._began:
            raise broken("RUN_STARTED comes twice")
        self._began = True

    async def _run_finished(self, event: ev.RunFinished) -> None:
        if self._open is not None or self._building:
            raise broken("RUN_FINISHED comes while something is open")
        outcome = event.outcome
        if outcome is not None and outcome.type == "interrupt":
            ids = [interrupt.id for interrupt in outcome.interrupts]
            if not ids or len(set(ids)) != len(ids):
                raise broken("RUN_FINISHED: interrupts without an id of their own")
        elif outcome is not None and outcome.interrupts:
            raise broken(f"RUN_FINISHED: {outcome.type} with interrupts")
        await self._from_snapshot()
        self.finished = event

    def _count(self) -> None:
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise broken(f"an answer has more than {MAX_PARTS} messages and calls")

    # -- texts ---------------------------------------------------------------------------------

    async def _text_start(self, event: ev.TextStart) -> None:
        self._count()
        if event.role != "assistant":
            self._ignored.add(event.message_id)
            return
        if self._open is not None or event.message_id in self._told:
            raise broken("TEXT_MESSAGE_START comes while a message is open, or twice")
        await self._next_step()
        self._open = self._id = event.message_id
        self._told.add(event.message_id)

    async def _text_content(self, event: ev.TextContent) -> None:
        if event.message_id in self._ignored:
            return
        if event.message_id != self._open:
            raise broken("TEXT_MESSAGE_CONTENT of a message that is not open")
        self._grow(event.delta)

    def _grow(self, delta: str) -> None:
        self.text += delta
        if len(self.text) > MAX_TEXT:
            raise broken(f"a message has more than {MAX_TEXT} characters")
        if delta:
            self.host.say(self.step, delta)

    async def _text_end(self, event: ev.TextEnd) -> None:
        if event.message_id in self._ignored:
            return
        if event.message_id != self._open:
            raise broken("TEXT_MESSAGE_END of a message that is not open")
        self._open = None

    async def _text_chunk(self, event: ev.TextChunk) -> None:
        id_ = event.message_id or self._chunk
        if id_ is None:
            raise broken("TEXT_MESSAGE_CHUNK of no message")
        if self._chunk != id_:
            await self._close_chunks()
            await self._text_start(ev.TextStart(message_id=id_, role=event.role or "assistant"))
            self._chunk = id_
        if event.delta and id_ not in self._ignored:
            self._grow(event.delta)

    async def _close_chunks(self) -> None:
        """What came in chunks is whole once something else comes."""
        if self._chunk is not None:
            if self._chunk not in self._ignored:
                self._open = None
            self._chunk = None
        if self._chunk_call is not None:
            id_, self._chunk_call = self._chunk_call, None
            await self._call_end(ev.CallEnd(tool_call_id=id_))

    async def _next_step(self) -> None:
        """A further message is a further step."""
        if not self.text and not self.batch:
            self.step = self.step or 1
            return
        if all(call.id in self.returned for call in self.batch):
            done = StepDone(self.step, self.text, self.parts(), self.checkpoint())
            await self.host.emit(done)
        self.step += 1
        self.text, self.batch, self._id = "", [], ""

    # -- calls ---------------------------------------------------------------------------------

    async def _call_start(self, event: ev.CallStart) -> None:
        self._count()
        id_ = event.tool_call_id
        if id_ in self.open_calls:
            self._ignored.add(id_)  # it was told before it was asked about
            return
        if id_ in self.calls or id_ in self._building:
            raise broken("TOOL_CALL_START comes twice")
        self._building[id_] = (event.tool_call_name, [])
        if event.parent_message_id:
            self._parents[id_] = event.parent_message_id

    async def _call_args(self, event: ev.CallArgs) -> None:
        if event.tool_call_id in self._ignored:
            return
        if event.tool_call_id not in self._building:
            raise broken("TOOL_CALL_ARGS of a call that is not open")
        parts = self._building[event.tool_call_id][1]
        parts.append(event.delta)
        if sum(map(len, parts)) > MAX_TEXT:
            raise broken(f"a call has more than {MAX_TEXT} characters")

    async def _call_end(self, event: ev.CallEnd) -> None:
        if event.tool_call_id in self._ignored:
            return
        if event.tool_call_id not in self._building:
            raise broken("TOOL_CALL_END of a call that is not open")
        name, parts = self._building.pop(event.tool_call_id)
        call = ToolCall(event.tool_call_id, name, _arguments("".join(parts)))
        self.calls[call.id] = (self.step, call)
        self.batch.append(call)
        leave = await self.host.may_run(CallFacts(call, needs_approval=False, destructive=True))
        if leave is Leave.REFUSE:
            raise AgentFailed(NOT_ALLOWED, f"{name} is not for whoever started the run")
        await self.start_call(self.step, call, self.batch)

    async def start_call(self, step: int, call: ToolCall, batch: Sequence[ToolCall]) -> None:
        """The agent is about to run a call; returns once that is stored."""
        behavior = InterruptBehavior.EXTERNALLY_TERMINATED
        text, parts = (self.text, self.parts()) if step == self.step else ("", None)
        started = CallStarted(step, call, behavior, tuple(batch), text, parts, self.checkpoint())
        await self.host.emit(started)

    async def _call_chunk(self, event: ev.CallChunk) -> None:
        id_ = event.tool_call_id or self._chunk_call
        if id_ is None:
            raise broken("TOOL_CALL_CHUNK of no call")
        if self._chunk_call != id_:
            await self._close_chunks()
            if event.tool_call_name is None:
                raise broken("TOOL_CALL_CHUNK without the tool's name")
            await self._call_start(
                ev.CallStart(
                    tool_call_id=id_,
                    tool_call_name=event.tool_call_name,
                    parent_message_id=event.parent_message_id,
                )
            )
            self._chunk_call = id_
        if event.delta:
            await self._call_args(ev.CallArgs(tool_call_id=id_, delta=event.delta))

    async def _call_result(self, event: ev.CallResult) -> None:
        id_ = event.tool_call_id
        known = self.calls.get(id_) or self.open_calls.get(id_)
        if known is None:
            raise broken("TOOL_CALL_RESULT of no call, or of one that is open")
        self._results.setdefault(id_, event.message_id)
        await self.give(known[0], ToolResult(id_, known[1].name, event.text))

    async def give(self, step: int, result: ToolResult) -> None:
        """A call's result, the first one only."""
        if result.call_id not in self.returned:
            self.returned.add(result.call_id)
            await self.host.emit(CallReturned(step, result, self.checkpoint()))

    # -- state, messages, and what is the server's own -----------------------------------------

    async def _state_snapshot(self, event: ev.StateSnapshot) -> None:
        self.state = event.snapshot

    async def _state_delta(self, event: ev.StateDelta) -> None:
        self.state = patched(self.state, event.delta)

    async def _messages_snapshot(self, event: ev.MessagesSnapshot) -> None:
        self._snapshot = tuple(event.messages)

    async def _from_snapshot(self) -> None:
        """What the agent said at once, without streaming it: after the last message that it was
        sent.
        """
        last = max((i for i, m in enumerate(self._snapshot) if m.id in self.heard), default=-1)
        for message in self._snapshot[last + 1 :]:
            said = message.role == "assistant" and isinstance(message.content, str)
            streamed = message.id in self._told or message.content == self.text
            if said and message.content and not streamed:
                await self._text_start(ev.TextStart(message_id=message.id))
                self._grow(str(message.content))
                self._open = None

    async def _custom(self, event: ev.Custom) -> None:
        if event.name == ON_INTERRUPT:
            self.legacy.append(event.value)


def _arguments(text: str) -> dict[str, Any]:
    """A call's arguments; what is no object stands under one name."""
    if not text.strip():
        return {}
    try:
        found = json.loads(text)
    except ValueError:
        return {"input": text}
    return found if isinstance(found, dict) else {"input": found}
