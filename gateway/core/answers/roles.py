"""Giving each stretch of a text its role: the longest known phrase wins, the rest is unknown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gateway.core.answers.normalise import Token, separator

UNKNOWN = "U"
NUMBER = "#"
ASKING = "?"
UNHEARD = "!"
PAUSE = ","
QUOTED = "m"
SOFT = frozenset({"w", "d"})


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Phrases:
    """Phrases by role, ready for matching; `longest` is the word count by first word."""

    roles: Mapping[str, str]
    longest: Mapping[str, int]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Item:
    """A stretch of tokens, `start` to `end`, with its role letter and its words."""

    role: str
    words: str
    start: int
    end: int


def phrases_of(roles: Mapping[str, str]) -> Phrases:
    """The phrases indexed by their first word."""
    longest: dict[str, int] = {}
    for phrase in roles:
        first, _, rest = phrase.partition(" ")
        count = 1 + rest.count(" ") + (1 if rest else 0)
        if count > longest.get(first, 0):
            longest[first] = count
    return Phrases(roles, longest)


def joined(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens without the hyphens that only join two words (не-а, mm-hmm)."""
    last = len(tokens) - 1
    return tuple(
        token
        for place, token in enumerate(tokens)
        if not (
            token.text == "-"
            and token.glued
            and 0 < place < last
            and tokens[place - 1].kind == "w"
            and tokens[place + 1].kind == "w"
            and tokens[place + 1].glued
        )
    )


def match_at(tokens: Sequence[Token], place: int, known: Phrases) -> tuple[str, str, int] | None:
    """Role, words and length of the longest known phrase that starts here."""
    first = tokens[place].text
    count = known.longest.get(first, 0)
    if count == 0:
        return None
    if count == 1:
        return known.roles[first], first, 1
    words = [token.text for token in tokens[place : place + count]]
    for size in range(len(words), 0, -1):
        text = " ".join(words[:size])
        role = known.roles.get(text)
        if role is not None:
            return role, text, size
    return None


_MARKS = {"?": ASKING, "(": PAUSE, ")": PAUSE, "/": "q", '"': QUOTED, "«": QUOTED, "“": QUOTED}


def _mark(token: Token) -> str:
    if token.kind == "u":
        return UNHEARD
    if token.kind == "d":
        return NUMBER
    if separator(token) is not None or (token.text == "-" and not token.glued):
        return PAUSE
    return _MARKS.get(token.text, UNKNOWN)


def tag(tokens: Sequence[Token], known: Phrases) -> list[Item]:
    """Every token in exactly one item, left to right."""
    items: list[Item] = []
    place = 0
    while place < len(tokens):
        found = match_at(tokens, place, known)
        if found is not None:
            role, words, size = found
        else:
            role, words, size = _mark(tokens[place]), tokens[place].text, 1
        items.append(Item(role, words, place, place + size))
        place += size
    return items
