"""A run's events to an AG-UI client: from its start until it ends or asks."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from aiohttp.web import StreamResponse

from gateway.api.agui.events import CANCELLED, SUCCESS, Outlet, interrupted
from gateway.api.agui.interrupts import wire
from gateway.api.agui.resuming import Leg
from gateway.api.agui.runs import AguiRuns, Asked, last_event
from gateway.api.feed import ASKING
from gateway.api.gate import Arrived, Gate
from gateway.api.runlog import Line, Reader, RunLog, Said
from gateway.api.sse import KEEP_ALIVE_SECONDS, EventStream, ReaderGone
from gateway.core.errors import GatewayError, NotFound
from gateway.core.messages import ToolCall
from gateway.supervise import guarded_await

LOOK_SECONDS: Final = 1.0
"""How soon it is seen that a client is gone while there is nothing to write."""
UNKNOWN: Final = "unknown-interrupt"


class AguiStreams:
    """Serves AG-UI clients."""

    def __init__(self, runs: AguiRuns, gate: Gate, join_seconds: float) -> None:
        self._runs = runs
        self._gate = gate
        self._join_seconds = join_seconds
        self._readers: Counter[str] = Counter()

    async def run(self, arrived: Arrived) -> StreamResponse:
        """Answer a request with its run's events."""
        asked = await self._runs.read(arrived)
        events = EventStream(arrived.request, self._gate.cors(arrived.request))
        stream = _Stream(self, self._runs, asked, events, self._join_seconds)
        try:
            with self._gate.streams.one(arrived.caller, events.abort):
                await events.open()
                await stream.serve()
        except ReaderGone:
            await self._left(asked)
        finally:
            if asked.follow is not None:
                self._runs.door.feed.unfollow(asked.follow)
        return events.response

    def reads(self, run: str, by: int) -> None:
        """One client more, or less, reads a run."""
        self._readers[run] += by
        if not self._readers[run]:
            del self._readers[run]

    async def _left(self, asked: Asked) -> None:
        """A client is gone: with the last one that reads it a run is stopped. Where nobody takes
        that any more, because the server stops too, the run is ended by that.
        """
        self._runs.look(asked)
        if asked.leg is not None and self._readers[asked.leg.run]:
            return
        if asked.refused is None:
            await guarded_await(self._runs.gone(asked))


