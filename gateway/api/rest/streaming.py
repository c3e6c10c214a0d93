"""A run's events to one reader: from where it was, until the run ends or asks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from json.encoder import encode_basestring
from typing import Any, Final, Protocol

from aiohttp import web

from gateway.api.feed import ASKING, Follow
from gateway.api.gate import Arrived, Gate
from gateway.api.rest import models
from gateway.api.runlog import Line, Reader, RunLog, Said
from gateway.api.sse import KEEP_ALIVE_SECONDS, EventStream, ReaderGone, event

ENDS: Final = ("completed", "interrupted", "failed", "cancelled")
JOIN_SECONDS: Final = 0.04
"""Text that comes sooner after a text is joined with what follows it."""


class Source(Protocol):
    """The run behind a stream."""

    thread: str

    async def check(self) -> None:
        """Whether the reader still may look.

        Raises:
            NotFound, AccessDenied: no.
        """

    async def view(self) -> models.Run:
        """The run as it stands."""

    async def interrupts(self, questions: list[str]) -> list[models.Interrupt]:
        """Those of its questions that the reader may see."""

    def saw(self) -> None:
        """The reader was written its questions."""


class Opening(Protocol):
    """What a message that waits comes to."""

    async def open(self, run: str) -> tuple[RunLog, Source]:
        """The run that it started or joined."""

    def without_run(self) -> models.Run:
        """How it stands, having come to an end without one."""


class Streams:
    """Writes runs' events to readers."""

    def __init__(self, gate: Gate, join_seconds: float = JOIN_SECONDS) -> None:
        self._gate = gate
        self._join_seconds = join_seconds

    async def run(
        self, arrived: Arrived, log: RunLog, source: Source, id_: str
    ) -> web.StreamResponse:
        """Everything of a run after `id_`, until the run ends or asks; 204 where nothing is left
        to come.
        """
        reader = Reader(log, id_)
        if log.over and id_ and not reader.missed and reader.next() is None:
            reader.close()
            return web.Response(status=204)
        if id_:
            reader.close()
            reader = Reader(log, id_)
        events = self._events(arrived)
        try:
            with self._gate.streams.one(arrived.caller, events.abort):
                await events.open()
                await self._pump(events, reader, log, source)
        except ReaderGone:
            pass
        finally:
            reader.close()
        return events.response

    async def follow(
        self, arrived: Arrived, follow: Follow, first: models.Run, opening: Opening
    ) -> web.StreamResponse:
        """The same for a message that waits: it is told that it does, then its run."""
        events = self._events(arrived)
        try:
            with self._gate.streams.one(arrived.caller, events.abort):
                await events.open()
                await events.send(_event("queued", _data(first)))
                while not (follow.run or follow.outcome):
                    news = await follow.until(
                        lambda: bool(follow.run or follow.outcome), KEEP_ALIVE_SECONDS
                    )
                    if not news:
                        await events.keep_alive()
                if not follow.run:
                    await events.send(_event("finish", _data(opening.without_run())))
                    return events.response
                log, source = await opening.open(follow.run)
                reader = Reader(log)
                try:
                    await self._pump(events, reader, log, source)
                finally:
                    reader.close()
        except ReaderGone:
            pass
        return events.response

    def _events(self, arrived: Arrived) -> EventStream:
        return EventStream(arrived.request, self._gate.cors(arrived.request))

    async def _pump(self, events: EventStream, reader: Reader, log: RunLog, source: Source) -> None:
        while True:
            if reader.missed and await self._snapshot(events, reader, log, source):
                return
            item = reader.next()
            if item is None:
                if log.over:
                    return
                if not await reader.wait(KEEP_ALIVE_SECONDS):
                    await source.check()
                    await events.keep_alive()
            elif isinstance(item, Said):
                await events.send(_said(item))
                reader.took(item)
                if self._join_seconds:
                    await asyncio.sleep(self._join_seconds)
            else:
                await self._line(events, item, source)
                if item.last:
                    return

    async def _snapshot(
        self, events: EventStream, reader: Reader, log: RunLog, source: Source
    ) -> bool:
        """Tell how things stand; whether that is the end of the stream, for now."""
        place = reader.skip()
        view = await source.view()
        asked = [question.id for question in view.interrupts]
        log.questions.update(asked)
        await events.send(_event("snapshot", _data(view), place))
        if asked:
            data = _json({"interrupts": [_plain(one) for one in view.interrupts]})
            await events.send(_event("interrupt-required", data, place))
            source.saw()
        rests = view.status == "paused" or view.status in ENDS
        if rests:
            await events.send(_event("finish", _data(view), place))
        return rests

    async def _line(self, events: EventStream, line: Line, source: Source) -> None:
        if line.type == "run":
            await source.check()
        asked = line.data.get("questions")
        asks = isinstance(asked, list) and line.data.get("state") == ASKING
        interrupts = await source.interrupts([str(q) for q in asked]) if asks else []  # type: ignore[union-attr]
        if line.type == "finish":
            data = _data(await self._finish(source, interrupts, paused=asks))
        elif asks:
            data = _json({"interrupts": [_plain(one) for one in interrupts]})
        else:
            data = _json(line.data)
        await events.send(event(data, id_=str(line.seq), name=line.type))
        if asks:
            source.saw()

    async def _finish(
        self, source: Source, interrupts: list[models.Interrupt], *, paused: bool
    ) -> models.Run:
        view = await source.view()
        if not paused:
            return view
        return view.model_copy(update={"status": "paused", "interrupts": interrupts})


def wants_events(arrived: Arrived) -> bool:
    """Whether the request asks for events rather than JSON."""
    accepted = arrived.request.headers.get("Accept", "")
    kinds = [part.partition(";")[0].strip().lower() for part in accepted.split(",")]
    return "text/event-stream" in kinds


def _said(said: Said) -> bytes:
    """A text event. Its text is encoded by itself: most events are these."""
    text = encode_basestring(said.text)
    line = (
        f'id: {said.id}\nevent: text\ndata: {{"step":{said.step},"offset":{said.offset},'
        f'"text":{text}}}\n\n'
    )
    return line.encode("utf-8", "replace")


def _event(name: str, data: bytes, id_: str = "") -> bytes:
    return event(data, id_=id_, name=name)


def _plain(model: models.Answer) -> dict[str, Any]:
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


def _data(model: models.Answer) -> bytes:
    return _json(_plain(model))


def _json(data: Mapping[str, Any]) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")
