"""A run's events to one reader: from where it was, until the run ends or asks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from json.encoder import encode_basestring
from typing import Any, Final, Protocol

from aiohttp import web

from gateway.api.feed import ASKING, Follow
from gateway.api.gate import Arrived, Gate
from gateway.api.rest import models
from gateway.api.runlog import Line, Reader, RunLog, Said
from gateway.api.sse import KEEP_ALIVE_SECONDS, EventStream, ReaderGone, event
from gateway.core.errors import GatewayError

ENDS: Final = ("completed", "interrupted", "failed", "cancelled")
REQUIRED: Final = "interrupt-required"
BATCH_BYTES: Final = 64 * 1024
JOIN_SECONDS: Final = 0.04
"""Text that comes sooner after a text is written together with what follows it."""


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

    async def ended(self, data: Mapping[str, Any]) -> models.Run:
        """The run as it ended, by what its log says of that."""

    async def interrupts(self, questions: list[str]) -> list[models.Interrupt]:
        """Those of its questions that the reader may see."""

    def saw(self, upto: int) -> None:
        """The reader was written the `interrupts`, which came up to there."""

    def wrote(self) -> None:
        """The reader was written what `view` gave last."""


class Opening(Protocol):
    """What a message that waits comes to."""

    async def open(self, run: str) -> tuple[RunLog, Source]:
        """The run that it started or joined."""

    def without_run(self) -> models.Run:
        """How it stands, having come to an end without one."""


@dataclass(slots=True)
class _Batch:
    """Events that are written together. `more`: more may be there already; `asked` is the number of
    the last one that told of questions.
    """

    data: bytearray = field(default_factory=bytearray)
    said: list[Said] = field(default_factory=list)
    more: bool = False
    asked: int = 0
    last: bool = False

    def written(self, reader: Reader, source: Source) -> None:
        """They have left this process."""
        for said in self.said:
            reader.took(said)
        if self.asked:
            source.saw(self.asked)


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
        except GatewayError:
            if not events.opened:
                raise
            events.abort()  # the reader may not look any more
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
        except GatewayError:
            if not events.opened:
                raise
            events.abort()
        return events.response

    def _events(self, arrived: Arrived) -> EventStream:
        return EventStream(arrived.request, self._gate.cors(arrived.request))

    async def _pump(self, events: EventStream, reader: Reader, log: RunLog, source: Source) -> None:
        while True:
            if reader.missed and await self._snapshot(events, reader, log, source):
                return
            batch = await self._batch(reader, source)
            if batch.data:
                await events.send(bytes(batch.data))
                batch.written(reader, source)
            if batch.last or (log.over and not batch.data):
                return
            if not batch.data:
                await self._idle(events, reader, source)
            elif batch.said and not batch.more:
                await asyncio.sleep(self._join_seconds)

    async def _idle(self, events: EventStream, reader: Reader, source: Source) -> None:
        """Wait for news, and show now and then that the connection is alive."""
        if not events.began:
            await events.keep_alive()  # the response's head goes out with it
        elif not await reader.wait(KEEP_ALIVE_SECONDS):
            await source.check()
            await events.keep_alive()

    async def _batch(self, reader: Reader, source: Source) -> _Batch:
        """What can be written at once: up to an end."""
        batch = _Batch()
        while not batch.last:
            if len(batch.data) >= BATCH_BYTES:
                batch.more = True
                break
            item = reader.next()
            if item is None:
                break
            if isinstance(item, Said):
                batch.data += _said(item)
                batch.said.append(item)
            else:
                batch.data += await self._line(item, source)
                batch.last = item.last
                batch.asked = item.seq if item.type == REQUIRED else batch.asked
        return batch

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
            await events.send(_event(REQUIRED, data, place))
            source.wrote()
        rests = view.status == "paused" or view.status in ENDS
        if rests:
            await events.send(_event("finish", _data(view), place))
        return rests

    async def _line(self, line: Line, source: Source) -> bytes:
        if line.type == "run":
            await source.check()
        asked = line.data.get("questions")
        asks = isinstance(asked, list) and line.data.get("state") == ASKING
        interrupts = await source.interrupts([str(q) for q in asked]) if asks else []  # type: ignore[union-attr]
        if line.type == "finish":
            data = _data(await self._finish(source, line, interrupts, paused=asks))
        elif asks:
            data = _json({"interrupts": [_plain(one) for one in interrupts]})
        else:
            data = _json(line.data)
        return event(data, id_=str(line.seq), name=line.type)

    async def _finish(
        self, source: Source, line: Line, interrupts: list[models.Interrupt], *, paused: bool
    ) -> models.Run:
        if not paused:
            return await source.ended(line.data)
        view = await source.view()
        return view.model_copy(update={"status": "paused", "interrupts": interrupts})


def wants_events(arrived: Arrived) -> bool:
    """Whether the request asks for events rather than JSON."""
    accepted = arrived.request.headers.get("Accept", "")
    kinds = [part.partition(";")[0].strip().lower() for part in accepted.split(",")]
    return "text/event-stream" in kinds


def _said(said: Said) -> bytes:
    """A text event for each word, put together by hand: most events are these."""
    head, middle = f"id: {said.seq}.", f'\nevent: text\ndata: {{"step":{said.step},"offset":'
    starts = (said.offset, *said.ends[:-1])
    lines = [
        f'{head}{end}{middle}{start},"text":{encode_basestring(word)}}}\n\n'
        for start, end, word in zip(starts, said.ends, said.words, strict=True)
    ]
    return "".join(lines).encode("utf-8", "replace")


def _event(name: str, data: bytes, id_: str = "") -> bytes:
    return event(data, id_=id_, name=name)


def _plain(model: models.Answer) -> dict[str, Any]:
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


def _data(model: models.Answer) -> bytes:
    return _json(_plain(model))


def _json(data: Mapping[str, Any]) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")