class _Stream:
    """One response."""

    def __init__(
        self,
        streams: AguiStreams,
        runs: AguiRuns,
        asked: Asked,
        events: EventStream,
        join_seconds: float,
    ) -> None:
        self._streams = streams
        self._runs = runs
        self._asked = asked
        self._events = events
        self._join_seconds = join_seconds
        self._outlet = Outlet(asked.body.thread_id, asked.body.run_id)
        self._silent_since = 0.0

    async def serve(self) -> None:
        """Everything from RUN_STARTED to the last event; an error comes as that."""
        await self._send(self._outlet.started(self._asked.body.parent_run_id))
        try:
            await self._serve()
        except GatewayError as error:
            await self._send(self._outlet.failed(error.code, str(error)))

    async def _serve(self) -> None:
        asked = self._asked
        if asked.refused is not None:
            raise asked.refused
        if asked.leg is None and asked.follow is None:
            await self._snapshot()
            await self._send(self._outlet.finished(await self._as_it_stands()))
            return
        if not await self._runs_by_now():
            return
        leg = asked.leg
        assert leg is not None
        for unknown in leg.unknown:
            await self._send(self._outlet.custom(UNKNOWN, {"interruptId": unknown}))
        log = self._runs.door.feed.known(leg.run)
        place = "" if log is None else self._begins(log, leg)
        last = await self._runs.recorded(leg) if self._is_past(leg) else None
        if last is not None:
            await self._replay(last)
            return
        self._streams.reads(leg.run, 1)
        try:
            await self._follow(leg, log, place)
        finally:
            self._streams.reads(leg.run, -1)

    def _is_past(self, leg: Leg) -> bool:
        """Whether nothing new comes of the request: its run is on or over since another one, or the
        request left questions open.
        """
        fresh = self._asked.follow is not None or self._asked.place is not None
        return leg.repeated or bool(leg.open) or not fresh

    async def _as_it_stands(self) -> Mapping[str, Any]:
        """The outcome of a run that says nothing: what is asked, if anything is."""
        asked = await self._runs.open_to(self._asked)
        return interrupted([wire(question) for question in asked]) if asked else SUCCESS

    async def _snapshot(self, *, ended: bool = False, always: bool = False) -> None:
        messages = await self._runs.messages(self._asked, ended=ended, always=always)
        if messages is not None:
            await self._send(self._outlet.messages(messages))

    async def _replay(self, last: Mapping[str, Any]) -> None:
        """What has ended is not run again: the conversation as it is, and the recorded end."""
        await self._snapshot(ended=True)
        await self._end(last)

    async def _end(self, last: Mapping[str, Any]) -> None:
        if "outcome" in last:
            await self._send(self._outlet.finished(last["outcome"]))
        else:
            await self._send(self._outlet.failed(last["code"], last["message"]))

    # -- a message that waits ------------------------------------------------------------------

    async def _runs_by_now(self) -> bool:
        """Wait for the message's run; False where it comes to none, which has been told then."""
        asked, follow = self._asked, self._asked.follow
        while asked.leg is None and follow is not None:
            questions = await self._runs.open_to(asked)
            if questions:
                await self._snapshot()
                outcome = interrupted([wire(question) for question in questions])
                await self._send(self._outlet.finished(outcome))
                return False
            await self._silence(
                await follow.until(lambda: bool(follow.run or follow.outcome), LOOK_SECONDS)
            )
            self._runs.look(asked)
            if follow.outcome and not follow.run:
                await self._without_run(follow.outcome, follow.detail)
                return False
        return True

    async def _without_run(self, outcome: str, detail: str) -> None:
        """A message has come to an end without a run."""
        await self._snapshot()
        if outcome in ("refused", "dropped", "failed"):
            await self._send(self._outlet.failed(detail or outcome.upper(), f"it was {outcome}"))
        else:
            stopped = outcome in ("returned", "interrupted")
            await self._send(self._outlet.finished(CANCELLED if stopped else SUCCESS))

    # -- a run that is on ----------------------------------------------------------------------

    async def _follow(self, leg: Leg, log: RunLog | None, place: str) -> None:
        """Tell what comes behind `place`, which was taken before it was seen that the task goes on:
        what came meanwhile is behind it.
        """
        await self._snapshot(always=bool(leg.number))  # results follow of calls made before
        if leg.number:
            self._knows(await self._runs.calls(leg), leg.upto)
        if log is None:
            log = self._runs.door.feed.log(leg.run, self._asked.thread)
            place = _place(log, leg)
            last = await self._runs.recorded(leg)
            if last is not None:
                await self._end(last)
                return
        reader = Reader(log, place)
        try:
            await self._pump(reader, leg, log)
        finally:
            reader.close()

    def _begins(self, log: RunLog, leg: Leg) -> str:
        """Where what the request asked for begins."""
        place = self._asked.place
        return _place(log, leg) if place is None or leg.repeated else place

    def _knows(self, calls: list[Any], upto: int | None = None) -> None:
        """The client knows the calls of the tasks before."""
        self._outlet.announced |= {
            entry.body["id"] for entry in calls if upto is None or entry.seq <= upto
        }

    async def _pump(self, reader: Reader, leg: Leg, log: RunLog) -> None:
        while True:
            if reader.missed:
                reader.skip()
                await self._snapshot()
            item = reader.next()
            if isinstance(item, Said):
                await self._send(self._outlet.text(leg.run, item.step, item.offset, item.text))
                reader.took(item)
                if self._join_seconds:
                    await asyncio.sleep(self._join_seconds)
            elif item is not None:
                if await self._line(leg, item):
                    return
            elif log.over:
                last = await self._runs.recorded(leg)
                await self._end(last or {"outcome": CANCELLED})
                return
            else:
                await self._silence(await reader.wait(LOOK_SECONDS))

    async def _line(self, leg: Leg, line: Line) -> bool:
        """Tell one event; whether it is the last."""
        data: Mapping[str, Any] = line.data
        if line.type == "tool":
            await self._tool(leg, data)
        elif line.type == "text-end":
            await self._send(self._outlet.close())
        elif line.type in ("progress", "child"):
            await self._send(self._outlet.custom(line.type, dict(data)))
        elif line.type == "message" and data["role"] == "assistant":
            await self._whole(leg, data)
        elif line.type == "finish" and data.get("state") == ASKING:
            for entry in await self._runs.calls(leg):
                await self._send(self._outlet.call(leg.run, entry.step, _call(entry)))
            await self._end(await self._runs.asks(leg.run, data["questions"]))
            return True
        elif line.type == "finish":
            fields = (data.get(name) for name in ("end", "reason", "error", "errorId"))
            await self._end(last_event(*fields))
            return True
        return False

    async def _whole(self, leg: Leg, data: Mapping[str, Any]) -> None:
        """A text that came at once."""
        if data["text"] and not self._outlet.knows(leg.run, data["step"]):
            text = self._outlet.text(leg.run, data["step"], 0, data["text"])
            await self._send(text + self._outlet.close())

    async def _tool(self, leg: Leg, data: Mapping[str, Any]) -> None:
        """A call that was started or has returned; one that the client never heard of is told."""
        id_, step = str(data["callId"]), int(data["step"])
        if data["state"] == "started":
            call = ToolCall(id_, str(data["name"]), data["arguments"])
            await self._send(self._outlet.call(leg.run, step, call))
            return
        if id_ not in self._outlet.announced:
            entry = await self._runs.call(leg, id_)
            if entry is not None:
                await self._send(self._outlet.call(leg.run, entry.step, _call(entry)))
        await self._send(self._outlet.result(id_, str(data["content"])))

    # -- the connection ------------------------------------------------------------------------

    async def _send(self, data: bytes) -> None:
        if data:
            self._silent_since = asyncio.get_running_loop().time()
            await self._events.send(data)

    async def _silence(self, news: bool) -> None:
        """Nothing was to be told for a moment: see whether the client is there, and may still look.

        Raises:
            ReaderGone: it is not. AccessDenied: it may not.
        """
        transport = self._asked.arrived.request.transport
        if self._events.gone or transport is None or transport.is_closing():
            raise ReaderGone
        now = asyncio.get_running_loop().time()
        if news or now - self._silent_since < KEEP_ALIVE_SECONDS:
            return
        with suppress(NotFound):  # it was deleted: its run's end is still to be told
            await self._runs.door.thread(self._asked.caller, self._asked.thread)
        self._silent_since = now
        await self._events.keep_alive()


def _place(log: RunLog, leg: Leg) -> str:
    """Where the events of a run's task begin: after the last time that it asked."""
    ends = [
        item.seq
        for item in log.items
        if isinstance(item, Line) and item.type == "finish" and item.data.get("state") == ASKING
    ]
    if leg.number and ends:
        return str(ends[-1])
    return "" if log.whole else str(log.after)


def _call(entry: Any) -> ToolCall:
    return ToolCall(entry.body["id"], entry.body["name"], entry.body["arguments"])
