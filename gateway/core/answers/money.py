"""Amounts with their currency, for an object of an amount and a currency code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from gateway.core.answers.context import Context, Got, Miss, Result
from gateway.core.answers.lexicons.money import BY_CENT, BY_WORD, WORDS
from gateway.core.answers.normalise import Reading, Token
from gateway.core.answers.numbers import as_json
from gateway.core.answers.numerals import Reader, numbers_of
from gateway.core.answers.plan import Field, Kind, Plan
from gateway.core.answers.roles import joined
from gateway.core.answers.schema import validates
from gateway.core.answers.shell import Cell, Core, settle, shell_of, survey
from gateway.core.answers.types import How, ProblemCode

HUNDREDTH = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Sum:
    """An amount of a currency; `currency` is empty for a bare number."""

    amount: Decimal
    currency: str = ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Purse:
    """The two fields of a money object and the codes that its currency allows."""

    amount: Field
    currency: Field
    allowed: frozenset[str]


def purse_of(plan: Plan) -> Purse | None:
    """The money fields of an object plan, or None where it is no money object."""
    if plan.kind is not Kind.OBJECT or len(plan.fields) != 2:
        return None
    numbers = [one for one in plan.fields if one.plan.kind is Kind.NUMBER]
    codes = [one for one in plan.fields if one.plan.kind in (Kind.CHOICE, Kind.CONST)]
    if len(numbers) != 1 or len(codes) != 1:
        return None
    allowed = frozenset(str(member.value) for member in codes[0].plan.members)
    return Purse(numbers[0], codes[0], allowed) if allowed <= WORDS.keys() else None


class MoneyCores:
    """Finds amounts with a currency word or sign that fits exactly one allowed currency."""

    __slots__ = ("_allowed", "_reader", "tokens")

    def __init__(self, tokens: Sequence[Token], allowed: frozenset[str], context: Context) -> None:
        """Keep the currencies that the schema allows."""
        self.tokens = tokens
        self._allowed = allowed
        self._reader = Reader(tokens, numbers_of(context.languages))

    def at(self, place: int) -> Core | None:
        """The amount that starts at a token."""
        before = (
            self._currency(place)
            if self.tokens[place].kind == "p" or (self.tokens[place].text.upper() in self._allowed)
            else None
        )
        start = place + 1 if before is not None else place
        if start >= len(self.tokens):
            return None
        found = self._reader.at(start)
        if found is None or found.ordinal:
            return None
        if not isinstance(found.value, Decimal):
            code = ProblemCode.BAD_GROUPING if found.bad_grouping else ProblemCode.APPROXIMATE
            return Core(None, found.end, code=code)
        if before is not None:
            return self._sum(found.value, before, found.end)
        return self._behind(found.value, found.end)

    def _currency(self, place: int) -> str | None:
        """The one allowed currency that a token names, "?" where none or several fit."""
        if place >= len(self.tokens):
            return None
        codes = BY_WORD.get(self.tokens[place].text)
        if codes is None:
            return None
        fitting = codes & self._allowed
        return next(iter(fitting)) if len(fitting) == 1 else "?"

    def _sum(self, amount: Decimal, code: str, end: int) -> Core:
        if code == "?":
            return Core(None, end, code=ProblemCode.WRONG_UNIT)
        return Core(Sum(amount, code), end)

    def _behind(self, amount: Decimal, end: int) -> Core:
        code = self._currency(end)
        if code is None:
            cents = self._cents(end)
            if cents is not None:
                return self._sum(amount * HUNDREDTH, cents, self._dot(end + 1))
            return Core(Sum(amount), end)
        end = self._dot(end + 1)
        more = self._more_cents(end, code)
        if more is not None and amount == amount.to_integral_value():
            return self._sum(amount + more[0] * HUNDREDTH, code, more[1])
        return self._sum(amount, code, end)

    def _dot(self, place: int) -> int:
        tokens = self.tokens
        return place + 1 if place < len(tokens) and tokens[place].text == "." else place

    def _cents(self, place: int) -> str | None:
        if place >= len(self.tokens):
            return None
        codes = BY_CENT.get(self.tokens[place].text)
        if codes is None:
            return None
        fitting = codes & self._allowed
        return next(iter(fitting)) if len(fitting) == 1 else "?"

    def _more_cents(self, place: int, code: str) -> tuple[Decimal, int] | None:
        """Cents behind the whole part ("and fifty cents")."""
        start = place
        if start < len(self.tokens) and self.tokens[start].text in ("and", "и", ","):
            start += 1
        found = self._reader.at(start) if start < len(self.tokens) else None
        if found is None or not isinstance(found.value, Decimal) or found.end >= len(self.tokens):
            return None
        codes = BY_CENT.get(self.tokens[found.end].text, frozenset())
        fits = code in codes and 0 < found.value < 100 and found.value == int(found.value)
        return (found.value, self._dot(found.end + 1)) if fits else None


def read_money(reading: Reading, plan: Plan, purse: Purse, context: Context) -> Result:
    """The money object that the whole text commits to."""
    tokens = joined(reading.tokens)
    if not tokens:
        return Miss(ProblemCode.EMPTY)
    cores = MoneyCores(tokens, purse.allowed, context)
    cells = survey(tokens, cores.at, shell_of(context.languages), delays_win=True)
    settled = settle(_named(cells), repeats=False)
    if settled.core is None:
        return Miss(settled.code)
    value = settled.core.value
    assert isinstance(value, Sum)
    if not value.currency:
        if len(purse.allowed) != 1:
            return Miss(ProblemCode.MISSING_FIELD, {"fields": [purse.currency.names[0]]})
        value = replace(value, currency=next(iter(purse.allowed)))
    code = validates(value.amount, purse.amount.plan.schema)
    if code is not None:
        return Miss(ProblemCode(code), {"value": as_json(value.amount)})
    how = How.CORRECTED if settled.corrected else settled.core.how
    return Got({purse.amount.key: as_json(value.amount), purse.currency.key: value.currency}, how)


def _named(cells: list[Cell]) -> list[Cell]:
    """Bare numbers behind an amount take its currency ("five dollars, no, ten")."""
    first = next((cell.core.value for cell in cells if cell.core is not None), None)
    if not isinstance(first, Sum) or not first.currency:
        return cells
    return [
        replace(
            cell, core=replace(cell.core, value=replace(cell.core.value, currency=first.currency))
        )
        if cell.core is not None
        and isinstance(cell.core.value, Sum)
        and not cell.core.value.currency
        else cell
        for cell in cells
    ]
