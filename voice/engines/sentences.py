"""A voice that makes a sentence at a time and knows no word times."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Protocol

from gateway.supervise import Supervisor
from voice.core.clauses import Clause
from voice.core.pcm import Samples
from voice.engines.worker import Worker
from voice.ports import Speech

_PREPARE_SECONDS = 30.0
_SENTENCE_SECONDS = 10.0


class Maker(Protocol):
    """Makes sound of text, in the engine's thread."""

    def sentences(self, text: str) -> Iterator[Samples]:
        """The sound of each sentence."""


class SentenceVoice:
    """A voice by a `Maker`, which `prepare` makes. Calls take turns sentence by sentence."""

    word_times = False

    def __init__(
        self, name: str, rate: int, prepare: Callable[[], Maker], supervisor: Supervisor
    ) -> None:
        self.name = name
        self.rate = rate
        self._worker = Worker(name, prepare, supervisor, prepare_seconds=_PREPARE_SECONDS)

    async def load(self) -> None:
        await self._worker.load()

    async def stop(self, seconds: float) -> None:
        """The end of its thread, once the work in hand is done."""
        await self._worker.stop(seconds)

    async def speak(self, clause: Clause, language: str) -> AsyncIterator[Speech]:
        text = clause.spoken.text
        if not text:
            return
        sentences = await self._worker.run(
            lambda maker: maker.sentences(text), seconds=_SENTENCE_SECONDS
        )
        while True:
            samples = await self._worker.run(
                lambda maker: next(sentences, None), seconds=_SENTENCE_SECONDS
            )
            if samples is None:
                return
            yield Speech(samples)
