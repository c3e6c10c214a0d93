"""Whisper as a recogniser of calls: one model and one thread for all of them.

It is no recogniser of streams: a partial result decodes the utterance again, one at a time for each
caller, and finals go before the partials of others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from gateway.supervise import Supervisor
from voice.core.pcm import Samples
from voice.engines import whisper_weights
from voice.engines.whisper_answers import Answers, answers_of
from voice.engines.whisper_features import RATE
from voice.engines.whisper_limited import read_answer
from voice.engines.whisper_model import (
    GLANCE_SECONDS,
    LONG_SECONDS,
    SHORT_SECONDS,
    Model,
    read_freely,
)
from voice.engines.whisper_talk import Talk, read_over_speech, read_partly, talk_of
from voice.engines.worker import Worker
from voice.ports import Expected, Hypothesis

_PREPARE_SECONDS = 60.0
_DECODE_SECONDS = 6.0
"""A decode may take so long, and as long again as the sound."""
_FINAL, _PAUSE, _PARTIAL = 0, 1, 2
_QUESTIONS = 64
_BEAM = 5
_READINGS = 3
_PIECE = (LONG_SECONDS - 1) * RATE
_SEARCHED = 4 * RATE
_QUIET = RATE // 10
_WINDOW = (SHORT_SECONDS - 1) * RATE


class WhisperSpeechToText:
    """Whisper base with the packaged weights, on `threads` cores; joined in `cache`."""

    name = "whisper"
    rate = RATE

    def __init__(self, cache: Path, supervisor: Supervisor, *, threads: int = 2) -> None:
        def prepare() -> Model:
            packages = whisper_weights.installed()
            return Model(whisper_weights.ready(cache.expanduser(), packages), threads)

        self._worker = Worker(self.name, prepare, supervisor, prepare_seconds=_PREPARE_SECONDS)
        self._questions = Questions()

    async def load(self) -> None:
        await self._worker.load()

    async def stop(self, seconds: float) -> None:
        """The end of its thread, once the work in hand is done."""
        await self._worker.stop(seconds)

    async def expect(self, language: str, expected: Expected) -> tuple[str, ...]:
        """Whisper can write any word."""
        language = language.partition("-")[0]

        def prepare(model: Model) -> None:
            self._questions.answers(model, expected, language)

        await self._worker.run(prepare, seconds=_DECODE_SECONDS, rank=_PARTIAL)
        return ()

    def listen(
        self, language: str, expected: Expected | None, *, over_speech: bool = False
    ) -> WhisperListening:
        language = language.partition("-")[0]
        over = over_speech and expected is None
        return WhisperListening(self._worker, language, expected, self._questions, over_speech=over)


class Questions:
    """The answers of the questions that were put last. Used in the engine's thread only."""

    def __init__(self) -> None:
        self._known: dict[str, Answers | None] = {}
        self._talks: dict[str, Talk] = {}

    def answers(self, model: Model, expected: Expected, language: str) -> Answers | None:
        """What answers it; None where anything may be said."""
        key = f"{language} {expected}"
        if key not in self._known:
            while len(self._known) >= _QUESTIONS:
                del self._known[next(iter(self._known))]
            self._known[key] = answers_of(model, expected, language)
        return self._known[key]

    def talk(self, model: Model, language: str) -> Talk:
        """The small words of a language."""
        if language not in self._talks:
            self._talks[language] = talk_of(model, language)
        return self._talks[language]


