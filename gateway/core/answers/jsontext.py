"""JSON typed by hand: strict, without coercion, without the same key twice."""

from __future__ import annotations

import json

from gateway.core.answers.types import ProblemCode

MAX_NESTING = 40
_FENCE = "```"


class _Refused(ValueError):
    """The JSON has something that strict JSON has not."""


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Refused("a key twice")
    return found


def _float(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise _Refused("a number beyond range")
    return value


def _constant(text: str) -> object:
    raise _Refused(text)


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_float=_float, parse_constant=_constant)


def unfenced(text: str) -> str:
    """The text without a code fence or quotes round the whole of it."""
    text = text.strip()
    if text.startswith(_FENCE) and text.endswith(_FENCE) and len(text) > 6:
        text = text[3:-3]
        first, line, rest = text.partition("\n")
        text = rest if line and first.strip().isalpha() else text
    for quote in ('"', "'", "`"):
        if len(text) > 2 and text[0] == quote == text[-1] and text[1] in "{[":
            text = text[1:-1]
    return text.strip()


def looks_like_json(text: str) -> bool:
    """Whether the text, once unfenced, begins as a JSON object or array."""
    return text[:1] in ("{", "[")


def read_json(text: str) -> tuple[object, ProblemCode | None]:
    """The value of strict JSON, or why it is none."""
    depth = deepest = 0
    for char in text:
        depth += (char in "[{") - (char in "]}")
        deepest = max(deepest, depth)
    if deepest > MAX_NESTING:
        return None, ProblemCode.BAD_JSON
    try:
        return _DECODER.decode(text), None
    except ValueError:
        return None, ProblemCode.BAD_JSON
