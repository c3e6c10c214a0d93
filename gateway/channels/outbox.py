"""One connected client's way out: bounded, in order, the latest text wins."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from gateway.ports.channel import TextRef
from gateway.wire import Text, encode
from gateway.wire.server import ServerFrame

MAX_WAITING_FRAMES = 1_024
MAX_WAITING_BYTES = 4 * 1024 * 1024
WRITE_DEADLINE_SECONDS = 10.0


class Transport(Protocol):
    """A connection that takes one encoded frame at a time."""

    async def send(self, line: bytes) -> None:
        """Return once the frame has left this process.

        Raises:
            OSError: the connection is gone.
        """

    def abort(self) -> None:
        """Close at once, without writing what waits. Idempotent."""


@dataclass(slots=True)
class LiveText:
    """A step's text while it grows. `written` is what some client's transport has taken of it."""

    text: str = ""
    final: bool = False
    written: int = 0
    cut: bool = False

    def grow(self, text: str, final: bool) -> None:
        """Take the text so far; what changed before its end counts as not written."""
        if not text.startswith(self.text):
            self.written = min(self.written, common_length(self.text, text))
        self.text, self.final = text, final

    def took(self, text: str) -> None:
        """A client's transport has taken so much; what arrives after the cut doesn't count."""
        if not self.cut and self.text.startswith(text):
            self.written = max(self.written, len(text))


def common_length(one: str, other: str) -> int:
    """How many characters both begin with."""
    if other.startswith(one):
        return len(one)
    for index, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return index
    return min(len(one), len(other))


@dataclass(frozen=True, slots=True)
class Line:
    """An encoded frame that waits; `written` is told whether it left this process."""

    data: bytes
    seq: int = 0
    written: Callable[[bool], None] | None = None


@dataclass(slots=True)
class _Known:
    """What a client has been sent of a text."""

    text: str = ""
    final: bool = False


@dataclass(slots=True)
class Outbox:
    """What waits for one client, and the task's loop that writes it (`run`).

    A client that doesn't take a frame within `WRITE_DEADLINE_SECONDS`, or lets too much wait, is
    cut off: its transport is aborted, and it may resume. `sent_seq` is the last number written.
    """

    transport: Transport
    thread: str
    texts: Callable[[TextRef], LiveText | None]
    sent_seq: int = 0
    gone: bool = False
    why: str = ""
    _waiting: deque[Line | TextRef] = field(default_factory=deque)
    _texts_waiting: set[TextRef] = field(default_factory=set)
    _bytes: int = 0
    _known: dict[TextRef, _Known] = field(default_factory=dict)
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _held: bool = False
    _closing: bool = False

    def post(self, line: Line) -> None:
        """Let a frame wait for its turn."""
        if self.gone:
            if line.written is not None:
                line.written(False)
            return
        self._waiting.append(line)
        self._bytes += len(line.data)
        if len(self._waiting) > MAX_WAITING_FRAMES or self._bytes > MAX_WAITING_BYTES:
            self.cut_off("slow")
        self._wake.set()

    def post_text(self, ref: TextRef) -> None:
        """Let what is new of a text wait: one place in the line, the latest text once reached."""
        if not self.gone and ref not in self._texts_waiting:
            self._texts_waiting.add(ref)
            self._waiting.append(ref)
            self._wake.set()

    def hold(self) -> None:
        """Write nothing until `release`, as the welcome comes first."""
        self._held = True

    def release(self, first: Line) -> None:
        """Write `first`, then what has waited."""
        self._held = False
        self._waiting.appendleft(first)
        self._bytes += len(first.data)
        self._wake.set()

    def forget(self, ref: TextRef) -> None:
        """The text is closed; nothing of it follows."""
        self._known.pop(ref, None)

    def finish(self, last: Line | None = None) -> None:
        """Write what waits, then `last`, then end."""
        if last is not None:
            self.post(last)
        self._closing = True
        self._held = False
        self._wake.set()

    def cut_off(self, why: str) -> None:
        """Close at once; whoever waits for a frame to be written learns that it was not."""
        if not self.gone:
            self.transport.abort()
            self.detach(why)

    def detach(self, why: str) -> None:
        """Write nothing more, and leave the connection to somebody else."""
        if self.gone:
            return
        self.gone, self.why = True, why
        for item in self._waiting:
            if isinstance(item, Line) and item.written is not None:
                item.written(False)
        self._waiting.clear()
        self._wake.set()

    async def run(self) -> None:
        """Write until the connection ends."""
        while not self.gone:
            if self._held or not self._waiting:
                if self._closing and not self._held:
                    return
                self._wake.clear()
                await self._wake.wait()
                continue
            item = self._waiting.popleft()
            if isinstance(item, Line):
                self._bytes -= len(item.data)
                await self._write_line(item)
            else:
                await self._write_text(item)

    async def _write_line(self, line: Line) -> None:
        sent = await self._send(line.data)
        if sent and line.seq:
            self.sent_seq = max(self.sent_seq, line.seq)
        if line.written is not None:
            line.written(sent)

    async def _write_text(self, ref: TextRef) -> None:
        self._texts_waiting.discard(ref)
        live = self.texts(ref)
        if live is None or live.cut:
            return
        known = self._known.setdefault(ref, _Known())
        text, final = live.text, live.final
        offset = len(known.text) if text.startswith(known.text) else common_length(known.text, text)
        if offset == len(text) == len(known.text) and final == known.final:
            return
        data = Text(ref.run, ref.step, offset, text[offset:], final).to_data()
        if await self._send(encode(ServerFrame(Text.TYPE, data, self.sent_seq, ref.thread))):
            known.text, known.final = text, final
            live.took(text)

    async def _send(self, data: bytes) -> bool:
        try:
            async with asyncio.timeout(WRITE_DEADLINE_SECONDS):
                await self.transport.send(data)
        except TimeoutError:
            self.cut_off("slow")
        except OSError:
            self.cut_off("gone")
        return not self.gone
