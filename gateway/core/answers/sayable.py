"""What an answer to a schema sounds like: for a recogniser that listens for nothing else.

Every whole form was read by `parse_answer` and is an answer or a control; what no list can hold
(numbers of any size, dates) is given as the words that it is made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from gateway.core.answers.digits import wants_digits
from gateway.core.answers.lexicons import CONSENT, NAMES, NUMERALS, SHELLS, TALK, TIMES
from gateway.core.answers.names import words_of
from gateway.core.answers.parse import parse_answer
from gateway.core.answers.plan import Kind, Plan, is_open_text, plan_of
from gateway.core.answers.shell import shell_of
from gateway.core.answers.types import Control, Schema, Value

MOST_NUMBERS = 130
"""So many numbers are listed one by one; more are given as words."""
_HUNDRED, _THOUSAND = 100, 1_000
_ORDINALS = 10
_FORMS = 16
_CONTROL_WORDS = 3
_DATES = frozenset({"date", "time", "date-time", "duration"})


@dataclass(frozen=True, slots=True)
class Sayable:
    """`whole` answers, and the `words` that longer ones are made of; each once."""

    whole: tuple[str, ...]
    words: tuple[str, ...] = ()


def sayable(schema: Schema, languages: Sequence[str]) -> Sayable | None:
    """How answers in these languages are said, and the shortest controls; None where any text is an
    answer, or one of several fields.

    Raises SchemaError where the schema is no JSON Schema.
    """
    plan = plan_of(schema)
    known = tuple(code for code in languages if code in TALK)
    found = _of(plan, known)
    if found is None:
        return None
    answers = [
        form
        for form in dict.fromkeys(found.whole)
        if isinstance(parse_answer(form, schema, languages=known, channel="speech"), Value)
    ]
    controls = (word for code in known for word in _controls(code) if _is_control(word, schema))
    return Sayable(tuple(dict.fromkeys((*answers, *controls))), tuple(dict.fromkeys(found.words)))


def _is_control(word: str, schema: Schema) -> bool:
    return isinstance(parse_answer(word, schema, channel="speech"), Control)


@lru_cache(maxsize=8)
def _controls(code: str) -> tuple[str, ...]:
    """The shortest words of each control: they stand for what is said instead of an answer."""
    return tuple(
        word
        for words in TALK[code].controls.values()
        for word in sorted(words, key=lambda one: (one.count(" "), len(one), one))[:_CONTROL_WORDS]
    )


def _of(plan: Plan, languages: tuple[str, ...]) -> Sayable | None:
    match plan.kind:
        case Kind.BOOLEAN:
            return Sayable(tuple(_consent(languages)))
        case Kind.NUMBER:
            return _number(plan, languages)
        case Kind.CHOICE | Kind.CONST:
            return Sayable((*_names(plan, languages), *_ordinals(len(plan.members), languages)))
        case Kind.UNION:
            return _joined([_of(one, languages) for one in plan.branches if not _is_null(one)])
        case Kind.TEXT:
            return _text(plan, languages)
        case Kind.ARRAY if plan.items is not None:
            return _several(_of(plan.items, languages), languages)
        case Kind.OBJECT if len(plan.fields) == 1:
            return _of(plan.fields[0].plan, languages)
        case _:
            return None


def _is_null(plan: Plan) -> bool:
    return plan.kind is Kind.NULL


def _joined(parts: Sequence[Sayable | None]) -> Sayable | None:
    known = [part for part in parts if part is not None]
    if not known or len(known) < len(parts):
        return None
    return Sayable(
        tuple(form for part in known for form in part.whole),
        tuple(word for part in known for word in part.words),
    )


def _several(items: Sayable | None, languages: tuple[str, ...]) -> Sayable | None:
    """A list of what may be said alone, with what joins it."""
    if items is None:
        return None
    roles = shell_of(languages).roles
    joints = (word for word, role in roles.items() if role in "AL" and word.isalpha())
    return Sayable(items.whole, (*items.whole, *items.words, *joints))


def _consent(languages: Iterable[str]) -> Iterator[str]:
    for code in languages:
        yield from CONSENT[code].plain.split()


def _names(plan: Plan, languages: Sequence[str]) -> Iterator[str]:
    for member in plan.members:
        for name in member.names:
            yield " ".join(words_of(name))
            yield name
    for member in plan.members:
        for word in (words[0] for words in map(words_of, member.names) if len(words) == 1):
            forms = (
                form
                for code in languages
                if not NAMES[code].latin
                for form in NAMES[code].forms(word)
            )
            yield from sorted(forms)[:_FORMS]
    for member in plan.members:  # the head word alone, where it is one member's
        for name in member.names:
            yield from words_of(name) if len(words_of(name)) > 1 else ()


def _ordinals(count: int, languages: Iterable[str]) -> Iterator[str]:
    for code in languages:
        words, nouns = _numerals(code), _nouns(code)
        for number in range(1, min(count, _ORDINALS) + 1):
            for word in words.get(("ou", number), ())[:2]:
                yield word
                yield from (f"{word} {noun}" for noun in nouns)
            yield in_words(number, code)
            yield f"{number}"
        yield from sorted(SHELLS[code].last)[:1]


def _nouns(code: str) -> tuple[str, ...]:
    """The noun that goes with every ordinal, where the language has one ("first one")."""
    return ("one",) if "one" in SHELLS[code].position_nouns else ()


def _number(plan: Plan, languages: tuple[str, ...]) -> Sayable:
    low, high = plan.minimum, plan.maximum
    if low is None and high is not None and high >= 0:
        low = Decimal(0)
    listed: tuple[str, ...] = ()
    if plan.integer and low is not None and high is not None and high - low < MOST_NUMBERS:
        numbers = [n for n in range(int(low), int(high) + 1) if 0 <= n < _THOUSAND]
        listed = tuple(
            form for n in numbers for form in (str(n), *(in_words(n, code) for code in languages))
        )
        if len(numbers) == int(high) - int(low) + 1:
            return Sayable(listed)
    return Sayable(listed, tuple(_number_words(languages)))


def _number_words(languages: Iterable[str]) -> Iterator[str]:
    yield from map(str, range(10))
    for code in languages:
        numerals = NUMERALS[code]
        yield from (words[0] for (kind, _), words in _numerals(code).items() if kind in "zutTHhs")
        for several in (numerals.conjunctions, numerals.minus, numerals.points, numerals.oh):
            yield from sorted(word for word in several if word.isalpha())
        yield from numerals.doubles


@lru_cache(maxsize=8)
def _numerals(code: str) -> Mapping[tuple[str, int], tuple[str, ...]]:
    """The words of each number, the standard one first, as the lists have them."""
    found: dict[tuple[str, int], list[str]] = {}
    for word, key in NUMERALS[code].words.items():
        found.setdefault(key, []).append(word)
    return {key: tuple(words) for key, words in found.items()}


def in_words(number: int, code: str) -> str:
    """A number from 0 to 999 as it is said alone."""
    words = _numerals(code)
    parts: list[str] = []
    hundreds, rest = divmod(number, _HUNDRED)
    if hundreds:
        whole = words.get(("H", hundreds * _HUNDRED))
        parts += whole[:1] if whole else (words["u", hundreds][0], words["h", _HUNDRED][0])
    tens, units = divmod(rest, 10)
    if tens > 1:
        parts.append(words["T", tens * 10][0])
    if tens == 1:
        parts.append(words["t", rest][0])
    elif units:
        parts.append(words["u", units][0])
    return " ".join(parts) or words["z", 0][0]


def _text(plan: Plan, languages: tuple[str, ...]) -> Sayable | None:
    if plan.schema.get("format") in _DATES:
        return Sayable((), (*_number_words(languages), *_time_words(languages)))
    if not wants_digits(plan) or is_open_text(plan):
        return None
    letters = (word for code in languages for word in NAMES[code].spoken)
    return Sayable((), (*_number_words(languages), *(w for w in letters if w.isdecimal())))


def _time_words(languages: Iterable[str]) -> Iterator[str]:
    for code in languages:
        times = TIMES[code]
        for table in (times.days, times.weekdays, times.months, times.units, times.noons):
            yield from (word for word in table if len(word) > 2)
        yield from (word for phrase in times.parts for word in phrase.split())
        yield from (
            word
            for several in (times.next, times.past, times.before, times.oclock, times.quarters)
            for phrase in sorted(several)
            for word in phrase.split()
        )
        ordinals = (words for (kind, _), words in _numerals(code).items() if kind[0] == "o")
        yield from (word for words in ordinals for word in words)
