"""The number words of some languages together, with how digits are written in the first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from gateway.core.answers.lexicons import NUMERALS
from gateway.core.answers.roles import Phrases, phrases_of
from gateway.core.answers.spelling import Speller


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Numbers:
    """The number words of some languages; how digits are written is up to the person's own."""

    words: Mapping[str, tuple[str, int]]
    plurals: frozenset[str]
    conjunctions: frozenset[str]
    articles: frozenset[str]
    minus: frozenset[str]
    plus: frozenset[str]
    points: frozenset[str]
    oh: frozenset[str]
    wholes: frozenset[str]
    part_joints: frozenset[str]
    half_groups: Mapping[str, str]
    alone: Phrases
    added: Phrases
    halved: Phrases
    denominators: Mapping[str, int]
    suffix_scales: Mapping[str, int]
    doubles: Mapping[str, int]
    percent: frozenset[str]
    marks: frozenset[str]
    ordinal_suffixes: frozenset[str]
    pronouns: frozenset[str]
    pronoun_leads: frozenset[str]
    comma_decimal: bool
    speller: Speller


@lru_cache(maxsize=32)
def numbers_of(languages: tuple[str, ...]) -> Numbers:
    """The merged number words of the languages."""
    known = [NUMERALS[code] for code in languages if code in NUMERALS]
    words = {word: cls for one in known for word, cls in one.words.items()}
    return Numbers(
        words=words,
        plurals=frozenset().union(*(one.bare_plurals for one in known)),
        conjunctions=frozenset().union(*(one.conjunctions for one in known)),
        articles=frozenset().union(*(one.articles for one in known)),
        minus=frozenset().union(*(one.minus for one in known)),
        plus=frozenset().union(*(one.plus for one in known)),
        points=frozenset().union(*(one.points for one in known)),
        oh=frozenset().union(*(one.oh for one in known)),
        wholes=frozenset().union(*(one.wholes for one in known)),
        part_joints=frozenset().union(*(one.part_joints for one in known)),
        half_groups={word: part for one in known for word, part in one.half_groups.items()},
        alone=phrases_of({word: part for one in known for word, part in one.alone_parts.items()}),
        added=phrases_of({word: part for one in known for word, part in one.added_parts.items()}),
        halved=phrases_of({word: part for one in known for word, part in one.halved.items()}),
        denominators={word: power for one in known for word, power in one.denominators.items()},
        suffix_scales={word: by for one in known for word, by in one.suffix_scales.items()},
        doubles={word: by for one in known for word, by in one.doubles.items()},
        percent=frozenset().union(*(one.percent for one in known)),
        marks=frozenset().union(*(one.number_marks for one in known)),
        ordinal_suffixes=frozenset().union(*(one.ordinal_suffixes for one in known)),
        pronouns=frozenset().union(*(one.pronouns for one in known)),
        pronoun_leads=frozenset().union(*(one.pronoun_leads for one in known)),
        comma_decimal=bool(known) and known[0].comma_decimal,
        speller=Speller(
            {word: cls for word, cls in words.items() if cls[0][0] != "o"},
            [word for word, cls in words.items() if cls[0][0] == "o"],
        ),
    )
