"""Frames on their way to a page: in order, bounded, the agent's voice to be taken back."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass

LONGEST_QUEUE_BYTES = 512 * 1024
"""More waits for nobody: a page so far behind doesn't read."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Bytes for the page; `generation` is that of sound, None where it is text."""

    data: bytes
    generation: int | None = None


class Outgoing:
    """What is still to be written. One reader."""

    def __init__(self, longest_bytes: int = LONGEST_QUEUE_BYTES) -> None:
        self._longest = longest_bytes
        self._frames: deque[Frame] = deque()
        self._bytes = 0
        self._wake = asyncio.Event()
        self._last = False

    def put(self, frame: Frame) -> bool:
        """Whether there was room; nothing is taken after `close`."""
        if self._last:
            return True
        self._bytes += len(frame.data)
        self._frames.append(frame)
        self._wake.set()
        return self._bytes <= self._longest

    def drop_sound(self, generation: int) -> None:
        """Forget the sound of this generation and of earlier ones."""
        kept = [f for f in self._frames if f.generation is None or f.generation > generation]
        self._frames = deque(kept)
        self._bytes = sum(len(frame.data) for frame in kept)

    def close(self) -> None:
        """Take no more; what is there is still given out."""
        self._last = True
        self._wake.set()

    async def get(self) -> Frame | None:
        """The next frame, None after the last."""
        while not self._frames:
            if self._last:
                return None
            self._wake.clear()
            await self._wake.wait()
        frame = self._frames.popleft()
        self._bytes -= len(frame.data)
        return frame
