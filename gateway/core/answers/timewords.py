"""The time words of several languages together, and reading phrases of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from gateway.core.answers.lexicons import TIMES
from gateway.core.answers.lexicons.kinds import TimeWords
from gateway.core.answers.normalise import Token

T = TypeVar("T")
LONGEST = 5


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Times:
    """Merged time words; how a date is written is the first language's matter."""

    words: tuple[TimeWords, ...]
    days: Mapping[str, int]
    weekdays: Mapping[str, int]
    months: Mapping[str, int]
    units: Mapping[str, int]
    month_units: Mapping[str, int]
    parts: Mapping[str, Mapping[int, int]]
    noons: Mapping[str, int]
    halves: Mapping[str, str]
    half_hours: Mapping[str, int]
    sets: Mapping[str, frozenset[str]]
    day_first: bool
    twelve_hours: bool


_SETS = (
    "bare_units",
    "ahead",
    "after",
    "ago",
    "this",
    "next",
    "joints",
    "oclock",
    "half_past",
    "past",
    "before",
    "quarters",
    "half_to",
    "less",
    "at",
    "hour_at",
    "conjunctions",
)


def _merged(words: Sequence[TimeWords], name: str) -> dict[str, T]:
    found: dict[str, T] = {}
    for one in reversed(words):
        found.update(getattr(one, name))
    return found


@lru_cache(maxsize=32)
def times_of(languages: tuple[str, ...]) -> Times:
    """The time words of the languages, the person's own winning."""
    words = tuple(TIMES[code] for code in languages if code in TIMES)
    return Times(
        words=words,
        days=_merged(words, "days"),
        weekdays=_merged(words, "weekdays"),
        months=_merged(words, "months"),
        units=_merged(words, "units"),
        month_units=_merged(words, "month_units"),
        parts=_merged(words, "parts"),
        noons=_merged(words, "noons"),
        halves=_merged(words, "halves"),
        half_hours=_merged(words, "half_hours"),
        sets={name: frozenset().union(*(getattr(one, name) for one in words)) for name in _SETS},
        day_first=bool(words) and words[0].day_first,
        twelve_hours=bool(words) and words[0].twelve_hours,
    )


def phrase_at(tokens: Sequence[Token], place: int, table: Mapping[str, T]) -> tuple[T, int] | None:
    """The longest phrase of a table that starts at a token, with its end."""
    for size in range(min(LONGEST, len(tokens) - place), 0, -1):
        text = " ".join(token.text for token in tokens[place : place + size])
        if text in table:
            return table[text], place + size
    return None


def skip(tokens: Sequence[Token], place: int, words: Collection[str]) -> int:
    """Where a phrase of the set ends if it stands here, else the same place."""
    for size in range(min(LONGEST, len(tokens) - place), 0, -1):
        if " ".join(token.text for token in tokens[place : place + size]) in words:
            return place + size
    return place
