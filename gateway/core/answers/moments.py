"""Strings with a format of time: dates, clock times, moments and lengths."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from gateway.core.answers.clock import TimeCores
from gateway.core.answers.context import Context, Got, Miss, Result
from gateway.core.answers.dates import DateCores
from gateway.core.answers.durations import DurationCores, Length, iso, of_unit
from gateway.core.answers.formats import FORMATS
from gateway.core.answers.normalise import Reading, Token, tokenise
from gateway.core.answers.plan import Plan
from gateway.core.answers.roles import joined
from gateway.core.answers.shell import Cell, Core, says_how_long, settle, shell_of, survey
from gateway.core.answers.timewords import skip, times_of
from gateway.core.answers.types import How, ProblemCode

MOST_TOKENS = 40
_DOTTED = re.compile(r"\b([ap])\.? ?m\b\.?", re.IGNORECASE)


class MomentCores:
    """Finds a day with a clock time in either order, or a length of time from now."""

    __slots__ = ("_clock", "_context", "_dates", "_lengths", "_times", "tokens")

    def __init__(self, tokens: Sequence[Token], context: Context) -> None:
        """Combine the readers of days, clock times and lengths."""
        self.tokens = tokens
        self._context = context
        self._dates = DateCores(tokens, context)
        self._clock = TimeCores(tokens, context)
        self._lengths = DurationCores(tokens, context)
        self._times = times_of(context.languages)

    def at(self, place: int) -> Core | None:
        """The moment named from this token on; a day or a time alone is incomplete."""
        ahead = self._ahead(place)
        if ahead is not None:
            return ahead
        day = self._dates.at(place)
        if day is not None and (day.value is not None or day.code is not ProblemCode.INCOMPLETE):
            clock = self._next(day.end, self._clock)
            if clock is None:
                return Core(None, day.end, code=day.code or ProblemCode.INCOMPLETE)
            return self._moment(day, clock, clock.end)
        clock = self._clock.at(place)
        if clock is None:
            return day
        after = self._next(clock.end, self._dates)
        if after is None:
            return Core(None, clock.end, code=clock.code or ProblemCode.INCOMPLETE)
        return self._moment(after, clock, after.end)

    def _next(self, place: int, cores: DateCores | TimeCores) -> Core | None:
        start = skip(self.tokens, place, {","})
        if start < len(self.tokens) and self.tokens[start].text == "t" and self.tokens[start].glued:
            start += 1
        if start >= len(self.tokens):
            return None
        found = cores.at(start)
        if found is None and self.tokens[start].text in self._times.sets["at"]:
            return cores.at(start + 1) if start + 1 < len(self.tokens) else None
        return found

    def _moment(self, day: Core, clock: Core, end: int) -> Core:
        now = self._context.now
        code = day.code or clock.code
        if code is not None or now is None:
            return Core(None, end, code=code or ProblemCode.INCOMPLETE)
        assert isinstance(day.value, date)
        assert isinstance(clock.value, time)
        return Core(datetime.combine(day.value, clock.value, tzinfo=now.tzinfo), end, clock.how)

    def _ahead(self, place: int) -> Core | None:
        """A length from now: «через полчаса», "two hours from now"."""
        sets, now = self._times.sets, self._context.now
        start = skip(self.tokens, place, sets["ahead"])
        if start >= len(self.tokens):
            return None
        length = self._lengths.at(start)
        if length is None or not isinstance(length.value, Length) or length.value.bare:
            return None
        end = length.end if start > place else skip(self.tokens, length.end, sets["after"])
        if (start == place and end == length.end) or length.value.months:
            return None
        if length.value.seconds % 86400 == 0 and length.value.seconds:
            return None
        if now is None:
            return Core(None, end, code=ProblemCode.INCOMPLETE)
        moment = now + timedelta(seconds=float(length.value.seconds))
        return Core(moment, end, How.SPOKEN)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TimeFormat:
    """How one format of time is found in a text and written."""

    cores: Callable[[Sequence[Token], Context], DateCores | TimeCores | MomentCores | DurationCores]
    write: Callable[[object], str]


def _write_date(value: object) -> str:
    return value.isoformat() if isinstance(value, date) else ""


def _write_time(value: object) -> str:
    return value.isoformat() if isinstance(value, time) else ""


def _write_length(value: object) -> str:
    return iso(value) if isinstance(value, Length) else ""


TIME_FORMATS: Mapping[str, TimeFormat] = {
    "date": TimeFormat(DateCores, _write_date),
    "time": TimeFormat(TimeCores, _write_time),
    "date-time": TimeFormat(MomentCores, _write_date),
    "duration": TimeFormat(DurationCores, _write_length),
}


def time_tokens(reading: Reading) -> tuple[Token, ...]:
    """The tokens with "p.m." as one word."""
    if "m" in reading.plain and _DOTTED.search(reading.clean):
        return joined(tokenise(_DOTTED.sub(lambda m: f"{m.group(1)}m", reading.clean)))
    return joined(reading.tokens)


def read_time_format(reading: Reading, plan: Plan, context: Context) -> Result:
    """The day, time, moment or length that the whole text commits to, as its format writes it."""
    name = str(plan.schema.get("format"))
    if name in ("date-time", "duration", "time") and FORMATS[name](reading.raw.upper()):
        return Got(reading.raw.upper(), How.EXACT)
    form = TIME_FORMATS[name]
    tokens = time_tokens(reading)
    if not tokens:
        return Miss(ProblemCode.EMPTY)
    if len(tokens) > MOST_TOKENS or reading.too_long:
        return Miss(ProblemCode.NOT_UNDERSTOOD)
    cores = form.cores(tokens, context)
    cells = survey(tokens, cores.at, shell_of(context.languages), delays_win=True)
    if name == "duration" and says_how_long(tokens, cells, context.languages):
        return Miss(ProblemCode.DEFERRED)
    settled = settle(_with_units(cells), repeats=False)
    if settled.core is None:
        return Miss(settled.code)
    value = settled.core.value
    if isinstance(value, Length) and value.bare:
        return Miss(ProblemCode.INCOMPLETE)
    how = How.CORRECTED if settled.corrected else settled.core.how
    return Got(form.write(value), how)


def _with_units(cells: list[Cell]) -> list[Cell]:
    """Bare numbers behind a length take its unit ("ten minutes, no, twenty")."""
    first = next((cell.core.value for cell in cells if cell.core is not None), None)
    if not isinstance(first, Length) or first.bare:
        return cells
    return [_unit_of(cell, first) for cell in cells]


def _unit_of(cell: Cell, first: Length) -> Cell:
    core = cell.core
    if core is None or not isinstance(core.value, Length) or not core.value.bare:
        return cell
    length = of_unit(core.value, first)
    return cell if length is None else replace(cell, core=replace(core, value=length))
