"""Sequence numbers, and what was sent lately, so that a client goes on where it was."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from gateway.core.messages import Json
from gateway.wire.server import ServerFrame

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FRAMES_A_THREAD = 512
BYTES_A_THREAD = 1024 * 1024
THREADS = 256
"""How many threads keep their last frames; the least recently used one gives way."""


class Sequence:
    """Numbers that only grow, below 2**53.

    They start at the clock's microseconds: a number given after a restart is greater than every one
    before it, below a million frames a second and with a clock that isn't set back. `go_on_from`
    holds for what must not depend on that.
    """

    def __init__(self, now: datetime) -> None:
        self.last = (now - EPOCH) // timedelta(microseconds=1)

    def go_on_from(self, number: int) -> None:
        """Give only numbers greater than this one from now on."""
        self.last = max(self.last, number)

    def next(self) -> int:
        """The next number."""
        self.last += 1
        return self.last


@dataclass(slots=True)
class _Kept:
    """A thread's last frames: all that were sent after number `after`."""

    after: int
    frames: deque[tuple[ServerFrame, int]] = field(default_factory=deque)
    size_bytes: int = 0


class Rings:
    """The last frames of the threads that clients look at."""

    def __init__(
        self,
        sequence: Sequence,
        *,
        frames_a_thread: int = FRAMES_A_THREAD,
        bytes_a_thread: int = BYTES_A_THREAD,
        threads: int = THREADS,
    ) -> None:
        self._sequence = sequence
        self._frames = frames_a_thread
        self._bytes = bytes_a_thread
        self._threads = threads
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def watch(self, thread: str) -> None:
        """Keep this thread's frames from now on."""
        if thread in self._kept:
            self._kept.move_to_end(thread)
            return
        self._kept[thread] = _Kept(self._sequence.last)
        if len(self._kept) > self._threads:
            self._kept.popitem(last=False)

    def watches(self, thread: str) -> bool:
        """Whether this thread's frames are kept."""
        return thread in self._kept

    def number(self, type_: str, thread: str, data: Mapping[str, Json], to: str) -> ServerFrame:
        """The frame with its number."""
        return ServerFrame(type_, data, self._sequence.next(), thread, to=to)

    def keep(self, frame: ServerFrame, size_bytes: int) -> None:
        """Keep a numbered frame, if its thread is watched; the oldest ones give way."""
        kept = self._kept.get(frame.thread)
        if kept is None:
            return
        kept.frames.append((frame, size_bytes))
        kept.size_bytes += size_bytes
        while len(kept.frames) > self._frames or kept.size_bytes > self._bytes:
            gone, size = kept.frames.popleft()
            kept.size_bytes -= size
            kept.after = gone.seq or kept.after

    def since(self, thread: str, seq: int, principal: str) -> list[ServerFrame] | None:
        """What this person missed after `seq`; None where it is not all here any more."""
        kept = self._kept.get(thread)
        if kept is None or seq < kept.after or seq > self._sequence.last:
            return None
        return [
            frame
            for frame, _ in kept.frames
            if (frame.seq or 0) > seq and frame.to in ("", principal)
        ]

    def forget(self, thread: str) -> None:
        """Drop what is kept of a thread."""
        self._kept.pop(thread, None)