class WhisperListening:
    """One utterance."""

    def __init__(
        self,
        worker: Worker[Model],
        language: str,
        expected: Expected | None = None,
        questions: Questions | None = None,
        *,
        over_speech: bool = False,
    ) -> None:
        self._worker = worker
        self._language = language
        self._expected = expected
        self._over_speech = over_speech
        self._questions = questions or Questions()
        self._pieces: list[Samples] = []
        self._latest = Hypothesis()
        self._decoding: asyncio.Future[Hypothesis] | None = None
        self._prepared: asyncio.Future[Hypothesis] | None = None

    def feed(self, samples: Samples) -> None:
        self._pieces.append(samples)

    async def partial(self) -> Hypothesis:
        if self._decoding is None or self._decoding.done():
            self._decoding = self._decode(self._decode_window, _PARTIAL)
        decoding = self._decoding
        await asyncio.wait({decoding})
        if decoding.cancelled():
            return self._latest
        self._latest = decoding.result()
        return self._latest

    async def pause(self) -> Hypothesis:
        self.close()
        self._prepared = prepared = self._decode(self._decode_whole, _PAUSE)
        await asyncio.wait({prepared})
        return self._latest if prepared.cancelled() else prepared.result()

    async def final(self, *, paused: bool = False) -> Hypothesis:
        prepared = self._prepared if paused else None
        if prepared is not None and not prepared.cancelled():
            return await prepared
        self.close()
        return await self._decode(self._decode_all, _FINAL)

    def close(self) -> None:
        for waiting in (self._decoding, self._prepared):
            if waiting is not None:
                waiting.cancel()

    def _decode(self, work: Callable[[Model], Hypothesis], rank: int) -> asyncio.Future[Hypothesis]:
        seconds = _DECODE_SECONDS + sum(map(len, self._pieces)) / RATE
        return self._worker.submit(work, seconds=seconds, rank=rank)

    def _sound(self) -> Samples:
        pieces = tuple(self._pieces)
        return np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.float32)

    def _decode_window(self, model: Model) -> Hypothesis:
        """The last seconds, behind the words that were heard before them."""
        sound = self._sound()
        skipped = max(0, len(sound) - _WINDOW)
        if self._over_speech and not skipped:
            return read_partly(model, sound, self._questions.talk(model, self._language))
        heard = read_freely(model, sound[skipped:], self._language, beam=1, shortest=GLANCE_SECONDS)
        return joined(before(self._latest, skipped * 1000 // RATE), heard, skipped)

    def _decode_whole(self, model: Model) -> Hypothesis:
        return replace(self._decode_all(model), whole=True)

    def _decode_all(self, model: Model) -> Hypothesis:
        sound, whole, first = self._sound(), Hypothesis(), 0
        if self._expected is not None and len(sound) <= _WINDOW:
            answers = self._questions.answers(model, self._expected, self._language)
            if answers is not None:
                return read_answer(model, sound, answers)
        if self._over_speech and len(sound) <= _WINDOW:
            return read_over_speech(model, sound, self._questions.talk(model, self._language))
        while first < len(sound):
            last = piece_end(sound, first)
            heard = read_freely(
                model, sound[first:last], self._language, beam=_BEAM, readings=_READINGS
            )
            whole = joined(whole, heard, first)
            first = last
        return whole


def piece_end(sound: Samples, first: int) -> int:
    """Where the piece from `first` on ends: with the sound, else at the quietest moment of the last
    seconds that the longest window holds.
    """
    if len(sound) - first <= _PIECE:
        return len(sound)
    start = first + _PIECE - _SEARCHED
    frames = np.abs(sound[start : first + _PIECE]).reshape(-1, _QUIET).mean(axis=1)
    return start + int(frames.argmin()) * _QUIET + _QUIET // 2


def before(heard: Hypothesis, at_ms: int) -> Hypothesis:
    """Its words that began before this moment."""
    words = tuple(word for word in heard.words if (word.start_ms or 0) < at_ms)
    return Hypothesis(words, confidence=heard.confidence)


def joined(heard: Hypothesis, further: Hypothesis, first: int) -> Hypothesis:
    """Both in a row, the further one from sample `first` on. Other readings are those of a whole
    utterance, so two pieces have none; their confidence is the lower one.
    """
    if not heard.words and first == 0:
        return further
    later = first * 1000 // RATE
    moved = tuple(
        type(word)(word.text, None if word.start_ms is None else word.start_ms + later)
        for word in further.words
    )
    known = [h.confidence for h in (heard, further) if h.confidence is not None and h.words]
    return Hypothesis((*heard.words, *moved), confidence=min(known, default=None))
