"""A client's line to the server: what is typed is sent once it is there, also after an outage."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from gateway.channels.lines import Lines, TooLong
from gateway.ports.clock import Clock, Ids
from gateway.wire import VERSION, Call, ClientFrame, Hello, Input, Last, Press, Stop, encode_client

READ_BYTES = 64 * 1024
LONGEST_FRAME_BYTES = 64 * 1024 * 1024
FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 2.0

Frame: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Lost:
    """The server is gone."""


@dataclass(frozen=True, slots=True)
class Back:
    """The server is there (again), after so many seconds."""

    gone_seconds: float


@dataclass(frozen=True, slots=True)
class Who:
    """Who a client is, what it looks at, and in which language."""

    thread: str
    principal: str
    language: str


class Link:
    """Connects, and connects again. Inputs, presses and stops without a receipt are sent anew;
    their ids make them one for the server.
    """

    def __init__(self, path: Path, who: Who, *, clock: Clock, ids: Ids) -> None:
        self.who = who
        self._path = path
        self._clock = clock
        self._ids = ids
        self._writer: asyncio.StreamWriter | None = None
        self._unanswered: dict[str, ClientFrame] = {}
        self._boot = ""
        self._seq = 0
        self._gone_since = clock.monotonic()
        self._closing = False

    @property
    def connected(self) -> bool:
        """Whether the server has welcomed this client."""
        return self._writer is not None and bool(self._boot)

    def gone_seconds(self) -> float:
        """How long the server has been gone."""
        return self._clock.monotonic() - self._gone_since

    # -- sending -------------------------------------------------------------------------------

    def say(self, text: str, override: str | None = None, reply_to: str | None = None) -> str:
        """Send what was typed, now or when the server is back; its id."""
        frame = Input(
            id=self._ids.uuid(),
            text=text,
            override=override,  # type: ignore[arg-type]
            reply_to=reply_to,
            seen=self._seq,
        )
        self._queue(frame.id, frame)
        return frame.id

    def stop(self, runs: Sequence[str] = ()) -> None:
        """Stop what runs for this person, which is these runs: one that gets there late stops no
        other. Without any it is all that runs by then.
        """
        first, *others = runs or (None,)
        frame = Stop(id=self._ids.uuid(), run=first)
        self._unanswered[frame.id] = frame
        if self.connected:
            self._write(frame.model_copy(update={"run": None}))
            return
        for run in others:
            named = Stop(id=self._ids.uuid(), run=run)
            self._unanswered[named.id] = named

    def press(self, token: str, option: str) -> str:
        """Press a question's button."""
        frame = Press(id=self._ids.uuid(), token=token, option=option)
        self._queue(frame.id, frame)
        return frame.id

    def call(self, method: str, params: Mapping[str, Any]) -> str:
        """Ask the server itself; its `result` or `error` carries this id."""
        frame = Call(id=self._ids.uuid(), method=method, params=dict(params))
        self._queue(frame.id, frame)
        return frame.id

    def _queue(self, id_: str, frame: ClientFrame) -> None:
        self._unanswered[id_] = frame
        if self.connected:
            self._write(frame)

    def _write(self, frame: ClientFrame) -> None:
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(encode_client(frame) + b"\n")

    # -- receiving -----------------------------------------------------------------------------

    async def events(self, *, retry: bool = True) -> AsyncIterator[Frame | Lost | Back]:
        """Everything the server sends, and when it is gone and back. Without `retry` it ends with
        the first loss.

        Raises:
            OSError: without `retry`, the server isn't there.
        """
        pause = FIRST_PAUSE_SECONDS
        while not self._closing:
            try:
                reader, writer = await asyncio.open_unix_connection(str(self._path))
            except OSError:
                if not retry:
                    raise
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
                continue
            pause = FIRST_PAUSE_SECONDS
            async for event in self._conversation(reader, writer):
                yield event
            if not retry:
                return
            if not self._closing:
                yield Lost()

    async def _conversation(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> AsyncIterator[Frame | Back]:
        self._writer = writer
        last = Last(boot=self._boot, seq=self._seq) if self._boot else None
        who = self.who
        hello = Hello(
            v=VERSION, thread=who.thread, as_=who.principal, language=who.language, last=last
        )
        self._boot = ""
        self._write(hello)
        lines = Lines(LONGEST_FRAME_BYTES)
        try:
            while data := await _read(reader):
                for line in lines.feed(data):
                    if isinstance(line, TooLong):
                        continue
                    frame = json.loads(line)
                    if frame["type"] == "welcome":
                        yield Back(self.gone_seconds())
                    yield frame
                    self._note(frame)
        finally:
            self._writer = None
            self._gone_since = self._clock.monotonic()
            with contextlib.suppress(OSError):
                writer.close()

    def _note(self, frame: Frame) -> None:
        data = frame["data"]
        self._seq = max(self._seq, frame.get("seq") or 0)
        if frame["type"] == "welcome":
            self._boot = data["boot"]
            if not data.get("resumed"):  # else what was missed is still to come
                self._seq = max(self._seq, data["seq"])
            for waiting in list(self._unanswered.values()):
                self._write(waiting)
        elif frame["type"] in ("receipt", "result", "error"):
            self._unanswered.pop(frame.get("id") or "", None)

    def close(self) -> None:
        """Hang up; `events` ends."""
        self._closing = True
        if self._writer is not None:
            self._writer.close()


async def _read(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read(READ_BYTES)
    except OSError:
        return b""
