"""Integers and numbers: one number, what is counted, and what may stand round it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from gateway.core.answers.context import Context, Got, Miss, Result
from gateway.core.answers.digits import join_digits, wants_digits
from gateway.core.answers.lexicons import UNITS
from gateway.core.answers.normalise import Reading, Token
from gateway.core.answers.numerals import Found, Numbers, Reader, numbers_of
from gateway.core.answers.plan import Plan
from gateway.core.answers.roles import joined, match_at
from gateway.core.answers.schema import validates
from gateway.core.answers.shell import (
    Core,
    homophones_of,
    says_how_long,
    settle,
    shell_of,
    survey,
    trimmed,
)
from gateway.core.answers.types import How, ProblemCode
from gateway.core.answers.years import wants_year, year_at


def says_percent(plan: Plan) -> bool:
    """Whether title or description say that the number is one of percent."""
    return bool(plan.hint) and (
        "%" in plan.hint
        or any(hint in plan.hint for words in UNITS.values() for hint in words.percent_hints)
    )


YEARS = frozenset({"year", "год"})


def as_json(number: Decimal | Fraction) -> int | float | None:
    """The number as JSON holds it: whole ones exact, others as a float, None beyond its range."""
    if isinstance(number, Fraction):
        return number.numerator if number.denominator == 1 else float(number)
    if number == number.to_integral_value():
        return int(number) if number.adjusted() < 310 else None
    value = float(number)
    return value if abs(value) != float("inf") else None


class NumberCores:
    """Finds the numbers of a text together with what they count."""

    __slots__ = ("_context", "_plan", "_reader", "_shell", "_units", "_years", "numbers", "tokens")

    def __init__(self, tokens: Sequence[Token], plan: Plan, context: Context) -> None:
        """Keep what decides whether a unit fits: the schema's title and the person's language."""
        self.tokens = tokens
        self.numbers: Numbers = numbers_of(context.languages)
        self._reader = Reader(tokens, self.numbers)
        self._plan = plan
        self._context = context
        self._units = [UNITS[code] for code in context.languages if code in UNITS]
        self._shell = shell_of(context.languages)
        self._years = wants_year(plan)

    def at(self, place: int, *, grouped: bool = True) -> Core | None:
        """The number at a token with its unit, or a core that says why it can't be taken."""
        start = place + 1 if self._is_mark(place) else place
        if start >= len(self.tokens):
            return None
        year = year_at(self._reader, start) if self._years else None
        if year is not None:
            return self._with_unit(Found(Decimal(year[0]), year[1]))
        found = self._reader.at(start, grouped=grouped)
        if found is None:
            return None
        if found.value is None:
            return Core(None, found.end, code=_why(found))
        if found.part and says_percent(self._plan):
            return Core(None, found.end, code=ProblemCode.AMBIGUOUS)
        if found.ordinal and start == place and not self._bounded():
            return Core(None, found.end, code=ProblemCode.NOT_UNDERSTOOD)
        core = self._with_unit(found)
        if core.end == start + 1 and start == place and self._stands_for_a_thing(place):
            return Core(None, core.end, code=ProblemCode.NOT_UNDERSTOOD)
        return core

    def _stands_for_a_thing(self, place: int) -> bool:
        """Whether a number word is a pronoun by what stands right before it ("a good one")."""
        if place == 0 or self.tokens[place].text not in self.numbers.pronouns:
            return False
        before = [token.text for token in self.tokens[max(place - 2, 0) : place]]
        leads = self.numbers.pronoun_leads
        return before[-1] in leads or " ".join(before) in leads

    def _is_mark(self, place: int) -> bool:
        token = self.tokens[place]
        return token.text == "#" or (
            token.text in self.numbers.marks
            and place + 1 < len(self.tokens)
            and self.tokens[place + 1].kind in "dw"
            and (token.text != "no" or self.tokens[place + 1].kind == "d")
        )

    def _bounded(self) -> bool:
        return self._plan.minimum is not None and self._plan.maximum is not None

    def _with_unit(self, found: Found) -> Core:
        how = How.REPAIRED if found.repaired else How.SPOKEN if found.words else How.EXACT
        core = Core(found.value, found.end, how, ordinal=found.ordinal)
        if found.end >= len(self.tokens):
            return core
        token = self.tokens[found.end]
        if token.text in ("%", "٪") or token.text in self.numbers.percent:
            return self._percent(core)
        if token.kind == "p":
            bad = token.glued and token.text in "+-*^°$€₽£¥=<>@_"
            return replace(core, code=ProblemCode.APPROXIMATE) if bad else core
        if token.kind != "w":
            return core
        return core if found.part else self._counted(core, token)

    def _percent(self, core: Core) -> Core:
        if says_percent(self._plan):
            return replace(core, end=core.end + 1)
        return replace(core, end=core.end + 1, code=ProblemCode.WRONG_UNIT)

    def _counted(self, core: Core, token: Token) -> Core:
        """The core with the noun behind it, where that can be what is counted."""
        end = core.end + 1
        measure = self._measure(token.text)
        if measure is not None:
            named = self._is_in(measure) or (self._years and not YEARS.isdisjoint(measure))
            return replace(core, end=end, code=None if named else ProblemCode.WRONG_UNIT)
        aside = self._aside(token.text)
        if aside is not None and (self._says(aside) or _are_few(core.value)):
            return replace(core, end=end, code=None if self._says(aside) else ProblemCode.MENTION)
        if match_at(self.tokens, core.end, self._shell) is not None:
            return core
        if self._reader.at(core.end) is not None or self._context.closed:
            return core
        if not token.glued and self._agrees(token.text, core.value):
            if end < len(self.tokens) and self.tokens[end].text == ".":
                end += 1
            return replace(core, end=end)
        counter = token.glued and token.text in ("шт", "pcs")
        bad = ProblemCode.WRONG_UNIT if token.glued else None
        return replace(core, end=end if token.glued else core.end, code=None if counter else bad)

    def _measure(self, word: str) -> tuple[str, ...] | None:
        """The stems that a schema names a measure with, or None."""
        known = (units.measures.get(word) for units in self._units)
        return next((stem for stem in known if stem is not None), None)

    def _aside(self, word: str) -> tuple[str, ...] | None:
        """The stems of what people have one of when they don't answer ("one question")."""
        known = (units.asides.get(word) for units in self._units)
        return next((stem for stem in known if stem is not None), None)

    def _is_in(self, stems: tuple[str, ...]) -> bool:
        """Whether the schema's numbers are of this measure: the first that it names, if any."""
        first = next((known for word in self._said() if (known := _measures_of(word))), None)
        return self._says(stems) if first is None else not first.isdisjoint(stems)

    def _says(self, stems: tuple[str, ...]) -> bool:
        return any(word.startswith(stems) for word in self._said())

    def _said(self) -> tuple[str, ...]:
        return _words_of(f"{self._plan.hint} {self._plan.called}")

    def _agrees(self, word: str, value: object) -> bool:
        if not isinstance(value, Decimal) or value < 0:
            return False
        count = int(value) if value == value.to_integral_value() else None
        return any(units.agrees(word, count) for units in self._units)


