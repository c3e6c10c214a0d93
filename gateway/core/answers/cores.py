"""What finds the values of a plan inside a longer text, for lists and for objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from gateway.core.answers.choices import choice_cores
from gateway.core.answers.context import Context
from gateway.core.answers.moments import TIME_FORMATS
from gateway.core.answers.normalise import Token
from gateway.core.answers.numbers import NumberCores, as_json
from gateway.core.answers.plan import Kind, Plan
from gateway.core.answers.roles import match_at
from gateway.core.answers.shell import Core, CoreAt
from gateway.core.answers.types import How
from gateway.core.answers.yesno import consent


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Finder:
    """Finds values at a token; `write` turns what was found into JSON."""

    at: CoreAt
    write: Callable[[object], object]


class SideCores:
    """Finds the single words and phrases of yes and no."""

    __slots__ = ("_known", "tokens")

    def __init__(self, tokens: Sequence[Token], context: Context) -> None:
        """Keep the words of consent of the person's languages."""
        self.tokens = tokens
        self._known = consent(context.languages).known

    def at(self, place: int) -> Core | None:
        """The side that a phrase takes, or None."""
        found = match_at(self.tokens, place, self._known)
        if found is None or found[0] not in "yuan":
            return None
        return Core(found[0] != "n", place + found[2], How.EXACT)


def _number(value: object) -> object:
    return as_json(value) if isinstance(value, Decimal | Fraction) else value


def _same(value: object) -> object:
    return value


def finder_of(
    plan: Plan, tokens: Sequence[Token], context: Context, *, grouped: bool = True
) -> Finder | None:
    """The finder for a plan, or None where its values can't be told from other words."""
    if plan.kind is Kind.BOOLEAN:
        return Finder(SideCores(tokens, context).at, _same)
    if plan.kind is Kind.NUMBER:
        numbers = NumberCores(tokens, plan, context)
        return Finder(lambda place: numbers.at(place, grouped=grouped), _number)
    if plan.kind in (Kind.CHOICE, Kind.CONST):
        return Finder(choice_cores(tokens, plan, context).at, _same)
    form = TIME_FORMATS.get(str(plan.schema.get("format"))) if plan.kind is Kind.TEXT else None
    if form is None:
        return None
    return Finder(form.cores(tokens, context).at, form.write)
