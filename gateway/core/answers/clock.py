"""Clock times: the 24-hour clock, and hours with their part of the day; a bare hour asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import time
from decimal import Decimal

from gateway.core.answers.context import Context
from gateway.core.answers.normalise import Token
from gateway.core.answers.numerals import Reader, numbers_of
from gateway.core.answers.shell import Core
from gateway.core.answers.timewords import phrase_at, skip, times_of
from gateway.core.answers.types import How, ProblemCode


class TimeCores:
    """Finds clock times in a text."""

    __slots__ = ("_reader", "_times", "tokens")

    def __init__(self, tokens: Sequence[Token], context: Context) -> None:
        """Keep the words and the clock of the person's language."""
        self.tokens = tokens
        self._times = times_of(context.languages)
        self._reader = Reader(tokens, numbers_of(context.languages))

    def at(self, place: int) -> Core | None:
        """The time named from this token on."""
        start = skip(self.tokens, place, self._times.sets["at"])
        if start >= len(self.tokens):
            return None
        noon = phrase_at(self.tokens, place, self._times.noons)
        if noon is not None:
            return Core(time(noon[0]), noon[1], How.SPOKEN)
        return (
            self._past(start)
            or self._to_next(start)
            or self._less(start)
            or self._in_digits(start)
            or self._in_words(start)
        )

    def _number(self, place: int, most: int) -> tuple[int, int] | None:
        """A plain number below a limit, without grouping."""
        if place >= len(self.tokens):
            return None
        token = self.tokens[place]
        if token.kind == "d":
            return (
                (int(token.text), place + 1)
                if len(token.text) < 3 and int(token.text) <= most
                else None
            )
        found = self._reader.at(place, grouped=False)
        if found is None or not isinstance(found.value, Decimal) or found.ordinal:
            return None
        whole = found.value == found.value.to_integral_value()
        return (int(found.value), found.end) if whole and 0 <= found.value <= most else None

    def _done(self, hour: int, minute: int, second: int, end: int, *, pair: bool) -> Core:
        """The time with its part of the day, or a core that says what is missing."""
        tokens = self.tokens
        end = skip(tokens, end, self._times.sets["oclock"])
        part = phrase_at(tokens, end, self._times.parts) if end < len(tokens) else None
        if part is not None:
            full = part[0].get(hour, hour if self._fits(hour, part[0]) else None)
            if full is None or hour == 0:
                return Core(None, part[1], code=ProblemCode.BAD_DATE)
            return Core(time(full, minute, second), part[1], _how(tokens[end - 1]))
        sure = hour > 12 or (pair and (hour == 0 or not self._times.twelve_hours))
        if not sure or hour > 23:
            return Core(None, end, code=ProblemCode.INCOMPLETE)
        return Core(time(hour, minute, second), end, _how(tokens[end - 1]))

    def _fits(self, hour: int, part: Mapping[int, int]) -> bool:
        return hour > 12 and hour in part.values()

    def _in_digits(self, place: int) -> Core | None:
        """`15:00`, `3:30 pm`, `3pm`, «15 часов»."""
        tokens = self.tokens
        if tokens[place].kind != "d" or len(tokens[place].text) > 2:
            return None
        hour = int(tokens[place].text)
        minute = self._after_mark(place + 1)
        if minute is not None:
            second = self._after_mark(place + 3)
            end = place + (5 if second is not None else 3)
            if hour > 24 or minute > 59 or (second or 0) > 59 or (hour == 24 and minute):
                return Core(None, end, code=ProblemCode.BAD_DATE)
            return self._done(hour % 24, minute, second or 0, end, pair=True)
        return self._hour(hour, place + 1)

    def _after_mark(self, place: int) -> int | None:
        tokens = self.tokens
        if place + 1 >= len(tokens) or tokens[place + 1].kind != "d":
            return None
        marks = (":",) if self._times.twelve_hours else (":", ".", "-")
        glued = tokens[place].glued and tokens[place + 1].glued
        if tokens[place].text not in marks or not glued or len(tokens[place + 1].text) != 2:
            return None
        return int(tokens[place + 1].text)

    def _hour(self, hour: int, place: int) -> Core | None:
        """An hour alone, or with minutes as words ("three thirty pm", «пятнадцать тридцать»)."""
        tokens = self.tokens
        if hour > 24:
            return None
        end = skip(tokens, place, self._times.sets["oclock"])
        minutes = self._minutes(end if end < len(tokens) else place)
        if minutes is not None:
            return self._done(hour % 24, minutes[0], 0, minutes[1], pair=True)
        part = end < len(tokens) and phrase_at(tokens, end, self._times.parts) is not None
        if end == place and not part:
            return None
        return self._done(hour % 24, 0, 0, end, pair=False)

    def _minutes(self, place: int) -> tuple[int, int] | None:
        tokens = self.tokens
        if place >= len(tokens):
            return None
        if tokens[place].text in self._reader.numbers.oh:
            unit = self._number(place + 1, 9)
            return (unit[0], unit[1]) if unit is not None and unit[0] else None
        zero = self._number(place, 0)
        if zero is not None and tokens[place].kind == "w":
            return self._number(zero[1], 9)
        found = self._number(place, 59)
        if found is None or (found[0] < 10 and self.tokens[place].kind == "w"):
            unit_word = found is not None and self._minute_word(found[1]) > found[1]
            return (found[0], self._minute_word(found[1])) if found and unit_word else None
        if tokens[place].kind == "d" and len(tokens[place].text) != 2:
            return None
        return found[0], self._minute_word(found[1])

    def _minute_word(self, place: int) -> int:
        tokens = self.tokens
        if place < len(tokens) and self._times.units.get(tokens[place].text) == 60:
            return place + 1
        return place

    def _in_words(self, place: int) -> Core | None:
        if self.tokens[place].kind != "w":
            return None
        half = self._times.half_hours.get(self.tokens[place].text)
        if half is not None:
            return self._done(half or 12, 30, 0, place + 1, pair=False)
        hour = self._number(place, 24)
        if hour is None and self._times.units.get(self.tokens[place].text) == 3600:
            hour = (1, place + 1)
            if phrase_at(self.tokens, place + 1, self._times.parts) is None:
                return None
            return self._done(1, 0, 0, place + 1, pair=False)
        return self._hour(hour[0], hour[1]) if hour is not None else None

    def _past(self, place: int) -> Core | None:
        """Half past, quarter to and minutes past an hour with its part of the day."""
        sets = self._times.sets
        half = skip(self.tokens, place, sets["half_past"])
        if half > place:
            hour = self._number(half, 12)
            return self._done(hour[0], 30, 0, hour[1], pair=False) if hour else None
        count = self._quarter(place) or self._number(place, 29)
        if count is None:
            return None
        start = self._minute_word(count[1])
        past, before = (
            skip(self.tokens, start, sets["past"]),
            skip(self.tokens, start, sets["before"]),
        )
        if past == start and before == start:
            return None
        hour = self._number(max(past, before), 12)
        if hour is None or hour[0] == 0:
            return None
        if past > start:
            return self._done(hour[0], count[0], 0, hour[1], pair=False)
        return self._done((hour[0] - 2) % 12 + 1, 60 - count[0], 0, hour[1], pair=False)

    def _quarter(self, place: int) -> tuple[int, int] | None:
        end = skip(self.tokens, place, self._times.sets["quarters"])
        return (15, end) if end > place else None

    def _to_next(self, place: int) -> Core | None:
        """«половина третьего», «четверть девятого», «десять минут девятого»: in the hour before."""
        half = skip(self.tokens, place, self._times.sets["half_to"])
        minutes = (30, half) if half > place else self._quarter(place)
        if minutes is None:
            count = self._number(place, 29)
            end = self._minute_word(count[1]) if count is not None else place
            if count is None or end == count[1]:
                return None
            minutes = (count[0], end)
        if minutes[1] >= len(self.tokens):
            return None
        found = self._reader.at(minutes[1], grouped=False)
        if found is None or not found.ordinal or not isinstance(found.value, Decimal):
            return None
        hour = int(found.value)
        if not 1 <= hour <= 12:
            return None
        return self._done((hour - 2) % 12 + 1, minutes[0], 0, found.end, pair=False)

    def _less(self, place: int) -> Core | None:
        """«без четверти восемь вечера»."""
        start = skip(self.tokens, place, self._times.sets["less"])
        if start == place:
            return None
        count = self._quarter(start) or self._number(start, 29)
        if count is None:
            return None
        hour = self._number(self._minute_word(count[1]), 12)
        if hour is None or hour[0] == 0:
            return None
        return self._done((hour[0] - 2) % 12 + 1, 60 - count[0], 0, hour[1], pair=False)


def _how(token: Token) -> How:
    return How.SPOKEN if token.kind == "w" else How.EXACT
