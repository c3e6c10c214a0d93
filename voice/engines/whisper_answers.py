"""The answers to an open question, as Whisper may write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from gateway.core.answers import Outcome, Value, in_words, parse_answer, sayable
from voice.core.words import plain
from voice.engines.whisper_model import Model
from voice.ports import Expected

_MARKS = (".", ",", "!", "?", "-")


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers to a question: how each is said, by its plain form, and the tokens that none of
    them has. `words` are what longer answers are made of; `begun` are forms that may be the
    beginning of something else.
    """

    expected: Expected
    language: str
    forms: Mapping[str, str]
    words: frozenset[str]
    begun: frozenset[str]
    suppressed: tuple[int, ...]

    def read(self, text: str) -> Outcome:
        """What a text is worth as an answer."""
        return parse_answer(
            text, self.expected.schema, languages=self.expected.languages, channel="speech"
        )

    def holds(self, text: str) -> bool:
        """Whether it is one of the forms, or made of the words that answers are made of."""
        words = plain(text)
        return words in self.forms or (bool(words) and set(words.split()) <= self.words)


def is_side(outcome: Outcome) -> bool:
    """Whether it is a yes or a no."""
    return isinstance(outcome, Value) and isinstance(outcome.value, bool)


def answers_of(model: Model, expected: Expected, language: str) -> Answers | None:
    """Made once for a question, in the engine's thread; None where anything may be said. Forms are
    those of the language spoken: another one's would be heard in its sounds.
    """
    found = sayable(expected.schema, (language,))
    if found is None:
        return None
    forms = {plain(form): form for form in found.whole if not form.isdecimal()}
    words = {word for text in (*found.words, *found.whole) for word in plain(text).split()}
    others = suppressed(model, (*found.whole, *found.words))
    made_of = frozenset(words) if found.words else frozenset[str]()
    numbers = sayable({"type": "integer"}, (language,))
    longer = (*forms, *(() if numbers is None else numbers.words))
    whole = Answers(expected, language, forms, made_of, frozenset(), others)
    begun = frozenset(
        form
        for form in forms
        if any(_begins(form, other) and whole.read(form) != whole.read(other) for other in longer)
    )
    return replace(whole, begun=begun)


def _begins(form: str, other: str) -> bool:
    """Whether a word is the first part of another one: «три» of «тридцать»."""
    return other.startswith(form) and other[len(form) : len(form) + 1].isalpha()


def suppressed(model: Model, said: Iterable[str]) -> tuple[int, ...]:
    """The tokens that none of these texts has, however it is written."""
    kept = {model.end}
    for text in said:
        for written in (text, text.capitalize()):
            for tokens in spelt(model, written):
                kept.update(tokens)
    for mark in _MARKS:
        kept.update(model.tokens(mark))
    return tuple(token for token in range(model.end) if token not in kept)


def spelt(model: Model, text: str) -> set[tuple[int, ...]]:
    """The tokens of a text at the beginning, in the ways that the model writes it: «Вторник» is
    " Втор" + "ник", or " В" + "тор" + "ник".
    """
    whole, apart = model.tokens(f" {text}"), model.tokens(text)
    first = model.tokens(f" {model.text(apart[:1])}")
    return {tuple(whole), (*first, *apart[1:])}


def as_said(text: str, language: str) -> str:
    """A number as it is said: its figures are likely where nothing sounds like them."""
    return in_words(int(text), language) if text.isdecimal() and len(text) <= 3 else text
