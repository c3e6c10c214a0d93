"""Repairs of a whole text: the other keyboard layout, and Russian in Latin letters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from gateway.core.answers.context import Context
from gateway.core.answers.lexicons import ALPHABETS
from gateway.core.answers.members import names_of
from gateway.core.answers.normalise import Reading
from gateway.core.answers.numerals import numbers_of
from gateway.core.answers.plan import Plan
from gateway.core.answers.shell import shell_of
from gateway.core.answers.skeleton import (
    as_english_layout,
    as_russian_layout,
    cyrillic_skeleton,
    latin_skeleton,
)
from gateway.core.answers.yesno import consent

MAX_WORDS = 6
_LATIN = re.compile(r"[a-z]")
_CYRILLIC = re.compile(r"[\u0430-\u044f]")
_LATIN_WORD = re.compile(r"[a-z']+")


def repairs(reading: Reading, plan: Plan, context: Context) -> Iterator[str]:
    """The texts that may have been meant, the likeliest first."""
    text = reading.plain
    if len(text) > 80 or len(reading.tokens) > MAX_WORDS * 3:
        return
    alphabet = ALPHABETS.get(context.languages[0])
    latin, cyrillic = bool(_LATIN.search(text)), bool(_CYRILLIC.search(text))
    if alphabet == "cyrillic" and latin and not cyrillic:
        meant = _transliterated(text, plan, context.languages)
        if meant is not None:
            yield meant
        yield as_russian_layout(text)
    elif alphabet == "latin" and cyrillic and not latin:
        yield as_english_layout(text)


def _transliterated(text: str, plan: Plan, languages: tuple[str, ...]) -> str | None:
    """The text with every Latin word as the known Cyrillic word that it spells, or None."""
    known = _skeletons(languages)
    named = _named(plan, languages)
    words = text.split()
    out: list[str] = []
    for word in words:
        for part in _LATIN_WORD.findall(word):
            level = latin_skeleton(part)
            meant = named.get(level) or known.get(level)
            if meant is None:
                return None
            out.append(meant)
    return " ".join(out) if out else None


@lru_cache(maxsize=16)
def _skeletons(languages: tuple[str, ...]) -> dict[str, str]:
    """Known Cyrillic words by their Latin letters."""
    known: dict[str, str] = {}
    tables = (
        shell_of(languages).roles,
        consent(languages).known.roles,
        numbers_of(languages).words,
    )
    for table in tables:
        for phrase in table:
            for word in phrase.split():
                if not word.isascii() and word.isalpha():
                    known.setdefault(cyrillic_skeleton(word), word)
    for word in numbers_of(languages).words:
        if not word.isascii():
            known[cyrillic_skeleton(word)] = word
    return known


@lru_cache(maxsize=256)
def _named(plan: Plan, languages: tuple[str, ...]) -> dict[str, str]:
    """Words of the plan's members in every form, by their Latin letters."""
    found: dict[str, str] = {}
    inner = (plan.items,) if plan.items is not None else ()
    for one in (plan, *inner, *plan.branches, *(part.plan for part in plan.fields)):
        for choices in names_of(one, languages).formed.values() if one.members else ():
            for _, sets in choices:
                for word in (word for words in sets for word in words if not word.isascii()):
                    found.setdefault(cyrillic_skeleton(word), word)
    return found
