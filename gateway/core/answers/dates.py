"""Days: by name, by weekday, in numbers and relative to now, each with one reading only."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal

from gateway.core.answers.context import Context
from gateway.core.answers.normalise import Token
from gateway.core.answers.numerals import Reader, numbers_of
from gateway.core.answers.shell import Core
from gateway.core.answers.timewords import phrase_at, skip, times_of
from gateway.core.answers.types import How, ProblemCode
from gateway.core.answers.years import year_at

CENTURY = 100


class DateCores:
    """Finds days in a text; relative ones need `now` in the context."""

    __slots__ = ("_reader", "_times", "_today", "tokens")

    def __init__(self, tokens: Sequence[Token], context: Context) -> None:
        """Keep today's date where the caller knows it."""
        self.tokens = tokens
        self._times = times_of(context.languages)
        self._reader = Reader(tokens, numbers_of(context.languages))
        self._today = context.now.date() if context.now is not None else None

    def at(self, place: int) -> Core | None:
        """The day named from this token on."""
        return (
            self._numeric(place)
            or self._relative(place)
            or self._weekday(place)
            or self._month_first(place)
            or self._day_first(place)
            or self._named(place)
        )

    def _core(self, day: date | None, end: int, code: ProblemCode) -> Core:
        how = How.SPOKEN if self.tokens[end - 1].kind == "w" else How.EXACT
        return Core(day, end, how, None if day is not None else code)

    def _named(self, place: int) -> Core | None:
        found = phrase_at(self.tokens, place, self._times.days)
        if found is None:
            return None
        day = None if self._today is None else self._today + timedelta(days=found[0])
        return self._core(day, found[1], ProblemCode.INCOMPLETE)

    def _weekday(self, place: int) -> Core | None:
        sets = self._times.sets
        ambiguous = skip(self.tokens, place, sets["next"])
        start = ambiguous if ambiguous > place else skip(self.tokens, place, sets["this"])
        if start >= len(self.tokens):
            return None
        number = self._times.weekdays.get(self.tokens[start].text)
        if number is None:
            return None
        end = start + 1
        if (
            end < len(self.tokens)
            and self.tokens[end].text == "."
            and len(self.tokens[start].text) < 5
        ):
            end += 1
        exact = self._explicit(skip(self.tokens, end, {","}))
        if exact is not None and isinstance(exact.value, date):
            day = exact.value if exact.value.weekday() == number else None
            return self._core(day, exact.end, ProblemCode.BAD_DATE)
        if ambiguous > place or self._today is None:
            return self._core(None, end, ProblemCode.AMBIGUOUS)
        ahead = (number - self._today.weekday()) % 7
        day = self._today + timedelta(days=ahead) if ahead else None
        return self._core(day, end, ProblemCode.AMBIGUOUS)

    def _explicit(self, place: int) -> Core | None:
        if place >= len(self.tokens):
            return None
        return self._numeric(place) or self._month_first(place) or self._day_first(place)

    def _relative(self, place: int) -> Core | None:
        """In some days, "a week from now", «через неделю», «три дня назад»."""
        sets = self._times.sets
        start = skip(self.tokens, place, sets["ahead"])
        span = self._span(start)
        if span is None:
            return None
        days, months, end = span
        sign = 1
        if start == place:
            after = skip(self.tokens, end, sets["after"])
            ago = skip(self.tokens, end, sets["ago"])
            if after == end and ago == end:
                return None
            sign, end = (1, after) if after > end else (-1, ago)
        return self._core(self._moved(sign * days, sign * months), end, ProblemCode.INCOMPLETE)

    def _span(self, place: int) -> tuple[int, int, int] | None:
        """Days, months and the end of "3 days", "a week", "two months"."""
        tokens = self.tokens
        if place >= len(tokens):
            return None
        count, start = 1, place
        found = self._reader.at(place)
        if found is not None:
            if not isinstance(found.value, Decimal) or found.value != int(found.value):
                return None
            count, start = int(found.value), found.end
        elif tokens[place].text in self._reader.numbers.articles:
            start = place + 1
        if start >= len(tokens) or not 0 <= count < 10000:
            return None
        unit = self._times.units.get(tokens[start].text)
        if unit is not None and unit % 86400 == 0 and len(tokens[start].text) > 1:
            return count * unit // 86400, 0, start + 1
        months = self._times.month_units.get(tokens[start].text)
        return None if months is None else (0, count * months, start + 1)

    def _moved(self, days: int, months: int) -> date | None:
        if self._today is None:
            return None
        index = self._today.year * 12 + self._today.month - 1 + months
        try:
            return self._today.replace(index // 12, index % 12 + 1) + timedelta(days=days)
        except (ValueError, OverflowError):
            return None

    def _numeric(self, place: int) -> Core | None:
        """`2026-03-15`, `15.03.2026`, `3/15/2026`, `15.03`."""
        tokens = self.tokens
        if tokens[place].kind != "d" or place + 2 >= len(tokens):
            return None
        mark = tokens[place + 1].text
        if (
            mark not in ("-", ".", "/")
            or not tokens[place + 1].glued
            or not tokens[place + 2].glued
        ):
            return None
        if tokens[place + 2].kind != "d":
            return None
        texts = [tokens[place].text, tokens[place + 2].text]
        end = place + 3
        if end + 1 < len(tokens) and tokens[end].text == mark and tokens[end + 1].kind == "d":
            texts.append(tokens[end + 1].text)
            end += 2
        if max(map(len, texts)) > 4:
            return None
        return self._dated([int(text) for text in texts], texts, mark, end)

    def _dated(self, parts: list[int], texts: list[str], mark: str, end: int) -> Core | None:
        bad = ProblemCode.BAD_DATE
        if len(texts[0]) == 4:
            return self._core(_day(*parts), end, bad) if len(parts) == 3 else None
        if mark == "-" and len(parts) < 3:
            return None
        if len(parts) == 2 and (mark == "/" and not self._times.day_first):
            return Core(None, end, code=ProblemCode.AMBIGUOUS)
        year = None
        if len(parts) == 3:
            if len(texts[2]) not in (2, 4):
                return Core(None, end, code=bad)
            year = parts[2] if len(texts[2]) == 4 else 2000 + parts[2]
        first, second = parts[0], parts[1]
        if not self._times.day_first and first <= 12 and second <= 12 and first != second:
            return Core(None, end, code=ProblemCode.AMBIGUOUS)
        if second > 12:
            if self._times.day_first:
                return Core(None, end, code=bad)
            first, second = second, first
        return self._core(self._nearest(year, second, first), end, bad)

    def _nearest(self, year: int | None, month: int, day: int) -> date | None:
        """The date, without a year the nearest one that is not past."""
        if year is not None:
            return _day(year, month, day)
        if self._today is None:
            return None
        for ahead in range(9):
            found = _day(self._today.year + ahead, month, day)
            if found is not None and found >= self._today:
                return found
        return None

    def _day_number(self, place: int) -> tuple[int, int] | None:
        if place >= len(self.tokens):
            return None
        found = self._reader.at(place, grouped=False)
        if found is None or not isinstance(found.value, Decimal) or not 1 <= found.value <= 31:
            return None
        return (int(found.value), found.end) if found.value == int(found.value) else None

    def _year(self, place: int) -> tuple[int | None, int]:
        start = skip(self.tokens, place, {","})
        if start >= len(self.tokens):
            return None, place
        token = self.tokens[start]
        if token.kind == "d":
            if len(token.text) != 4:
                return None, place
            return int(token.text), self._year_word(start + 1)
        pairs = year_at(self._reader, start)
        if pairs is not None:
            return pairs[0], self._year_word(pairs[1])
        found = self._reader.at(start)
        if found is not None and isinstance(found.value, Decimal) and 1900 <= found.value < 2200:
            return int(found.value), self._year_word(found.end)
        return None, place

    def _year_word(self, place: int) -> int:
        if place < len(self.tokens) and self.tokens[place].text in self._times.month_units:
            return place + 1
        end = place + 1
        if place < len(self.tokens) and self.tokens[place].text in ("г", "году"):
            return end + (end < len(self.tokens) and self.tokens[end].text == ".")
        return place

    def _month_first(self, place: int) -> Core | None:
        """The month, then the day: "March 15th, 2027"."""
        month = self._times.months.get(self.tokens[place].text)
        if month is None:
            return None
        start = place + 1
        if start < len(self.tokens) and self.tokens[start].text in (".", "the"):
            start += 1
        day = self._day_number(start)
        if day is None:
            return Core(None, place + 1, code=ProblemCode.INCOMPLETE)
        year, end = self._year(day[1])
        return self._core(self._nearest(year, month, day[0]), end, ProblemCode.BAD_DATE)

    def _day_first(self, place: int) -> Core | None:
        """The day, then the month: "the 15th of March 2027"."""
        day = self._day_number(skip(self.tokens, place, {"the"}))
        if day is None:
            return None
        start = skip(self.tokens, day[1], self._times.sets["joints"])
        if start >= len(self.tokens):
            return None
        month = self._times.months.get(self.tokens[start].text)
        if month is None:
            return None
        end = start + 1
        if end < len(self.tokens) and self.tokens[end].text == "." and end + 1 < len(self.tokens):
            end += 1
        year, end = self._year(end)
        return self._core(self._nearest(year, month, day[0]), end, ProblemCode.BAD_DATE)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
