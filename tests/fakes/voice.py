"""Ears, voices and lines for tests of calls, in virtual time.

A caller's words are sound that says which they are: each word has a loudness of its own, so that
the fake recogniser hears exactly the words whose sound it was fed (`Ears`). The fake voice numbers
its samples, so that a line knows which it played (`Voice.made`). `FakeLine` plays in the loop's
time, `delay_ms` after the sound came, and reports where it is every 40 ms.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from gateway.core.errors import EngineFailed
from voice.core.clauses import Clause
from voice.core.floor import Sound
from voice.core.pcm import Samples
from voice.core.playout import Mark
from voice.core.words import SpokenWord
from voice.ports import Expected, Hypothesis, Speech

RATE = 16_000
LOUD, STEP = 0.25, 1 / 4096
NOISE = 0.9
WORD_MS, GAP_MS = 260, 40
KNOWN_FROM_MS = 140
"""So much of a word has to be heard to be known."""


def silence(ms: int, rate: int = RATE) -> Samples:
    return np.zeros(rate * ms // 1000, dtype=np.float32)


def noise(ms: int, rate: int = RATE) -> Samples:
    return np.full(rate * ms // 1000, NOISE, dtype=np.float32)


class Detector:
    """Speech is what is loud."""

    def __init__(self, rate: int) -> None:
        self.rate, self.window = rate, rate * 32 // 1000

    def probability(self, samples: Samples) -> float:
        return float(np.mean(np.abs(samples) > LOUD / 2))

    def reset(self) -> None:
        pass


@dataclass
class Listening:
    """An utterance: what it was fed, and the words in it."""

    ears: Ears
    language: str
    expected: Expected | None
    fed: list[Samples] = field(default_factory=list)
    closed: bool = False

    def feed(self, samples: Samples) -> None:
        self.fed.append(samples)

    async def partial(self) -> Hypothesis:
        self.ears.on_partial += 1
        self.ears.most_partials = max(self.ears.most_partials, self.ears.on_partial)
        try:
            await asyncio.sleep(self.ears.partial_seconds)
        finally:
            self.ears.on_partial -= 1
        if self.ears.fails:
            raise EngineFailed("the fake recogniser was told to fail")
        return self.ears.understand(self, final=False)

    async def pause(self) -> Hypothesis:
        return replace(await self.partial(), whole=True)

    async def final(self, *, paused: bool = False) -> Hypothesis:
        await asyncio.sleep(self.ears.final_seconds)
        if self.ears.fails:
            raise EngineFailed("the fake recogniser was told to fail")
        return self.ears.understand(self, final=True)

    def close(self) -> None:
        self.closed = True

    def sound(self) -> Samples:
        return np.concatenate(self.fed) if self.fed else silence(0)


class Ears:
    """The recogniser. `rewrites` change what it makes of a final, `alternatives` what else it may
    have been, `doubted` are to be confirmed; `times` says whether it knows when words began.
    """

    name = "fake ears"
    rate = RATE

    def __init__(self) -> None:
        self.words: list[str] = []
        self.heard: list[Listening] = []
        self.partial_seconds, self.final_seconds = 0.05, 0.1
        self.on_partial = self.most_partials = 0
        self.fails = False
        self.times = True
        self.rewrites: dict[str, str] = {}
        self.alternatives: dict[str, tuple[str, ...]] = {}
        self.doubted: set[str] = set()
        self.expected: list[tuple[str, Expected]] = []
        self.unknown: tuple[str, ...] = ()

    async def load(self) -> None:
        pass

    async def expect(self, language: str, expected: Expected) -> tuple[str, ...]:
        self.expected.append((language, expected))
        return self.unknown

    def listen(
        self, language: str, expected: Expected | None, *, over_speech: bool = False
    ) -> Listening:
        self.heard.append(Listening(self, language, expected))
        return self.heard[-1]

    def say(self, text: str, word_ms: int = WORD_MS) -> Samples:
        """The sound of these words."""
        parts = []
        for word in text.split():
            if word not in self.words:
                self.words.append(word)
            loud = LOUD + self.words.index(word) * STEP
            parts.append(np.full(RATE * (word_ms - GAP_MS) // 1000, loud, dtype=np.float32))
            parts.append(np.full(RATE * GAP_MS // 1000, LOUD / 1.5, dtype=np.float32))
        return np.concatenate(parts) if parts else silence(0)

    def understand(self, listening: Listening, *, final: bool) -> Hypothesis:
        """The words in the sound; a final may be rewritten."""
        sound = listening.sound()
        codes = np.rint((sound - LOUD) / STEP).astype(int)
        known = (sound >= LOUD - STEP / 2) & (codes < len(self.words))
        found: list[SpokenWord] = []
        edges = np.flatnonzero(np.diff(np.concatenate([[0], known.astype(int), [0]])))
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            runs = np.flatnonzero(np.diff(codes[start:end])) + 1
            for part in np.split(np.arange(start, end), runs):
                if len(part) * 1000 >= KNOWN_FROM_MS * RATE:
                    at = int(part[0]) * 1000 // RATE if self.times else None
                    found.append(SpokenWord(self.words[codes[part[0]]], at))
        text = " ".join(word.text for word in found)
        if final and text in self.rewrites:
            found = [SpokenWord(word) for word in self.rewrites[text].split()]
        return Hypothesis(
            tuple(found),
            self.alternatives.get(text, ()) if final else (),
            confirm=final and text in self.doubted,
        )


class Voice:
    """Speaks 60 ms a character, in pieces of 50 ms. `made` is all it made, clause by clause."""

    name = "fake voice"

    def __init__(self, *, word_times: bool = True, rate: int = RATE, ms_a_letter: int = 60) -> None:
        self.word_times = word_times
        self.rate = rate
        self.made: list[tuple[Clause, Samples]] = []
        self.starts: list[list[int]] = []
        self.first_seconds = 0.0
        self.fails_at: int | None = None
        self.hangs = False
        self.ms_a_letter = ms_a_letter
        self._next = 1

    async def load(self) -> None:
        pass

    async def speak(self, clause: Clause, language: str) -> AsyncIterator[Speech]:
        await asyncio.sleep(self.first_seconds)
        if self.hangs:
            await asyncio.Event().wait()
        if self.fails_at is not None and len(self.made) >= self.fails_at:
            raise EngineFailed("the fake voice was told to fail")
        text = clause.spoken.text
        step = self.rate * self.ms_a_letter // 1000
        samples = self._numbered(len(text) * step)
        starts = [word.spoken_start * step for word in clause.spoken.words]
        self.made.append((clause, samples))
        self.starts.append(starts)
        piece = self.rate // 20
        for first in range(0, len(samples), piece):
            marks = tuple(
                Mark(word.spoken_start, at)
                for word, at in zip(clause.spoken.words, starts, strict=True)
                if self.word_times and first <= at < first + piece
            )
            yield Speech(samples[first : first + piece], marks)

    def sound(self) -> Samples:
        """Everything that was made."""
        parts = [samples for _, samples in self.made]
        return np.concatenate(parts) if parts else silence(0)

    def _numbered(self, count: int) -> Samples:
        """Each sample has its number, and all are far quieter than a caller, as no echo is."""
        numbers = np.arange(self._next, self._next + count)
        self._next += count
        return (numbers / 2**28).astype(np.float32)


@dataclass
class FakeEngines:
    """Everything that a call needs; `missing` are parts that are not ready."""

    ears: Ears = field(default_factory=Ears)
    mouth: Voice = field(default_factory=Voice)
    missing: tuple[str, ...] = ()
    failed: dict[str, EngineFailed] = field(default_factory=dict)

    @property
    def hearing(self) -> Ears:
        return self.ears

    def voice(self, language: str) -> Voice:
        return self.mouth

    def detector(self, rate: int) -> Detector:
        return Detector(rate)

    def loading(self) -> tuple[str, ...]:
        return self.missing

    async def load(self) -> None:
        pass

    def retry(self) -> bool:
        return False

    async def stop(self, seconds: float) -> None:
        pass


class Called(Protocol):
    """What a line tells of itself."""

    def played(self, generation: int, flight: int, position: int) -> None: ...

    def cleared(self, generation: int, position: int) -> None: ...


@dataclass
class _Chunk:
    generation: int
    flight: int
    position: int
    samples: Samples
    from_ms: float


class FakeLine:
    """The caller's end. `heard` is every sample that was played, `late` how long it had to wait for
    further ones of a generation, `events` what it was told, in order.
    """

    def __init__(
        self, *, steers: bool = True, delay_ms: int = 0, reports: bool = True, rate: int = RATE
    ) -> None:
        self.rate, self.steers, self.delay_ms, self.reports = rate, steers, delay_ms, reports
        self.call: Called | None = None
        self.events: list[tuple[int, str, dict[str, Any]]] = []
        self.sent: list[tuple[int, int, int, int]] = []
        self.heard: list[Samples] = []
        self.spans: list[tuple[int, int, int]] = []
        self.late: list[int] = []
        self._dry_ms = 0.0
        self.heard_by: dict[int, int] = {}
        self.bye: str | None = None
        self.sounds: dict[int, Sound] = {}
        self._queue: deque[_Chunk] = deque()
        self._at_ms = self._now()
        self._cleared = 0
        self._carry = 0.0
        self._timer = asyncio.get_running_loop().call_later(0.04, self._tick)

    # -- the port

    def play(self, generation: int, flight: int, position: int, samples: Samples) -> None:
        self._advance()
        now = self._now()
        self.sent.append((round(now), generation, flight, position))
        if self.steers and generation <= self._cleared:
            return
        if position and not self._queue and now - self._dry_ms > 1:
            self.late.append(round(now - self._dry_ms))
        self._queue.append(_Chunk(generation, flight, position, samples, now + self.delay_ms))

    def sound(self, generation: int, sound: Sound) -> None:
        self._advance()
        self.sounds[generation] = sound
        self._note("sound", {"generation": generation, "sound": sound.value})

    def clear(self, generation: int) -> None:
        self._advance()
        self._queue = deque(chunk for chunk in self._queue if chunk.generation > generation)
        self._cleared = max(self._cleared, generation)
        self._note("clear", {"generation": generation})
        if self.call is not None and self.reports:
            position = self.heard_by.get(generation, 0)
            asyncio.get_running_loop().call_soon(self.call.cleared, generation, position)

    def tell(self, kind: str, data: Mapping[str, Any]) -> None:
        self._note(kind, dict(data))

    def hang_up(self, reason: str) -> None:
        self._note("bye", {"reason": reason})
        self.bye = reason
        self.close()

    # -- the test's side

    def close(self) -> None:
        """Nothing is played or reported any more."""
        self._advance()
        self._queue.clear()
        self.call = None
        self._timer.cancel()

    def told(self, kind: str) -> list[dict[str, Any]]:
        """What it was told of this kind, in order."""
        return [data for _, name, data in self.events if name == kind]

    def when(self, kind: str, fits: Callable[[dict[str, Any]], bool] = lambda data: True) -> int:
        """When it was first told so."""
        return next(at for at, name, data in self.events if name == kind and fits(data))

    def plays(self) -> bool:
        """Whether sound waits to be played."""
        self._advance()
        return bool(self._queue)

    def sound_heard(self) -> Samples:
        """Everything that was played."""
        self._advance()
        return np.concatenate(self.heard) if self.heard else silence(0)

    def _tick(self) -> None:
        self._advance()
        self._timer = asyncio.get_running_loop().call_later(0.04, self._tick)
        if self.call is None or not self.reports or not self.heard_by:
            return
        generation = max(self.heard_by)
        self.call.played(generation, self.flight, self.heard_by[generation])

    flight = 0

    def _advance(self) -> None:
        now = self._now()
        while self._queue and self._at_ms < now:
            chunk = self._queue[0]
            if self.steers and self.sounds.get(chunk.generation) is Sound.HELD:
                break
            if chunk.from_ms > self._at_ms:
                self._at_ms = min(now, chunk.from_ms)
                continue
            count = min(len(chunk.samples), int((now - self._at_ms) * self.rate / 1000 + 1e-6))
            if count <= 0:
                break
            self._heard(chunk, count)
            self._at_ms += count * 1000 / self.rate
        if not self._queue or self._at_ms < now - 1:
            self._at_ms = now

    def _heard(self, chunk: _Chunk, count: int) -> None:
        self.heard.append(chunk.samples[:count])
        self.spans.append((chunk.generation, chunk.position, chunk.position + count))
        self.heard_by[chunk.generation] = chunk.position + count
        self.flight = chunk.flight
        chunk.samples, chunk.position = chunk.samples[count:], chunk.position + count
        if not len(chunk.samples):
            self._queue.popleft()
            self._dry_ms = self._at_ms + count * 1000 / self.rate

    def _note(self, kind: str, data: dict[str, Any]) -> None:
        self.events.append((round(self._now()), kind, data))

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time() * 1000