@lru_cache(maxsize=512)
def _words_of(hint: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", hint))


ABBREVIATED = 3
LONG_STEM = 5


@lru_cache(maxsize=512)
def _measures_of(word: str) -> frozenset[str]:
    """The stems of the measure that a word of a schema names, empty where it names none.

    Abbreviations of three letters are other words as well ("min").
    """
    found: set[str] = set()
    for units in UNITS.values():
        for known, stems in units.measures.items():
            exact = word == known and len(word) != ABBREVIATED
            if exact or any(len(stem) >= LONG_STEM and word.startswith(stem) for stem in stems):
                found.update(stems)
    return frozenset(found)


FEW = 3


def _are_few(value: object) -> bool:
    return isinstance(value, Decimal) and abs(value) <= FEW


def _why(found: Found) -> ProblemCode:
    if found.bad_grouping:
        return ProblemCode.BAD_GROUPING
    return ProblemCode.APPROXIMATE if found.plural else ProblemCode.NOT_UNDERSTOOD


def read_number(reading: Reading, plan: Plan, context: Context) -> Result:
    """The one number that the text commits to."""
    tokens: Sequence[Token] = joined(reading.tokens)
    star = tokens[:1] and tokens[0].text == "*" and len(tokens) > 1
    if star:
        tokens = tokens[1:]
    if not tokens:
        return Miss(ProblemCode.EMPTY)
    tokens = _homophone(tokens, context)
    joint = _row_of_digits(tokens, plan, context)
    if joint is not None:
        return _checked(joint, How.SPOKEN, plan)
    cores = NumberCores(tokens, plan, context)
    cells = survey(tokens, cores.at, shell_of(context.languages))
    if says_how_long(tokens, cells, context.languages):
        return Miss(ProblemCode.DEFERRED)
    settled = settle(cells, repeats=False)
    if settled.core is None:
        return Miss(settled.code)
    how = How.CORRECTED if settled.corrected or star else settled.core.how
    value = settled.core.value
    assert isinstance(value, Decimal | Fraction)
    return _checked(value, how, plan)


def _row_of_digits(tokens: Sequence[Token], plan: Plan, context: Context) -> Decimal | None:
    """A number whose digits are said one by one, where the schema names such a number."""
    if not plan.integer or not wants_digits(plan):
        return None
    kept = numbers_of(context.languages).oh
    text = join_digits(trimmed(tokens, context.languages, kept), context)
    return Decimal(text) if text and text.isdecimal() and not text.startswith("0") else None


def _homophone(tokens: Sequence[Token], context: Context) -> Sequence[Token]:
    """On speech, a lone word that sounds like a number ("to", "for") is that number."""
    words = [token for token in tokens if token.kind == "w"]
    if not context.spoken or len(words) != 1:
        return tokens
    meant = homophones_of(context.languages).get(words[0].text)
    if meant is None:
        return tokens
    return [replace(token, text=meant) if token is words[0] else token for token in tokens]


def _checked(value: Decimal | Fraction, how: How, plan: Plan) -> Result:
    """The number under the schema's limits, in exact arithmetic."""
    if isinstance(value, Decimal):
        code = validates(value, plan.schema)
        if code is not None:
            return Miss(ProblemCode(code), {"value": as_json(value)})
    number = as_json(value)
    if number is None:
        return Miss(ProblemCode.OUT_OF_RANGE)
    if isinstance(value, Fraction) and validates(number, plan.schema) is not None:
        return Miss(ProblemCode.NOT_WHOLE if plan.integer else ProblemCode.WRONG_STEP)
    return Got(number, how)
