"""What a call needs from outside: ears, a voice, and the caller's end of the line.

Engines are loaded once and shared; what a method returns belongs to one call. Whatever computes
does so in the engine's own worker thread, never on the loop; cancelling a wait stops no engine.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from voice.core.clauses import Clause
from voice.core.floor import Sound
from voice.core.pcm import Samples
from voice.core.playout import Mark
from voice.core.words import SpokenWord


class VoiceDetector(Protocol):
    """Tells speech from silence for one caller, window by window; keeps state between windows."""

    rate: int
    """Of the samples, in Hz."""
    window: int
    """How many samples a window has."""

    def probability(self, samples: Samples) -> float:
        """How likely one window is speech, 0…1. Takes about 0.2 ms, on the loop."""

    def reset(self) -> None:
        """Forget what was heard."""


class VoiceDetectors(Protocol):
    """Makes a detector for each caller."""

    def detector(self, rate: int) -> VoiceDetector:
        """A fresh one for sound of `rate` Hz (8,000 or 16,000).

        Raises:
            ValueError: no detector for that rate.
        """


@dataclass(frozen=True, slots=True)
class Expected:
    """The answers that an open question takes: its schema, and the languages they may come in."""

    schema: Mapping[str, Any]
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What a recogniser makes of an utterance. Word times are milliseconds from its first sample.

    `alternatives` are other readings, the likelier first; `confidence` is 0…1, None where the
    engine knows none. `confirm`: they are heard in the light of the question alone, which is one
    piece of evidence; a consent has to be asked for once more. `whole`, of what `pause` gives: no
    word is missing that was said; a recogniser of streams that lags behind can't say so.
    """

    words: tuple[SpokenWord, ...] = ()
    alternatives: tuple[str, ...] = ()
    confidence: float | None = None
    confirm: bool = False
    whole: bool = False

    @property
    def text(self) -> str:
        """The words in one line."""
        return " ".join(word.text for word in self.words)


class Listening(Protocol):
    """One utterance that is being recognised."""

    def feed(self, samples: Samples) -> None:
        """Further sound, at the engine's rate. Never blocks."""

    async def partial(self) -> Hypothesis:
        """What was said up to now; a later call may take words back.

        Raises:
            EngineFailed: the engine raised or gave nothing within its deadline.
        """

    async def pause(self) -> Hypothesis:
        """The voice paused: what `final` would say if it said nothing more. The final itself may
        be made of it, so that it is there when the silence was long enough.

        Raises:
            EngineFailed: as `partial`.
        """

    async def final(self, *, paused: bool = False) -> Hypothesis:
        """All of it, once; no sound is fed after that. `paused`: the voice said nothing more since
        the last `pause`.

        Raises:
            EngineFailed: as `partial`.
        """

    def close(self) -> None:
        """Nobody waits for it any more."""


class SpeechToText(Protocol):
    """A recogniser that is shared by all calls."""

    name: str
    rate: int
    """Of the samples that it takes, in Hz."""

    async def load(self) -> None:
        """Get ready; returns at once where it is.

        Raises:
            EngineFailed: weights are missing, damaged or of another kind; the text says which.
        """

    async def expect(self, language: str, expected: Expected) -> tuple[str, ...]:
        """A question is put: get ready for its answers. The words of answers that can't be heard,
        for the engine doesn't know them.

        Raises:
            EngineFailed: the engine raised or gave nothing within its deadline.
        """

    def listen(
        self, language: str, expected: Expected | None, *, over_speech: bool = False
    ) -> Listening:
        """A new utterance in `language` ("en", "ru"); `expected` while a question is open.
        `over_speech`: it began while the agent spoke, so most of what is short hums along, and
        what is weak should be no words.
        """


@dataclass(frozen=True, slots=True)
class Speech:
    """A piece of a clause as sound, at the engine's rate. `marks` count the clause's samples, and
    only a voice that knows word times has them.
    """

    samples: Samples
    marks: Sequence[Mark] = ()


class TextToSpeech(Protocol):
    """A voice that is shared by all calls."""

    name: str
    rate: int
    """Of the samples that it makes, in Hz."""
    word_times: bool
    """Whether its pieces carry marks."""

    async def load(self) -> None:
        """Get ready; returns at once where it is.

        Raises:
            EngineFailed: the voice is missing or damaged; the text says what.
        """

    def speak(self, clause: Clause, language: str) -> AsyncIterator[Speech]:
        """The clause's sound in pieces, made far ahead of being played. Closing the iterator ends
        the synthesis.

        Raises:
            EngineFailed: the engine raised or gave nothing within its deadline.
        """


class Voices(Protocol):
    """Which voice speaks a language."""

    def voice(self, language: str) -> TextToSpeech:
        """The voice for it."""


class Line(Protocol):
    """The caller's end, as a transport holds it. Nothing here waits; what is late is dropped there.

    Positions count the samples of a generation from its first.
    """

    rate: int
    """Of the samples that it plays, in Hz."""
    steers: bool
    """Whether the far end ducks, holds and clears on its own; else the player does it before
    sending."""

    def play(self, generation: int, flight: int, position: int, samples: Samples) -> None:
        """Sound to be played after what was sent of this generation."""

    def sound(self, generation: int, sound: Sound) -> None:
        """Quieter, held, or in full; only where it steers."""

    def clear(self, generation: int) -> None:
        """Nothing of this generation or an earlier one is played any more."""

    def tell(self, kind: str, data: Mapping[str, Any]) -> None:
        """Something for the eye: states, captions, what was understood. Phones ignore it."""

    def hang_up(self, reason: str) -> None:
        """End the call from our side."""
