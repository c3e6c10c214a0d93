"""Whether another answer is nearly as likely as the one that was heard: "fifteen" and "fifty",
«двенадцать» and «двадцать» differ by less than a model can always tell.

The answers that are said most like it, and those that the model read besides, are scored beside it,
numbers in words and in figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gateway.core.answers import How, Value, in_words
from gateway.core.answers.slips import distance
from voice.core.words import plain
from voice.engines.whisper_answers import Answers, as_said, is_side, spelt
from voice.engines.whisper_model import Encoded, Model
from voice.ports import Hypothesis

APART = 2.5
"""The log-likelihood of an answer less that of its rival. Of 77 right ones four had less (1.0 to
2.1), of six wrong ones none had more than 1.9.
"""
_RIVALS = 4
_LARGEST = 999
"""Longer numbers are rows of figures, which are read back."""


def contested(
    model: Model, encoded: Encoded, answers: Answers, free: Hypothesis, heard: Value
) -> Hypothesis:
    """The text, whose other reading is the answer that may have been said instead, if there is one.
    As it stands where answers can't be compared: a yes or a no has rules of its own.
    """
    own = "" if is_side(heard) else _said(answers, free.text, heard.value)
    if not own:
        return free
    read = [as_said(plain(one), answers.language) for one in free.alternatives]
    others = _nearest(answers, own, heard.value, read)
    found: dict[str, float] = {}
    texts, written = [], []
    for said, value in ((own, heard.value), *others):
        for tokens in _written(model, said, value):
            texts.append(said)
            written.append(tokens)
    parts = model.likelihoods(encoded, answers.language, written)
    for said, part in zip(texts, parts, strict=True):
        found[said] = max(part, found.get(said, part))
    mine = found.pop(own)
    rivals = [said for said, part in found.items() if mine - part < APART]
    return replace(free, alternatives=tuple(rivals))


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


def _nearest(
    answers: Answers, own: str, value: object, read: Sequence[str]
) -> Sequence[tuple[str, object]]:
    """The other answers that were read, and those that are said most like it, each in its shortest
    form.
    """
    forms = sorted({*answers.forms, *_changed(answers, own)}, key=lambda one: (_far(one, own), one))
    found: dict[str, tuple[str, object]] = {}
    for form in (*read, *forms):
        other = _value(answers, form)
        if other is None or other[0] == value:
            continue
        key = repr(other[0])
        known = found.get(key)
        if len(form) < len(known[0]) if known else len(found) < len(read) + _RIVALS:
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
