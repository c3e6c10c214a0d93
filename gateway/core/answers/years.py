"""Years in pairs ("nineteen sixty one"), where the schema's range is one of years."""

from __future__ import annotations

from gateway.core.answers.numerals import Reader
from gateway.core.answers.plan import Plan


def wants_year(plan: Plan) -> bool:
    """Whether the bounds leave only years of four digits."""
    return (
        plan.integer
        and plan.minimum is not None
        and plan.maximum is not None
        and plan.minimum >= 1000
        and plan.maximum <= 2999
    )


def year_at(reader: Reader, place: int) -> tuple[int, int] | None:
    """A year said in two pairs from a token on, with its end."""
    first = reader.word(place)
    if first is None:
        return None
    kind, value = first
    if (kind == "T" and value == 20) or kind == "t":
        century, place = value, place + 1
    else:
        return None
    pair = _pair(reader, place)
    return (century * 100 + pair[0], pair[1]) if pair is not None else None


def _pair(reader: Reader, place: int) -> tuple[int, int] | None:
    if place >= len(reader.tokens):
        return None
    if reader.tokens[place].text in reader.numbers.oh:
        unit = reader.word(place + 1)
        return (unit[1], place + 2) if unit is not None and unit[0] == "u" else None
    found = reader.word(place)
    if found is None or found[0] not in ("t", "T"):
        return None
    unit = reader.word(place + 1) if found[0] == "T" else None
    if unit is not None and unit[0] == "u":
        return found[1] + unit[1], place + 2
    return found[1], place + 1
