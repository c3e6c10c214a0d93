"""Whisper while the agent speaks: a short sound over the speech is one of a talk's small words, or
is weighed again before it may stop anything.

Most of what is short hums along («угу», "right"), and the model writes what is near: «Пуку», «На».
Where it wrote no such word, those that are nearest are scored as what was said; the best is taken
if it is about as likely and clearly likelier than one that asks for something else. Else a short
text of weak evidence is none: the speech goes on, and who meant to stop it says it again. What is
longer than a hum was meant: it counts though the model is not sure of its text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from math import exp

from gateway.core.answers import Value, control_word, parse_answer, small_talk
from gateway.core.answers.slips import distance
from voice.core.pcm import Samples
from voice.core.words import Kind, plain, read
from voice.engines.whisper_answers import spelt, suppressed
from voice.engines.whisper_features import RATE
from voice.engines.whisper_gate import placed, voiced_ms
from voice.engines.whisper_model import GLANCE_SECONDS, Encoded, Model, Reading, freely
from voice.engines.whisper_sounds import Likeness, likeness
from voice.ports import Hypothesis

SHORT_MS = 800
"""Only what is not longer is looked at: small words are shorter, sentences longer."""
WAIT_MS = 600
"""What is not longer up to now may go on to be anything; what is in the end was no hum."""
SYLLABLES_MORE = 2
"""With more syllables than so many more than a small word, a text is something else."""
WEAK_MS, WEAK_LETTERS, WEAK_LOG_PROBABILITY = 480, 9, -0.8
"""So short, and of a lower mean log-probability than this, a text is no evidence."""
SPOKEN, HUMMED, NOISY = 0.7, 0.9, 0.8
"""From here on a sound is speech, a hum or noise (`Likeness`)."""
PARTLY_NOISY = 0.5
"""Where it is not over yet: what may be a noise waits for more."""
SPOKEN_MS = 300
"""What is shorter is never so surely speech that the decoder's doubt wouldn't count."""
LEAST_RATIO, MARGIN = -2.3, 1.0
LEAST_LIKELIHOOD = -9.5
"""A small word is itself likely: those that were said had -8.5 and more, those taken for a sentence
that nobody could read -10.1 and less.
"""
_BEAM, _READINGS, _SCORED = 5, 3, 6
_FARTHEST = 0.75
_RANGE_DECIBELS = 14.0
_ENDS = (".", "!", "?")
_VOWELS = re.compile("[aeiouyаеёиоуыэюя]+")
_GUESSED = frozenset({Kind.BACKCHANNEL, Kind.HOLD, Kind.STOP, Kind.RESUME})
"""Who asks whether somebody is there stops the speech, and is never guessed."""


@dataclass(frozen=True, slots=True)
class Talk:
    """The small words of a language, and the tokens that none of them has."""

    language: str
    forms: tuple[str, ...]
    suppressed: tuple[int, ...]


def talk_of(model: Model, language: str) -> Talk:
    """Made once for a language, in the engine's thread."""
    forms = tuple(dict.fromkeys(plain(form) for form in small_talk((language,))))
    return Talk(language, forms, suppressed(model, forms))


@dataclass(frozen=True, slots=True)
class _Heard:
    """A sound that is no noise, and what the model wrote for it; `free` is what counts of that."""

    encoded: Encoded
    span: tuple[int, int]
    loud_ms: int
    like: Likeness
    found: Sequence[Reading]
    free: Hypothesis


def read_partly(model: Model, samples: Samples, talk: Talk) -> Hypothesis:
    """What was said up to now; nothing where that is short, for it may go on to be anything."""
    heard = _heard(model, samples, talk, PARTLY_NOISY, beam=1)
    if heard is None:
        return Hypothesis()
    text = heard.free.text
    waits = (heard.loud_ms <= WAIT_MS or _repeats(text)) and not _acts(text)
    return Hypothesis() if waits else heard.free


def read_over_speech(model: Model, samples: Samples, talk: Talk) -> Hypothesis:
    """What was said over the agent's speech, all of it."""
    heard = _heard(model, samples, talk, NOISY, beam=_BEAM, readings=_READINGS)
    if heard is None or not heard.free.words:
        return Hypothesis()
    free, loud_ms = heard.free, heard.loud_ms
    weak = heard.found[0].log_probability < WEAK_LOG_PROBABILITY
    none = weak and (heard.like.hum >= HUMMED or _repeats(free.text))
    if not none and (_says(free.text) or loud_ms > SHORT_MS):
        return free
    best = _best(model, heard.encoded, talk, heard.found)
    if best is not None:
        text, ratio = best
        return Hypothesis(placed(text.split(), heard.span), confidence=min(1.0, exp(ratio)))
    short = len(plain(free.text)) <= WEAK_LETTERS and loud_ms <= WEAK_MS
    return Hypothesis() if none or (weak and short) else free


