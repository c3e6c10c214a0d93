"""Whether another answer is nearly as likely as the one that was heard: "fifteen" and "fifty",
«двенадцать» and «двадцать» differ by less than a model can always tell.

The answers that are said most like it are scored beside it, numbers in words and in figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gateway.core.answers import How, Value, in_words
from voice.core.words import plain
from voice.engines.whisper_answers import Answers, distance, is_side, spelt
from voice.engines.whisper_model import Encoded, Model

APART = 2.5
"""The log-likelihood of an answer less that of its rival. Of 77 right ones four had less (1.0 to
2.1), of six wrong ones none had more than 1.9.
"""
_RIVALS = 4
_LARGEST = 999
"""Longer numbers are rows of figures, which are read back."""


def rival(model: Model, encoded: Encoded, answers: Answers, text: str, heard: Value) -> str | None:
    """The other answer that may have been said instead of this one, in its words; None where there
    is none. A yes or a no has rules of its own.
    """
    if is_side(heard):
        return None
    own = _said(answers, text, heard.value)
    others = _nearest(answers, own, heard.value) if own else ()
    if not others:
        return None
    texts, written = [], []
    for said, value in ((own, heard.value), *others):
        for tokens in _written(model, said, value):
            texts.append(said)
            written.append(tokens)
    found: dict[str, float] = {}
    parts = model.likelihoods(encoded, answers.language, written)
    for said, part in zip(texts, parts, strict=True):
        found[said] = max(part, found.get(said, part))
    mine = found.pop(own)
    next_best = max(found, key=lambda said: found[said])
    return next_best if mine - found[next_best] < APART else None


def _said(answers: Answers, text: str, value: object) -> str:
    """How this value is said; empty where that is not known."""
    if _is_number(value):
        assert isinstance(value, int)
        return in_words(value, answers.language)
    words = plain(text)
    if words in answers.forms:
        return words
    same = [form for form in answers.forms if _value(answers, form) == (value,)]
    return min(same, key=lambda form: distance(form, words), default="")


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST


def _value(answers: Answers, text: str) -> tuple[object] | None:
    """What a text answers by itself, and not by its place in a list."""
    outcome = answers.read(text)
    if not isinstance(outcome, Value) or outcome.how is How.INDEX:
        return None
    return (outcome.value,)


def _nearest(answers: Answers, own: str, value: object) -> Sequence[tuple[str, object]]:
    """Other answers that are said most like it, each in its shortest form."""
    forms = {*answers.forms, *_changed(answers, own)}
    found: dict[str, tuple[str, object]] = {}
    for form in sorted(forms, key=lambda one: (_far(one, own), one)):
        other = _value(answers, form)
        if other is None or other[0] == value:
            continue
        key = repr(other[0])
        known = found.get(key)
        if len(form) < len(known[0]) if known else len(found) < _RIVALS:
            found[key] = (form, other[0])
    return tuple(found.values())


def _far(form: str, own: str) -> float:
    return distance(form, own) / max(len(form), len(own))


def _changed(answers: Answers, said: str) -> Iterator[str]:
    """The words with one of them changed: "twenty fifteen" is for `answers` to refuse."""
    words = said.split()
    for place in range(len(words)):
        for other in answers.words:
            yield " ".join((*words[:place], other, *words[place + 1 :]))


def _written(model: Model, said: str, value: object) -> Iterator[tuple[int, ...]]:
    yield from spelt(model, f"{said[:1].upper()}{said[1:]}.")
    if _is_number(value):
        yield tuple(model.tokens(f" {value}."))
