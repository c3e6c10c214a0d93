"""Every name that the members of a choice go by, made once for a schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gateway.core.answers.lexicons import NAMES
from gateway.core.answers.normalise import fold, tokenise, visible
from gateway.core.answers.plan import Member, Plan, spoken_name
from gateway.core.answers.shell import shell_of
from gateway.core.answers.skeleton import code_in_cyrillic, cyrillic_skeleton
from gateway.core.answers.slips import within_two

CLASH = -1


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Names:
    """All names of one plan's members; a name of two members leads to CLASH."""

    exact: Mapping[str, int]
    compact: Mapping[str, int]
    formed: Mapping[str, tuple[tuple[int, tuple[frozenset[str], ...]], ...]]
    parts: Mapping[str, int]
    skeletons: Mapping[str, int]
    near: frozenset[int]
    long: tuple[tuple[str, int], ...]
    numeric: bool
    coded: bool
    longest: int


def _put(table: dict[str, int], name: str, member: int) -> None:
    if name and table.setdefault(name, member) != member:
        table[name] = CLASH


def words_of(name: str) -> tuple[str, ...]:
    """The words and digit runs of a name, marks left out, camel case apart."""
    tokens = tokenise(spoken_name(visible(name)))
    return tuple(token.text for token in tokens if token.kind in ("w", "d"))


def compact_of(name: str) -> str:
    """The letters and digits of a name run together."""
    return "".join(char for char in fold(visible(name)) if char.isalnum())


@lru_cache(maxsize=512)
def names_of(plan: Plan, languages: tuple[str, ...]) -> Names:
    """Every name of the plan's members, made once."""
    exact: dict[str, int] = {}
    compact: dict[str, int] = {}
    skeletons: dict[str, int] = {}
    formed: dict[str, list[tuple[int, tuple[frozenset[str], ...]]]] = {}
    for number, member in enumerate(plan.members):
        for name in member.names:
            words = words_of(name)
            _put(exact, " ".join(words), number)
            _put(compact, compact_of(name), number)
            _put(skeletons, cyrillic_skeleton(compact_of(name)), number)
            _codes(name, number, compact)
            sets = tuple(_forms(word, languages) for word in words)
            for first in sets[0] if sets else ():
                formed.setdefault(first, []).append((number, sets))
    long = tuple((name, number) for name, number in compact.items() if len(name) >= 5)
    return Names(
        exact,
        compact,
        {first: tuple(found) for first, found in formed.items()},
        _parts(plan.members, exact, languages),
        skeletons,
        _near(long),
        long,
        any(_is_number(name) for member in plan.members for name in member.names),
        any(char.isdigit() for name in compact for char in name),
        max((len(name.split()) for name in exact), default=0) + 3,
    )


def _codes(name: str, number: int, compact: dict[str, int]) -> None:
    """A Latin code in Cyrillic letters (v2 as в2), where it is no name already."""
    plain = compact_of(name)
    if plain.isascii() and 2 <= len(plain) <= 10:
        _put(compact, code_in_cyrillic(plain), number)


def _forms(word: str, languages: tuple[str, ...]) -> frozenset[str]:
    return frozenset((word,)).union(*(NAMES[c].forms(word) for c in languages if c in NAMES))


def _is_number(name: str) -> bool:
    return name.replace(".", "", 1).replace("-", "", 1).isdecimal()


def _near(long: Sequence[tuple[str, int]]) -> frozenset[int]:
    """Members with a neighbour within two edits: those are never guessed."""
    return frozenset(
        number
        for name, number in long
        for other, owner in long
        if owner != number and within_two(name, other)
    )


def _parts(
    members: Sequence[Member], exact: Mapping[str, int], languages: tuple[str, ...]
) -> dict[str, int]:
    """Head nouns of titles and customary abbreviations, each leading to the one member it fits."""
    found: dict[str, int] = {}
    spoken = shell_of(languages).roles
    every = [[words_of(name) for name in member.names] for member in members]
    for number, names in enumerate(every):
        head = _head(names[0], languages) if len(names) > 1 else None
        shared = head and any(
            head in words for other, rest in enumerate(every) for words in rest if other != number
        )
        if head and len(head) > 3 and not shared and head not in spoken:
            for form in _forms(head, languages):
                _put(found, form, number)
    for code in languages:
        for short, meant in NAMES[code].abbreviations.items() if code in NAMES else ():
            for word in meant.split():
                if word in exact:
                    _put(found, short, exact[word])
    return {name: number for name, number in found.items() if name not in exact}


def _head(words: tuple[str, ...], languages: tuple[str, ...]) -> str | None:
    if len(words) < 2:
        return None
    latin = words[-1].isascii()
    for code in languages:
        if code in NAMES and (NAMES[code].latin == latin):
            return NAMES[code].head(words)
    return None


def whole_member(text: str, plan: Plan) -> int | None:
    """The member that a whole text is, by value or title, case and marks at the edges aside."""
    found = _whole(plan).get(_edgeless(text))
    return None if found in (None, CLASH) else found


def _edgeless(text: str) -> str:
    return (
        " ".join(fold(visible(text[:400])).split())
        .strip(" .,;:\"'`«»*()")
        .rstrip(" .!,;:\"'`«»*()")
    )


@lru_cache(maxsize=512)
def _whole(plan: Plan) -> Mapping[str, int]:
    table: dict[str, int] = {}
    for number, member in enumerate(plan.members):
        for name in member.names:
            _put(table, _edgeless(name), number)
    return table