def _heard(
    model: Model, samples: Samples, talk: Talk, noisy: float, *, beam: int, readings: int = 1
) -> _Heard | None:
    """None where it is silent, or a noise by so much. Where it surely is speech, no doubt of the
    decoder whether anybody spoke counts.
    """
    span = voiced_ms(samples, RATE)
    if span is None:
        return None
    encoded = model.encode(samples, GLANCE_SECONDS)
    like = likeness(encoded, span)
    if like.noise >= noisy:
        return None
    found, no_speech = model.read(encoded, talk.language, beam=beam, readings=readings)
    loud_ms = _loud_ms(samples)
    if like.speech >= SPOKEN and loud_ms >= SPOKEN_MS:
        no_speech = 0.0
    free = freely(found, no_speech, talk.language, span)
    return _Heard(encoded, span, loud_ms, like, found, free)


def _repeats(text: str) -> bool:
    """Whether it is some words again and again, or ends so, as «и also also» does: so the model
    writes what it can't make out.
    """
    words = plain(text).split()
    if len(words) < 2:
        return False
    ends_so = words[-1] == words[-2] and read(words[-1]).kind is Kind.WORDS
    return ends_so or 2 * len(set(words)) <= len(words)


def _acts(text: str) -> bool:
    """Whether the words stop or hold the speech at once, or let it go on."""
    return read(text).kind in _GUESSED or control_word(text) is not None


def _says(text: str) -> bool:
    """Whether the words are some that are waited for: small ones, a control, yes or no."""
    if read(text).kind is not Kind.WORDS or _acts(text):
        return True
    outcome = parse_answer(plain(text), {"type": "boolean"}, channel="speech")
    return isinstance(outcome, Value)


def _loud_ms(samples: Samples) -> int:
    """How long the sound is near its loudest."""
    span = voiced_ms(samples, RATE, _RANGE_DECIBELS)
    return 0 if span is None else span[1] - span[0]


def _best(
    model: Model, encoded: Encoded, talk: Talk, free: Sequence[Reading]
) -> tuple[str, float] | None:
    """The small words that were said, and their likelihood beside that of the free text."""
    limited, _ = model.read(
        encoded,
        talk.language,
        beam=_BEAM,
        readings=_READINGS,
        suppress_tokens=list(talk.suppressed),
    )
    end = free[0].text[-1:] if free[0].text[-1:] in _ENDS else "."
    texts, written = [], [free[0].tokens]
    for text in _candidates(talk, limited, free):
        for tokens in spelt(model, f"{text[:1].upper()}{text[1:]}{end}"):
            texts.append(text)
            written.append(tokens)
    whole, *parts = model.likelihoods(encoded, talk.language, written)
    ranked = sorted(zip(parts, texts, strict=True), reverse=True)
    if not ranked:
        return None
    likelihood, text = ranked[0]
    kind = read(text).kind
    others = [part for part, other in ranked if read(other).kind is not kind]
    apart = not others or likelihood - others[0] >= MARGIN
    ratio = likelihood - whole
    likely = likelihood >= LEAST_LIKELIHOOD and ratio >= LEAST_RATIO
    return (text, ratio) if apart and likely else None


def _candidates(talk: Talk, limited: Sequence[Reading], free: Sequence[Reading]) -> list[str]:
    read_as = [plain(one.text) for one in limited]
    texts = [text for one in (*limited, *free) if (text := plain(one.text))]
    near = sorted(
        (min(distance(form, text) / max(len(form), len(text)) for text in texts), form)
        for form in talk.forms
    )
    nearest = [form for far, form in near if far <= _FARTHEST]
    least = _syllables(plain(free[0].text)) - SYLLABLES_MORE
    fitting = (
        text
        for text in dict.fromkeys((*read_as, *nearest))
        if read(text).kind in _GUESSED and _syllables(text) >= least
    )
    return list(islice(fitting, _SCORED))


def _syllables(text: str) -> int:
    return len(_VOWELS.findall(text))
