"""Recordings that people send: what is said in them, by the calls' recogniser.

A recording is decoded and searched for voices in threads; each stretch of voice is recognised as
an utterance of its own, so that a call never waits for more than one of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from gateway.core.answers import Value, parse_answer
from gateway.core.errors import EngineFailed
from gateway.reading import languages
from gateway.supervise import Caught, DaemonExecutor, guarded, in_thread
from voice.call_stage import Engines
from voice.core.pcm import Resampler, Samples
from voice.core.vad import Gate, VoiceEnded, VoiceStarted
from voice.ports import Expected, Hypothesis, SpeechToText, VoiceDetector

DECODER = "voice.engines.sound_files"
RATE = 16_000
DECODE_SECONDS = 30.0
_LOOK_SECONDS, _LOOKS = 0.5, 120
"""How often and how long it is looked whether the engines are loaded."""
_AROUND_MS = 400
_JOINS_MS = 1_500
"""Voices that are not further apart are one utterance."""
_LONGEST_MS = 25_000


@dataclass(frozen=True, slots=True)
class Written:
    """What was said; no text where no words were found. `seconds` is how long the recording is;
    `confirm`: an answer was heard only because it was expected.
    """

    text: str
    seconds: float
    confirm: bool = False


@dataclass(slots=True, eq=False)
class Notes:
    """Writes recordings of up to `longest_seconds` down, one at a time. `retry` has the engines'
    parts that failed tried again.
    """

    engines: Engines
    longest_seconds: float
    retry: Callable[[], None]
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def write_down(
        self, data: bytes, language: str, schema: Mapping[str, Any] | None
    ) -> Written:
        """The words of a recording; `schema` is that of the question open to who sent it.

        Raises:
            NoteUnreadable, NoteTooLong: it is no recording, or too long.
            EngineFailed: the recogniser is not there, or failed.
        """
        decoder = await _in_thread(lambda: import_module(DECODER))
        sound = await _in_thread(lambda: decoder.decode(data, RATE, self.longest_seconds))
        hearing = await self._hearing()
        detector = self.engines.detector(RATE)
        spans = await _in_thread(lambda: voiced(sound, detector))
        alone = None if schema is None or len(spans) != 1 else Expected(schema, languages(language))
        async with self._turn:
            said = [await _recognised(hearing, sound[a:b], language, alone) for a, b in spans]
        text = " ".join(_told(one, alone) for one in said if one.words)
        return Written(text, len(sound) / RATE, any(one.confirm for one in said))

    async def _hearing(self) -> SpeechToText:
        """The recogniser, once it is ready."""
        self.retry()
        for _ in range(_LOOKS):
            if not self.engines.loading():
                break
            await asyncio.sleep(_LOOK_SECONDS)
        return self.engines.hearing


async def _recognised(
    hearing: SpeechToText, sound: Samples, language: str, expected: Expected | None
) -> Hypothesis:
    _, there = Resampler(RATE, hearing.rate).apply(sound)
    listening = hearing.listen(language, expected)
    try:
        listening.feed(there)
        return await listening.final()
    finally:
        listening.close()


def _told(heard: Hypothesis, expected: Expected | None) -> str:
    """Its words; where another reading is another answer, that too: then neither is taken."""
    value = None if expected is None else _answer(heard.text, expected)
    if expected is None or value is None:
        return heard.text
    others = (text for text in heard.alternatives if _answer(text, expected) not in (None, value))
    return " / ".join((heard.text, *list(others)[:1]))


def _answer(text: str, expected: Expected) -> str | None:
    outcome = parse_answer(text, expected.schema, languages=expected.languages, channel="speech")
    return repr(outcome.value) if isinstance(outcome, Value) else None


def voiced(sound: Samples, detector: VoiceDetector) -> Sequence[tuple[int, int]]:
    """From which sample to which somebody speaks, with a moment around it."""
    gate, size, started = Gate(), detector.window, 0
    spans: list[tuple[int, int]] = []
    for first in range(0, len(sound) - size + 1, size):
        end_ms = (first + size) * 1000 // RATE
        probability = detector.probability(sound[first : first + size])
        gate, edge = gate.window(probability, size * 1000 // RATE, end_ms)
        if isinstance(edge, VoiceStarted):
            started = edge.at_ms
        elif isinstance(edge, VoiceEnded):
            _add(spans, started, edge.at_ms)
    if gate.speaking:
        _add(spans, started, len(sound) * 1000 // RATE)
    return [
        (max(0, a - _AROUND_MS) * RATE // 1000, min(len(sound), (b + _AROUND_MS) * RATE // 1000))
        for a, b in spans
    ]


def _add(spans: list[tuple[int, int]], start_ms: int, end_ms: int) -> None:
    if spans and start_ms - spans[-1][1] <= _JOINS_MS and end_ms - spans[-1][0] <= _LONGEST_MS:
        spans[-1] = (spans[-1][0], end_ms)
    else:
        spans.append((start_ms, end_ms))


async def _in_thread(work: Callable[[], Any]) -> Any:
    handed = in_thread(DaemonExecutor("voice note"), lambda: guarded(work))
    try:
        outcome = await asyncio.wait_for(handed, DECODE_SECONDS)
    except TimeoutError as error:
        raise EngineFailed(f"a recording took more than {DECODE_SECONDS:g} s to read") from error
    if isinstance(outcome, Caught):
        raise outcome.error
    return outcome
