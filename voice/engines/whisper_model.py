"""Whisper by CTranslate2, in the engine's thread: sound in, readings out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from typing import Any

import ctranslate2
import numpy as np
from tokenizers import Tokenizer

from gateway.core.answers import ALL_LANGUAGES
from gateway.core.errors import EngineFailed
from voice.core.pcm import Samples
from voice.engines.whisper_features import FRAMES_PER_SECOND, RATE, log_mel
from voice.engines.whisper_gate import (
    LOOP_CONFIDENCE,
    Evidence,
    placed,
    said,
    voiced_ms,
    without_loops,
)
from voice.ports import Hypothesis

SHORT_SECONDS, LONG_SECONDS = 15, 30
"""So much the encoder looks at. In a window of 10 s, words of a second come out twice."""
GLANCE_SECONDS = 8
"""What the encoder looks at where a word that comes out twice does no harm: it takes half the time
of 15 s, and of what is said over speech it makes as much.
"""
FOREIGN = 0.9
"""German, Spanish and Polish sentences had 0.96 and more. Of the corpus's English and Russian no
person's was taken for another language, and of espeak's none with more than 0.88.
"""
_TOKENS_PER_SECOND = 14
_MOST_TOKENS = 224
_TINY = 1e-9


@dataclass(frozen=True, slots=True)
class Encoded:
    """A sound as the decoder reads it."""

    features: Any
    seconds: float


@dataclass(frozen=True, slots=True)
class Reading:
    """A text for a sound. `log_probability` is the mean of its tokens'."""

    text: str
    tokens: tuple[int, ...]
    log_probability: float


class Model:
    """The model in memory. Only one thread may use it.

    Raises:
        EngineFailed: the files are no multilingual Whisper.
    """

    def __init__(self, directory: Path, threads: int) -> None:
        self.tokenizer: Tokenizer = Tokenizer.from_file(str(directory / "tokenizer.json"))
        self.whisper: Any = ctranslate2.models.Whisper(
            str(directory),
            device="cpu",
            compute_type="int8",
            inter_threads=1,
            intra_threads=threads,
        )
        if not self.whisper.is_multilingual:
            raise EngineFailed(f"whisper: {directory} holds an English-only model")
        self.end = self.token("<|endoftext|>")

    def token(self, text: str) -> int:
        """The number of a token.

        Raises:
            EngineFailed: the model has no such token.
        """
        number: int | None = self.tokenizer.token_to_id(text)
        if number is None:
            raise EngineFailed(f"whisper knows no {text}")
        return number

    def tokens(self, text: str) -> list[int]:
        """The numbers of a text's tokens."""
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def text(self, tokens: Sequence[int]) -> str:
        """What these tokens write."""
        written: str = self.tokenizer.decode(list(tokens))
        return written

    def prompt(self, language: str) -> list[int]:
        """What comes before a text in this language."""
        names = ("startoftranscript", language, "transcribe", "notimestamps")
        return [self.token(f"<|{name}|>") for name in names]

    def encode(self, samples: Samples, shortest: int = SHORT_SECONDS) -> Encoded:
        """The sound in the shortest window that holds it, of these seconds at least; what is longer
        than 30 s is cut off.
        """
        seconds = len(samples) / RATE
        windows = (shortest, SHORT_SECONDS, LONG_SECONDS)
        window = next((window for window in windows if seconds <= window), LONG_SECONDS)
        mel = log_mel(samples, window * FRAMES_PER_SECOND)
        view = ctranslate2.StorageView.from_array(np.ascontiguousarray(mel[None]))
        return Encoded(self.whisper.encode(view), min(seconds, window))

    def read(
        self, encoded: Encoded, language: str, *, beam: int, readings: int = 1, **options: Any
    ) -> tuple[list[Reading], float]:
        """The likeliest texts, and how likely it is that nobody spoke. `options` are CTranslate2's.

        Raises:
            EngineFailed: the model doesn't know the language.
        """
        most = min(_MOST_TOKENS, 16 + round(encoded.seconds * _TOKENS_PER_SECOND))
        (result,) = self.whisper.generate(
            encoded.features,
            [self.prompt(language)],
            beam_size=beam,
            num_hypotheses=readings,
            max_length=most,
            return_scores=True,
            return_no_speech_prob=True,
            **options,
        )
        found = [
            self._reading(tokens, score)
            for tokens, score in zip(result.sequences_ids, result.scores, strict=True)
        ]
        return found, float(result.no_speech_prob)

    def is_foreign(self, encoded: Encoded) -> bool:
        """Whether it is surely (`FOREIGN`) in a language that nobody is understood in here, of
        which the decoder would make a translation. Takes about 15 ms.
        """
        (found,) = self.whisper.detect_language(encoded.features)
        name, probability = found[0]
        return name[2:-2] not in ALL_LANGUAGES and probability >= FOREIGN

    def likelihoods(
        self, encoded: Encoded, language: str, texts: Sequence[Sequence[int]]
    ) -> list[float]:
        """The log-likelihood of each text (its tokens) as what was said."""
        frames = max(1, round(encoded.seconds * FRAMES_PER_SECOND))
        prompt = self.prompt(language)
        found = []
        for text in texts:
            (scored,) = self.whisper.align(encoded.features, prompt, [list(text)], [frames])
            found.append(sum(log(max(p, _TINY)) for p in scored.text_token_probs))
        return found

    def _reading(self, tokens: list[int], score: float) -> Reading:
        words = tuple(token for token in tokens if token < self.end)
        return Reading(self.tokenizer.decode(words).strip(), words, score)


def read_freely(
    model: Model,
    samples: Samples,
    language: str,
    *,
    beam: int,
    readings: int = 1,
    shortest: int = SHORT_SECONDS,
) -> Hypothesis:
    """What was said, whatever it is. Nothing where the sound is silent or no voice."""
    span = voiced_ms(samples, RATE)
    if span is None:
        return Hypothesis()
    encoded = model.encode(samples, shortest)
    found, no_speech = model.read(encoded, language, beam=beam, readings=readings)
    return freely(found, no_speech, language, span)


def freely(
    found: Sequence[Reading], no_speech: float, language: str, span_ms: tuple[int, int]
) -> Hypothesis:
    """The readings as they stand, without what was invented; the words lie in this span."""
    texts = [
        (said(one.text, language, Evidence(no_speech, one.log_probability)), one.log_probability)
        for one in found
    ]
    text, log_probability = texts[0]
    words, looped = without_loops(text.split())
    if not words:
        return Hypothesis()
    others = dict.fromkeys(other for other, _ in texts[1:] if other and other != text)
    confidence = min(1.0, exp(log_probability)) * (1.0 - no_speech)
    return Hypothesis(
        words=placed(words, span_ms),
        alternatives=tuple(others),
        confidence=min(confidence, LOOP_CONFIDENCE) if looped else confidence,
    )
