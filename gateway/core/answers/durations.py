"""Lengths of time: counts with units, halves and quarters, written as ISO 8601."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from gateway.core.answers.context import Context
from gateway.core.answers.normalise import Token
from gateway.core.answers.numerals import Reader, numbers_of
from gateway.core.answers.roles import match_at
from gateway.core.answers.shell import Core
from gateway.core.answers.timewords import Times, phrase_at, times_of
from gateway.core.answers.types import How

HOUR = 3600


@dataclass(frozen=True, slots=True)
class Length:
    """A length in seconds, or in calendar months; `unit` is that of a lone count."""

    seconds: Decimal
    months: int = 0
    unit: int = 0
    bare: bool = False


def iso(length: Length) -> str:
    """The ISO 8601 form ("PT1H30M", "P2D", "P3M")."""
    if length.months:
        years, months = divmod(length.months, 12)
        return "P" + (f"{years}Y" if years else "") + (f"{months}M" if months else "")
    whole = length.seconds
    days, rest = divmod(whole, 86400)
    hours, rest = divmod(rest, HOUR)
    minutes, seconds = divmod(rest, 60)
    clock = "".join(
        f"{amount.normalize():f}{mark}"
        for amount, mark in ((hours, "H"), (minutes, "M"), (seconds, "S"))
        if amount
    )
    day = f"{days:f}D" if days else ""
    return f"P{day}" + (f"T{clock}" if clock else "") if day or clock else "PT0S"


class DurationCores:
    """Finds lengths of time; a bare number is one only in a correction."""

    __slots__ = ("_reader", "_times", "tokens")

    def __init__(self, tokens: Sequence[Token], context: Context) -> None:
        """Keep the unit words of the person's languages."""
        self.tokens = tokens
        self._times: Times = times_of(context.languages)
        self._reader = Reader(tokens, numbers_of(context.languages))

    def at(self, place: int) -> Core | None:
        """The length that starts at a token, all its parts together."""
        first = self._part(place)
        if first is None:
            return self._bare(place)
        length, end = first
        while True:
            start = end
            if (
                start < len(self.tokens)
                and self.tokens[start].text in self._times.sets["conjunctions"]
            ):
                start += 1
            more = self._part(start) if start < len(self.tokens) else None
            if more is None or more[0].unit >= length.unit or length.months or more[0].months:
                break
            length = Length(length.seconds + more[0].seconds, unit=more[0].unit)
            end = more[1]
        return self._finished(length, end)

    def _finished(self, length: Length, end: int) -> Core:
        """Minutes without their word behind an hour («час двадцать»)."""
        if length.unit == HOUR and end < len(self.tokens) and self.tokens[end].kind in "wd":
            found = self._reader.at(end)
            minutes = found.value if found is not None and not found.ordinal else None
            if found is not None and isinstance(minutes, Decimal) and minutes in range(5, 60):
                longer = Length(length.seconds + minutes * 60, unit=60)
                return Core(longer, found.end, How.SPOKEN)
        how = How.SPOKEN if length.unit else How.EXACT
        return Core(length, end, how)

    def _bare(self, place: int) -> Core | None:
        found = self._reader.at(place)
        if found is None or not isinstance(found.value, Decimal) or found.ordinal:
            return None
        return Core(Length(found.value, bare=True), found.end)

    def _unit(self, place: int) -> tuple[int, int, int] | None:
        """Seconds, months and end of a unit word, its full stop included."""
        if place >= len(self.tokens):
            return None
        token = self.tokens[place]
        seconds, months = self._times.units.get(token.text), self._times.month_units.get(token.text)
        if seconds is None and months is None:
            return None
        if len(token.text) == 1 and not token.glued and token.text.isascii():
            return None
        end = place + 1
        if end < len(self.tokens) and self.tokens[end].text == "." and len(token.text) < 5:
            end += end + 1 <= len(self.tokens)
        return seconds or 0, months or 0, end

    def _glued(self, place: int) -> tuple[int, int, int] | None:
        """The unit letter glued to digits ("1h 20m")."""
        tokens = self.tokens
        if tokens[place].kind != "d" or place + 1 >= len(tokens) or not tokens[place + 1].glued:
            return None
        return self._unit(place + 1) if len(tokens[place].text) < 10 else None

    def _part(self, place: int) -> tuple[Length, int] | None:
        """One count with its unit."""
        tokens = self.tokens
        half = phrase_at(tokens, place, self._times.halves)
        if half is not None:
            return Length(Decimal(half[0]), unit=min(60, int(half[0]))), half[1]
        glued = self._glued(place)
        if glued is not None:
            return self._added(Decimal(tokens[place].text), glued)
        found = self._reader.at(place)
        count, start = Decimal(1), place
        if found is not None:
            if not isinstance(found.value, Decimal) or found.ordinal or found.value < 0:
                return None
            count, start = found.value, found.end
        elif tokens[place].text in self._reader.numbers.articles:
            start = place + 1
        elif tokens[place].text not in self._times.sets["bare_units"]:
            return None
        if start < len(tokens) and tokens[start].text == "-" and tokens[start].glued:
            start += 1
        unit = self._unit(start)
        if unit is None:
            return None
        return self._added(count, unit)

    def _added(self, count: Decimal, unit: tuple[int, int, int]) -> tuple[Length, int] | None:
        """The part with a fraction said after its unit ("a day and a half")."""
        seconds, months, end = unit
        added = (
            match_at(self.tokens, end, self._reader.numbers.added)
            if end < len(self.tokens)
            else None
        )
        if added is not None and "/" not in added[0]:
            count, end = count + Decimal(added[0]), end + added[2]
        if months:
            whole = count * months
            return (Length(Decimal(0), int(whole)), end) if whole == int(whole) else None
        return Length(count * seconds, unit=seconds), end


def of_unit(bare: Length, first: Length) -> Length | None:
    """A bare number with the unit of the length that it corrects."""
    if first.months or not first.unit:
        return None
    return Length(bare.seconds * first.unit, unit=first.unit)
