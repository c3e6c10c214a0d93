"""Whisper while a question is open: what was said is heard as one of its answers, or refused.

Free text comes first: what it says, counts, unless another answer is nearly as likely
(`contested`): then both are told, and none is taken. Where it is no answer, the answers that are
nearest to it are scored by the model itself, each as a whole sentence. The best is taken only if it
is nearly as likely as the free text (`LEAST_RATIO`) and clearly likelier than any other answer
(`MARGIN`). Else it is heard once more, slower, and taken if that is surely the same answer. Else
nobody guesses: the free text stands, and the question is asked again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from gateway.core.answers import Control, How, Outcome, Value
from gateway.core.answers.slips import distance
from voice.core.pcm import Resampler, Samples
from voice.core.words import is_consent, plain
from voice.engines.whisper_answers import Answers, as_said, is_side, spelt
from voice.engines.whisper_features import RATE
from voice.engines.whisper_gate import NO_SPEECH, placed, voiced_ms
from voice.engines.whisper_model import Encoded, Model, Reading, freely
from voice.engines.whisper_rivals import contested
from voice.ports import Hypothesis

LEAST_RATIO = -2.0
"""The log-likelihood of an answer less that of the free text."""
FAINT, GUESS = -1.2, -1.6
"""No yes or no is heard in a text whose mean log-probability is lower than the first: right ones
had −1.09 and more, those heard in other words −1.4 and less. Below the second nothing is.
"""
MARGIN = 1.0
"""The log-likelihood of the best answer less that of the next one that means something else."""
CLEAR_TOKENS, CLEAR_LOG_PROBABILITY = 6, -0.4
"""Digits with pauses of 300 to 900 ms: 9 tokens and more, −0.11 to −0.30."""
SLOWER = 16
"""The second hearing is slower by one part in so many."""
SENTENCE = 3
"""Of so many words the language is asked: what is shorter says too little of it."""
SCORED = 6
"""So many forms are scored, in two spellings each, about 15 ms a spelling."""
READINGS, LIMITED_READINGS = 3, 5
_BEAM = 5
_FARTHEST = 0.75
_WORDS_MORE = 2
"""Free text of so many words more than an answer has is something else."""
_ENDS = (".", "!", "?")
"""An answer is scored as a whole sentence with a mark at its end: «да,» may go on."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """An answer as it may be written: the same text can be made of other tokens."""

    text: str
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Heard:
    """What was made of a sound; `guess` is the answer that it is most like, but not enough."""

    found: Hypothesis
    guess: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Best:
    """The answer that is likeliest, and how much less likely than the free text; `sure` where that
    is little and any other answer is clearly less likely.
    """

    text: str
    outcome: Outcome
    ratio: float
    sure: bool


def read_answer(model: Model, samples: Samples, answers: Answers) -> Hypothesis:
    """What was said while the question is open. A word that is most like an answer, but not enough,
    is heard once more, slower: where that is surely the same number or choice, it is taken.
    """
    first = _hear(model, samples, answers)
    if not isinstance(first.guess, Value) or is_side(first.guess):
        return first.found
    second = _hear(model, slowed(samples), answers).found
    outcome = answers.read(second.text)
    same = isinstance(outcome, Value) and outcome.value == first.guess.value
    if not same or second.alternatives:
        return first.found
    span = voiced_ms(samples, RATE)
    assert span is not None
    words = placed(second.text.split(), span)
    return Hypothesis(words, confidence=second.confidence, confirm=True)


def slowed(samples: Samples) -> Samples:
    """The sound, lower and longer by a `SLOWER`th."""
    _, longer = Resampler(SLOWER, SLOWER + 1).apply(samples)
    return longer


def _hear(model: Model, samples: Samples, answers: Answers) -> Heard:
    span = voiced_ms(samples, RATE)
    if span is None:
        return Heard(Hypothesis())
    language = answers.language
    encoded = model.encode(samples)
    found, no_speech = model.read(encoded, language, beam=_BEAM, readings=READINGS)
    free = freely(found, no_speech, language, span)
    if not free.words and _is_clear(found[0], answers):
        free = freely(found, 0.0, language, span)
    outcome = answers.read(free.text)
    faint = found[0].log_probability < FAINT
    guess = found[0].log_probability < GUESS
    if isinstance(outcome, Value) and (guess or (faint and is_side(outcome))):
        return Heard(Hypothesis())
    if isinstance(outcome, Value):
        return Heard(contested(model, encoded, answers, free, outcome))
    if not free.words or isinstance(outcome, Control):
        return Heard(free)
    if len(free.words) >= SENTENCE and model.is_foreign(encoded):
        return Heard(Hypothesis())
    alone = Hypothesis(free.words, confidence=free.confidence)
    limited = _limited(model, encoded, answers)
    end = found[0].text[-1:] if found[0].text[-1:] in _ENDS else "."
    candidates = [
        Sentence(text, tokens)
        for text in _candidates(answers, found, limited)
        for tokens in spelt(model, f"{text[:1].upper()}{text[1:]}{end}")
    ]
    if not candidates or no_speech >= NO_SPEECH:
        return Heard(alone)
    best = _best(model, encoded, answers, found[0], candidates)
    if best is None or len(free.words) > best.text.count(" ") + _WORDS_MORE:
        return Heard(alone)
    if not best.sure or (faint and is_side(best.outcome)):
        return Heard(alone, best.outcome)
    words = placed(best.text.split(), span)
    return Heard(Hypothesis(words, confidence=min(1.0, exp(best.ratio)), confirm=True))


def _is_clear(reading: Reading, answers: Answers) -> bool:
    """Whether several words make an answer and the model is sure of each: rows of digits with
    pauses between them look to it as if nobody spoke.
    """
    several = len(reading.tokens) >= CLEAR_TOKENS and len(set(reading.tokens)) >= CLEAR_TOKENS // 2
    sure = reading.log_probability >= CLEAR_LOG_PROBABILITY
    return several and sure and isinstance(answers.read(reading.text), Value)


def _limited(model: Model, encoded: Encoded, answers: Answers) -> list[Reading]:
    found, _ = model.read(
        encoded,
        answers.language,
        beam=_BEAM,
        readings=LIMITED_READINGS,
        suppress_tokens=list(answers.suppressed),
    )
    return found


def _candidates(
    answers: Answers, free: Sequence[Reading], limited: Sequence[Reading]
) -> Sequence[str]:
    """Texts to be scored: what was read with the answers' tokens alone, then the forms that are
    written most like what was read at all.
    """
    read = dict.fromkeys(as_said(plain(one.text), answers.language) for one in (*limited, *free))
    heard = [text for text in read if answers.holds(text)]
    texts = tuple(text for text in read if text)
    near = sorted((_distance_to(form, texts), form) for form in answers.forms)
    nearest = [form for distance, form in near[:SCORED] if distance <= _FARTHEST]
    return list(dict.fromkeys((*heard, *nearest)))[:SCORED]


def _distance_to(form: str, texts: Sequence[str]) -> float:
    return min((distance(form, text) / max(len(form), len(text)) for text in texts), default=1.0)


def _best(
    model: Model,
    encoded: Encoded,
    answers: Answers,
    free: Reading,
    candidates: Sequence[Sentence],
) -> Best | None:
    """The likeliest answer. A yes is never one, for it is short and allows something, nor is a
    place in a list: a lone number is near to everything.
    """
    written = [free.tokens, *(one.tokens for one in candidates)]
    whole, *parts = model.likelihoods(encoded, answers.language, written)
    texts = [answers.forms.get(one.text, one.text) for one in candidates]
    ranked: dict[str, tuple[float, str, Outcome]] = {}
    for part, text in sorted(zip(parts, texts, strict=True), reverse=True):
        outcome = answers.read(text)
        meaning = outcome.value if isinstance(outcome, Value) else outcome
        ranked.setdefault(repr(meaning), (part, text, outcome))
    (likelihood, text, outcome), *others = ranked.values()
    unsure = plain(text) in answers.begun or is_consent(text)
    if unsure or not isinstance(outcome, Value) or outcome.how is How.INDEX:
        return None
    apart = not others or likelihood - others[0][0] >= MARGIN
    ratio = likelihood - whole
    return Best(text, outcome, ratio, apart and ratio >= LEAST_RATIO)
