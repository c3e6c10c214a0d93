"""Which of Whisper's words were said: it invents some where nobody spoke.

On noise it writes what stands in subtitles of films without speech: thanks for watching, the
translator's name, "[music]". Its own probability that nobody spoke tells most of them; the rest are
known phrases, stage directions, and loops.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gateway.core.answers import Value, parse_answer
from voice.core.pcm import Samples
from voice.core.words import SpokenWord, plain

NO_SPEECH = 0.6
"""From here on nobody spoke. On noises of ten kinds 0.62 and more, on single words up to 0.5."""
DOUBTFUL_NO_SPEECH = 0.45
DOUBTFUL_LOG_PROBABILITY = -1.5
LEAST_LOG_PROBABILITY = -2.5
"""A mean log-probability of the tokens below this is a guess at nothing."""
PHANTOM_NO_SPEECH = 0.2
PHANTOM_LOG_PROBABILITY = -0.6
"""A phrase that is often invented needs better evidence than this."""
QUIETEST = 10 ** (-55 / 20)
"""No 20 ms of a voice are all quieter than this (−55 dBFS)."""
REPEATS = 4
"""So often in a row the same words are a loop of the decoder's, numbers aside."""
LOOP_CONFIDENCE = 0.3
_FRAME_MS = 20
RANGE_DECIBELS = 30.0
_LONGEST_UNIT = 4

INVENTED = re.compile(
    r"субтитр|редактор субтитров|корректор|dimatorzok|продолжение следует|спасибо за просмотр"
    r"|подписывайтесь|ставьте лайки|amara\.org|subtitles? by|captions? by|transcri(?:bed|ption) by"
    r"|thanks? (?:you )?(?:so much )?for watching|please subscribe|welcome to my channel"
    r"|like and subscribe|see you in the next video",
    re.IGNORECASE,
)
"""What nobody says to an agent."""
PHANTOMS: Mapping[str, frozenset[str]] = {
    "en": frozenset(
        (
            "you",
            "thank you",
            "thanks",
            "bye",
            "bye bye",
            "oh",
            "i'm sorry",
            "oh my god",
            "so",
            "hmm",
        )
    ),
    "ru": frozenset(("спасибо", "до свидания", "пока", "а", "о", "э", "слышь", "и")),
}
"""What people do say, and what is invented too."""
_DIRECTION = re.compile(r"\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|[♪♫]+[^♪♫]*[♪♫]*")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What Whisper says about its own text."""

    no_speech: float
    log_probability: float


def voiced_ms(
    samples: Samples, rate: int, range_decibels: float = RANGE_DECIBELS
) -> tuple[int, int] | None:
    """From where to where the sound is loud, at most so far below its loudest; None where it
    nowhere is.
    """
    size = rate * _FRAME_MS // 1000
    count = len(samples) // size
    if not count:
        return None
    frames = samples[: count * size].reshape(count, size)
    loudness = np.sqrt(np.mean(frames.astype(np.float64) ** 2, axis=1))
    loudest = float(loudness.max())
    if loudest < QUIETEST:
        return None
    loud = np.flatnonzero(loudness >= max(QUIETEST, loudest * 10 ** (-range_decibels / 20)))
    return int(loud[0]) * _FRAME_MS, (int(loud[-1]) + 1) * _FRAME_MS


def said(text: str, language: str, evidence: Evidence) -> str:
    """The text without what was invented; empty if nobody spoke."""
    clean = " ".join(_DIRECTION.sub(" ", text).split())
    doubtful = (
        evidence.no_speech >= DOUBTFUL_NO_SPEECH
        and evidence.log_probability < DOUBTFUL_LOG_PROBABILITY
    )
    if (
        not any(c.isalnum() for c in clean)
        or doubtful
        or evidence.no_speech >= NO_SPEECH
        or evidence.log_probability < LEAST_LOG_PROBABILITY
        or INVENTED.search(clean)
        or _is_direction(clean)
    ):
        return ""
    weak = (
        evidence.no_speech >= PHANTOM_NO_SPEECH
        or evidence.log_probability < PHANTOM_LOG_PROBABILITY
    )
    return "" if weak and plain(clean) in PHANTOMS.get(language, ()) else clean


def _is_direction(text: str) -> bool:
    """Russian subtitles write what isn't speech in capitals: «ТРЕВОЖНАЯ МУЗЫКА»."""
    return len(text) >= 4 and text.isupper() and any("А" <= c <= "Я" for c in text)


def without_loops(words: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """The words with each loop said once, and whether there was one."""
    keys = [plain(word) for word in words]
    kept: list[str] = []
    at, looped = 0, False
    while at < len(words):
        unit, times = _loop(keys, at)
        kept += words[at : at + unit]
        at += unit * times
        looped = looped or times > 1
    return tuple(kept), looped


def _loop(keys: Sequence[str], at: int) -> tuple[int, int]:
    """How many words from here on are one loop's unit, and how often it comes."""
    for unit in range(1, _LONGEST_UNIT + 1):
        first = keys[at : at + unit]
        times = 1
        while keys[at + times * unit : at + (times + 1) * unit] == first:
            times += 1
        if times >= REPEATS and not all(_is_number(key) for key in first):
            return unit, times
    return 1, 1


def _is_number(word: str) -> bool:
    return isinstance(parse_answer(word, {"type": "integer"}, channel="speech"), Value)


def placed(words: Sequence[str], span_ms: tuple[int, int]) -> tuple[SpokenWord, ...]:
    """The words with their times: each its share of the characters in what was voiced. Off by 70 ms
    in the mean, which is near enough to tell an echo.
    """
    first, last = span_ms
    whole = sum(len(word) + 1 for word in words)
    found: list[SpokenWord] = []
    before = 0
    for word in words:
        found.append(SpokenWord(word, first + (last - first) * before // whole))
        before += len(word) + 1
    return tuple(found)
