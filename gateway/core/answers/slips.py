"""Slips of the hand: one letter more, less, other or swapped, by keys and sounds that are near."""

from __future__ import annotations

from functools import lru_cache

from gateway.core.answers.skeleton import neighbours

LONG_NAME = 6


def one_edit(left: str, right: str) -> bool:
    """Whether one letter more, less, other, or one swap of neighbours makes them equal."""
    if left == right or abs(len(left) - len(right)) > 1:
        return False
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    if len(left) == len(right):
        swap = left[start : start + 2] == right[start : start + 2][::-1]
        return left[start + 1 :] == right[start + 1 :] or (
            swap and left[start + 2 :] == right[start + 2 :]
        )
    longer, shorter = (left, right) if len(left) > len(right) else (right, left)
    return longer[start + 1 :] == shorter[start:]


def slipped(text: str, name: str) -> bool:
    """Whether a text is one slip from a name; a short one takes no letter from far off."""
    if not one_edit(text, name):
        return False
    if len(text) != len(name) or len(name) >= LONG_NAME:
        return True
    wrong = [(one, other) for one, other in zip(text, name, strict=True) if one != other]
    return len(wrong) > 1 or neighbours(*wrong[0])


@lru_cache(maxsize=4096)
def distance(left: str, right: str) -> int:
    """How many letters have to be changed, added or left out to make one the other."""
    row = list(range(len(right) + 1))
    for place, char in enumerate(left, 1):
        last, row[0] = row[0], place
        for other, letter in enumerate(right, 1):
            last, row[other] = (
                row[other],
                min(row[other] + 1, row[other - 1] + 1, last + (char != letter)),
            )
    return row[-1]


def within_two(left: str, right: str) -> bool:
    """Whether at most two edits lie between two names."""
    return abs(len(left) - len(right)) <= 2 and distance(left, right) <= 2
