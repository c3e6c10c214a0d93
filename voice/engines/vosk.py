"""Vosk as a recogniser of calls: one model a language, one thread for all calls.

It is a recogniser of streams: sound is decoded as it comes. While a question is open, an utterance
goes through a recogniser that hears nothing but answers, controls and the small words of a talk;
what it refuses goes through the free one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from gateway.core.answers import sayable, small_talk
from gateway.core.errors import EngineFailed
from gateway.supervise import Supervisor
from voice.core.pcm import Samples
from voice.core.words import SpokenWord
from voice.engines.vosk_model import LEAST_CONFIDENCE, RATE, UNKNOWN, Model, Said, Stream
from voice.engines.worker import Worker
from voice.ports import Expected, Hypothesis

T = TypeVar("T")
_PREPARE_SECONDS = 180.0
_DECODE_SECONDS = 10.0
_FINAL, _PARTIAL = 0, 1
_GRAMMARS = 64
_STEP = RATE * 2 // 5


@dataclass(frozen=True, slots=True)
class _Grammar:
    listed: str
    missing: tuple[str, ...]


class _Models:
    """Every language's model, and the grammars of the questions that were put last."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        if not paths:
            raise EngineFailed("vosk: no model; add one: bargein models add vosk LANGUAGE PATH")
        self.by_language = {code: Model(path, code) for code, path in paths.items()}
        self._grammars: dict[str, _Grammar] = {}

    def of(self, language: str) -> Model:
        model = self.by_language.get(language)
        if model is None:
            raise EngineFailed(
                f"vosk: no model for {language}: bargein models add vosk {language} PATH"
            )
        return model

    def grammar(self, language: str, expected: Expected) -> _Grammar | None:
        """What to listen for; None where anything may be said."""
        key = f"{language} {expected}"
        if key not in self._grammars:
            answers = sayable(expected.schema, (language,))
            if answers is None:
                return None
            while len(self._grammars) >= _GRAMMARS:
                del self._grammars[next(iter(self._grammars))]
            grammar = self.of(language).grammar(answers, small_talk((language,)))
            self._grammars[key] = _Grammar(*grammar)
        return self._grammars[key]


class VoskSpeechToText:
    """Vosk with the models at these paths, by language; they are asked for each time that it is
    made ready, for a model may be added while the server runs.
    """

    name = "vosk"
    rate = RATE

    def __init__(self, paths: Callable[[], Mapping[str, Path]], supervisor: Supervisor) -> None:
        self._worker = Worker(
            self.name, lambda: _Models(paths()), supervisor, prepare_seconds=_PREPARE_SECONDS
        )

    async def load(self) -> None:
        await self._worker.load()

    async def stop(self, seconds: float) -> None:
        """The end of its thread, once the work in hand is done."""
        await self._worker.stop(seconds)

    async def expect(self, language: str, expected: Expected) -> tuple[str, ...]:
        def prepared(models: _Models) -> tuple[str, ...]:
            grammar = models.grammar(language, expected)
            return () if grammar is None else grammar.missing

        language = language.partition("-")[0]
        return await self._worker.run(prepared, seconds=_DECODE_SECONDS, rank=_PARTIAL)

    def listen(
        self, language: str, expected: Expected | None, *, over_speech: bool = False
    ) -> VoskListening:
        return VoskListening(self._worker, language.partition("-")[0], expected)


class VoskListening:
    """One utterance."""

    def __init__(
        self, worker: Worker[_Models], language: str, expected: Expected | None = None
    ) -> None:
        self._worker = worker
        self._language = language
        self._expected = expected
        self._pieces: list[Samples] = []
        self._fed = 0
        self._feeding: asyncio.Future[None] | None = None
        self._limited: Stream | None = None
        self._free: Stream | None = None
        self._waits: set[asyncio.Future[Hypothesis]] = set()

    def feed(self, samples: Samples) -> None:
        self._pieces.append(samples)
        self._fed += len(samples)
        if self._fed >= _STEP and (self._feeding is None or self._feeding.done()):
            self._fed = 0
            self._feeding = self._submit(lambda models: self._decode(models, False), _PARTIAL)

    async def partial(self) -> Hypothesis:
        return await self._wait(self._partial, _PARTIAL)

    async def pause(self) -> Hypothesis:
        return await self.partial()

    async def final(self, *, paused: bool = False) -> Hypothesis:
        self.close()
        return await self._submit(self._final, _FINAL)

    def close(self) -> None:
        for wait in (self._feeding, *self._waits):
            if wait is not None:
                wait.cancel()

    async def _wait(self, work: Callable[[_Models], Hypothesis], rank: int) -> Hypothesis:
        asked = self._submit(work, rank)
        self._waits.add(asked)
        asked.add_done_callback(self._waits.discard)
        await asyncio.wait({asked})
        return Hypothesis() if asked.cancelled() else asked.result()

    def _submit(self, work: Callable[[_Models], T], rank: int) -> asyncio.Future[T]:
        seconds = _DECODE_SECONDS + sum(map(len, self._pieces)) / RATE
        return self._worker.submit(work, seconds=seconds, rank=rank)

    # -- in the engine's thread ------------------------------------------------------------------

    def _decode(self, models: _Models, freely: bool) -> None:
        """Decode what was fed: by the grammar, where there is one, and freely where asked."""
        model = models.of(self._language)
        grammar = None
        if self._expected is not None:
            grammar = models.grammar(self._language, self._expected)
        if grammar is not None and self._limited is None:
            self._limited = Stream(model, grammar.listed)
        if (grammar is None or freely) and self._free is None:
            self._free = Stream(model)
        pieces = tuple(self._pieces)
        sound = np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.float32)
        for stream in (self._limited, self._free):
            if stream is not None and stream.fed < len(sound):
                stream.feed(sound[stream.fed :])

    def _partial(self, models: _Models) -> Hypothesis:
        self._decode(models, False)
        if self._limited is not None:
            words = self._limited.partial()
            if not self._refused(models, words):
                return told(words)
            self._decode(models, True)
        assert self._free is not None
        return told(self._free.partial())

    def _final(self, models: _Models) -> Hypothesis:
        self._decode(models, False)
        if self._limited is not None:
            words = self._limited.final()
            if not self._refused(models, words):
                return told(words, confirm=not models.of(self._language).refuses)
            self._decode(models, True)
        assert self._free is not None
        return told(self._free.final())

    def _refused(self, models: _Models, words: Sequence[Said]) -> bool:
        """Whether the grammar doesn't hold what was said, as far as the model can tell."""
        if models.of(self._language).refuses:
            return any(word.text == UNKNOWN for word in words)
        return any(word.confidence < LEAST_CONFIDENCE for word in words)


def told(words: Sequence[Said], *, confirm: bool = False) -> Hypothesis:
    """The words as a call takes them; marks for what is not known are none. A grammar alone, in a
    model that can't refuse, is weak evidence (`confirm`).
    """
    known = [word for word in words if not word.text.startswith(("[", "<"))]
    return Hypothesis(
        tuple(SpokenWord(word.text, word.start_ms) for word in known),
        confidence=min((word.confidence for word in known), default=None),
        confirm=confirm,
    )
