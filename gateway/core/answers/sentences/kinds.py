"""What a language has to say about answers, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, time

from gateway.core.answers.types import ProblemCode


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sentences:
    """Templates of one language; `{form}` is the expected form of the answer.

    `count` gives a noun with its number in the right plural, by the noun's name.
    """

    yes: str
    no: str
    nothing: str
    everything: str
    forms: Mapping[str, str]
    problems: Mapping[ProblemCode, str]
    expected: str
    conjunction: str
    alternative: str
    decimal_mark: str
    group_mark: str
    count: Callable[[str, int], str]
    day: Callable[[date], str]
    clock: Callable[[time], str]
