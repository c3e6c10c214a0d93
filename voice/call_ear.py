"""The caller's sound as it comes in: numbered frames become a line of time, windows and edges."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from voice.core.pcm import Samples
from voice.core.vad import Edge, Gate, VoiceEnded
from voice.ports import VoiceDetector

KEPT_SECONDS = 3
"""So much sound is kept for a recogniser that starts late."""
SHORTEST_MS, LONGEST_MS = 5, 200
"""A frame of another size is none."""
AHEAD_MS = 1_000
"""A frame can't hold sound of the future; so much may be the first frame's delay."""
LONGEST_GAP_MS = 1_000
"""A longer silence is heard as so much."""
STRANGE_FRAMES = 25
"""So many frames in a row that don't fit: the line counts anew."""
DRIFT_MS = 250
DRIFT_SECONDS = 5
"""A line whose sound is so late for so long has a clock of its own, or was asleep."""


@dataclass(slots=True)
class Sound:
    """A piece of sound; `first` is the number of its first sample."""

    first: int
    samples: Samples

    @property
    def end(self) -> int:
        """The number behind its last sample."""
        return self.first + len(self.samples)


@dataclass(slots=True, eq=False)
class Ear:
    """What of a caller's sound was heard. Numbers are samples of the line, and never go back: those
    of a line that counts anew go on behind the last one's. Times are milliseconds of the call's
    clock.
    """

    detector: VoiceDetector
    rate: int
    gate: Gate = field(default_factory=Gate)
    closed: bool = False
    next: int | None = None
    dropped: int = 0
    _shift: int = 0
    _newest: int = 0
    _origin_ms: float = 0.0
    _strange: int = 0
    _least_late_ms: float = float("inf")
    _looked_ms: int = 0
    _kept: deque[Sound] = field(default_factory=deque)
    _window: list[Samples] = field(default_factory=list)
    _waiting: int = 0

    def take(self, first: int, samples: Samples, now_ms: int) -> Iterator[tuple[Sound, list[Edge]]]:
        """The sound that a frame adds, a gap before it as silence, and the edges that each makes;
        nothing for a frame that doesn't fit.
        """
        long_ms = len(samples) * 1000 / self.rate
        if first < 0 or not SHORTEST_MS <= long_ms <= LONGEST_MS:
            self.dropped += 1
            return
        if self.next is None:
            self._count_from(first, now_ms - long_ms)
        if not self._fits(first + self._shift, len(samples), now_ms):
            self.dropped += 1
            self._strange += 1
            if self._strange < STRANGE_FRAMES:
                return
            self._count_from(first, now_ms - long_ms)
        first += self._shift
        self._strange = 0
        assert self.next is not None
        if first > self.next:
            yield self._hear(*self._gap(self.next, first))
        late = self.next - first
        yield self._hear(first + late, samples[late:])
        self._follow(now_ms)

    def watch(self, now_ms: int) -> Edge | None:
        """The end of a voice whose sound stopped coming."""
        self.gate, edge = self.gate.watch(now_ms)
        return edge

    def watch_at_ms(self) -> int | None:
        """When to `watch`."""
        last = self.gate.last_ms
        return last + self.gate.gating.watchdog_ms if self.gate.speaking and last else None

    def fall_silent(self) -> Edge | None:
        """The voice is over here and now: the microphone was closed."""
        if not self.gate.speaking:
            return None
        ended = self.gate.last_ms or self.gate.voiced_until_ms
        self.gate = replace(self.gate, speaking=False, run_since_ms=None)
        return VoiceEnded(ended)

    def since(self, number: int) -> list[Samples]:
        """What is kept from this sample on."""
        return [s.samples[max(0, number - s.first) :] for s in self._kept if s.end > number]

    def number_at(self, at_ms: int) -> int:
        """The sample that was taken at this time."""
        return round((at_ms - self._origin_ms) * self.rate / 1000)

    def at_ms(self, number: int) -> int:
        """When this sample was taken."""
        return round(self._origin_ms + number * 1000 / self.rate)

    def oldest(self) -> int:
        """The first sample that is kept."""
        return self._kept[0].first if self._kept else self.next or 0

    def start_anew(self) -> None:
        """Another line counts from anywhere."""
        self.next = None

    # -- inside

    def _count_from(self, first: int, began_ms: float) -> None:
        self._shift = max(0, self._newest - first)
        self.next = first + self._shift
        self._origin_ms = began_ms - self.next * 1000 / self.rate
        self._kept.clear()
        self._window, self._waiting = [], 0
        self.detector.reset()
        self._least_late_ms = float("inf")

    def _fits(self, first: int, length: int, now_ms: int) -> bool:
        assert self.next is not None
        end = first + length
        ahead_ms = self._origin_ms + end * 1000 / self.rate - now_ms
        if end <= self.next or ahead_ms > AHEAD_MS:
            return False
        if ahead_ms > 0:  # the first frame was delayed, this one less
            self._origin_ms -= ahead_ms
        return True

    def _gap(self, start: int, end: int) -> tuple[int, Samples]:
        longest = LONGEST_GAP_MS * self.rate // 1000
        first = max(start, end - longest)
        return first, np.zeros(end - first, dtype=np.float32)

    def _hear(self, first: int, samples: Samples) -> tuple[Sound, list[Edge]]:
        if self.closed:
            samples = np.zeros(len(samples), dtype=np.float32)
        sound = Sound(first, samples)
        self.next = self._newest = sound.end
        self._kept.append(sound)
        while sound.end - self._kept[0].end > KEPT_SECONDS * self.rate:
            self._kept.popleft()
        self._window.append(samples)
        self._waiting += len(samples)
        return sound, list(self._edges())

    def _edges(self) -> Iterator[Edge]:
        size = self.detector.window
        if self._waiting < size:
            return
        line = np.concatenate(self._window)
        assert self.next is not None
        whole = len(line) - len(line) % size
        for start in range(0, whole, size):
            end_ms = self.at_ms(self.next - len(line) + start + size)
            probability = self.detector.probability(line[start : start + size])
            self.gate, edge = self.gate.window(probability, size * 1000 // self.rate, end_ms)
            if edge is not None:
                yield edge
        self._window, self._waiting = [line[whole:]], len(line) - whole

    def _follow(self, now_ms: int) -> None:
        """Set the line of time right where sound stays late: it was not said so long ago."""
        assert self.next is not None
        late_ms = now_ms - (self._origin_ms + self.next * 1000 / self.rate)
        self._least_late_ms = min(self._least_late_ms, late_ms)
        if now_ms - self._looked_ms >= DRIFT_SECONDS * 1000:
            if DRIFT_MS < self._least_late_ms < float("inf"):
                self._origin_ms += self._least_late_ms
            self._looked_ms, self._least_late_ms = now_ms, float("inf")
