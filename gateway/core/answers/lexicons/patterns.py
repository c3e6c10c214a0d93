"""The notation of the word lists: `a, b (c|d) [e]` is a, b c, b d, b c e, b d e."""

from __future__ import annotations

from collections.abc import Mapping


def _split(text: str, mark: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for place, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if char == mark and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    parts.append(text[start:])
    return parts


def _closing(text: str, start: int) -> int:
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] in "([") - (text[place] in ")]")
        if depth == 0:
            return place
    raise ValueError(text)


def expand(pattern: str) -> list[str]:
    """Every phrase that one pattern stands for, single spaces, `ё` as `е`."""
    start = next((place for place, char in enumerate(pattern) if char in "(["), -1)
    if start < 0:
        return [" ".join(pattern.split())]
    end = _closing(pattern, start)
    inner = [one for part in _split(pattern[start + 1 : end], "|") for one in expand(part)]
    if pattern[start] == "[":
        inner.append("")
    head, tails = pattern[:start], expand(pattern[end + 1 :])
    return [" ".join(f"{head} {one} {tail}".split()) for one in inner for tail in tails]


def phrases(text: str) -> list[str]:
    """All phrases of a comma-separated list of patterns."""
    found: list[str] = []
    for part in _split(" ".join(text.split()).replace("ё", "е"), ","):
        if "(" in part or "[" in part:
            found += expand(part)
        elif part := part.strip():
            found.append(part)
    return found


def table(blocks: Mapping[str, str]) -> dict[str, str]:
    """Phrase to role; where two roles list a phrase, the later block wins."""
    return {phrase: role for role, text in blocks.items() for phrase in phrases(text)}
