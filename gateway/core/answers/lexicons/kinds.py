"""What a language has to bring, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Talk:
    """Words about the conversation, each a whole message in lower case, `ё` written `е`.

    `controls` maps the name of a `ControlKind` to its words. `ready` are words of consent that only
    say that a wait is over where one was asked for (“let's go”, «давай»); `settled` do so where
    nothing else is said (“okay”, «ладно»).
    """

    controls: Mapping[str, frozenset[str]]
    hold: frozenset[str]
    resume: frozenset[str]
    ready: frozenset[str]
    settled: frozenset[str]
    backchannels: frozenset[str]
    presence: frozenset[str]
    corrections: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ConsentWords:
    """Words of yes and no: patterns by role, chat shorthand, and how a reason for a no looks.

    `leads` are fillers that announce more: a yes that ends in one is not finished. `turns` say
    that the mind was changed: a yes beside one may affirm just that. `apart` are no idioms where
    a pause parts them. `halts` are corrections that
    only ask to wait where nothing was said before.
    """

    roles: Mapping[str, str]
    chat: Mapping[str, str]
    homophones: Mapping[str, str]
    reason_starts: str
    reason_blocks: str
    plain: str
    leads: str
    turns: str
    apart: str
    halts: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NumeralWords:
    """Words of numbers: value and class by word, with what joins and divides them.

    `pronouns` are number words that may stand for a thing instead; right behind one of
    `pronoun_leads` they do ("a good one", "the only one").
    """

    words: Mapping[str, tuple[str, int]]
    bare_plurals: frozenset[str]
    conjunctions: frozenset[str]
    articles: frozenset[str]
    minus: frozenset[str]
    plus: frozenset[str]
    points: frozenset[str]
    oh: frozenset[str]
    wholes: frozenset[str]
    part_joints: frozenset[str]
    half_groups: Mapping[str, str]
    alone_parts: Mapping[str, str]
    added_parts: Mapping[str, str]
    denominators: Mapping[str, int]
    halved: Mapping[str, str]
    suffix_scales: Mapping[str, int]
    doubles: Mapping[str, int]
    percent: frozenset[str]
    number_marks: frozenset[str]
    ordinal_suffixes: frozenset[str]
    pronouns: frozenset[str]
    pronoun_leads: frozenset[str]
    comma_decimal: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ShellWords:
    """What may stand round a value: patterns by role, and words that sound like numbers."""

    roles: Mapping[str, str]
    homophones: Mapping[str, str]
    position_marks: frozenset[str]
    position_nouns: frozenset[str]
    last: frozenset[str]
    pairs: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class UnitWords:
    """What may follow a number: measures by the stems that a schema names them with, and nouns.
    A schema may be in another language than the person's.

    `asides` are what people have one or two of when they don't answer ("one question").
    """

    measures: Mapping[str, tuple[str, ...]]
    asides: Mapping[str, tuple[str, ...]]
    agrees: Callable[[str, int | None], bool]
    digit_hints: tuple[str, ...]
    percent_hints: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NameWords:
    """How names of members may be said: their forms, head nouns, abbreviations and letters."""

    forms: Callable[[str], frozenset[str]]
    head: Callable[[tuple[str, ...]], str | None]
    abbreviations: Mapping[str, str]
    letters: Mapping[str, str]
    spoken: Mapping[str, str]
    latin: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TimeWords:
    """Words of dates, clock times and durations; `parts` says what a part of the day adds.

    `parts` maps a phrase to the hours that fit it, each with the hour of the 24-hour clock.
    """

    days: Mapping[str, int]
    weekdays: Mapping[str, int]
    months: Mapping[str, int]
    units: Mapping[str, int]
    month_units: Mapping[str, int]
    bare_units: frozenset[str]
    ahead: frozenset[str]
    after: frozenset[str]
    ago: frozenset[str]
    this: frozenset[str]
    next: frozenset[str]
    joints: frozenset[str]
    parts: Mapping[str, Mapping[int, int]]
    oclock: frozenset[str]
    noons: Mapping[str, int]
    half_past: frozenset[str]
    past: frozenset[str]
    before: frozenset[str]
    quarters: frozenset[str]
    half_to: frozenset[str]
    less: frozenset[str]
    half_hours: Mapping[str, int]
    halves: Mapping[str, str]
    at: frozenset[str]
    hour_at: frozenset[str]
    conjunctions: frozenset[str]
    day_first: bool
    twelve_hours: bool
