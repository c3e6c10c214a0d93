"""Digits said one by one, in pairs or in groups: phone numbers, PINs, orders."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from gateway.core.answers.context import Context
from gateway.core.answers.lexicons import UNITS
from gateway.core.answers.normalise import Token
from gateway.core.answers.numerals import Found, Numbers, Reader, numbers_of
from gateway.core.answers.plan import Kind, Plan
from gateway.core.answers.roles import match_at
from gateway.core.answers.shell import shell_of

MAX_DIGITS = 40
MOST_TOKENS = 4 * MAX_DIGITS
_DIGIT_PATTERN = re.compile(
    r"\^?(?:\(|\)|\\\+\??|\[\+\]\??|\[0-9\]|\\d|[0-9]|[?*+|]|\{[0-9,]+\})+\$?"
)
_JOINTS = frozenset("-()./")
_CORRECTIONS = frozenset("CNj")


def wants_digits(plan: Plan) -> bool:
    """Whether title, description, format or pattern say that the answer is a row of digits."""
    pattern = plan.schema.get("pattern")
    if plan.kind is Kind.TEXT and isinstance(pattern, str) and _DIGIT_PATTERN.fullmatch(pattern):
        return True
    if plan.schema.get("format") == "phone":
        return True
    if plan.maximum is not None and plan.maximum < 1000:
        return False
    return (
        any(
            re.search(rf"\b{hint}", plan.hint)
            for words in UNITS.values()
            for hint in words.digit_hints
        )
        if plan.hint
        else False
    )


def join_digits(tokens: Sequence[Token], context: Context) -> str | None:
    """The digits of the whole text in a row, or None where anything else stands in it.

    What is said behind a correction ("no", «точнее») takes the place of all that was said before
    if it is as long, or of the last group if that has as many digits.
    """
    known: list[str] = []
    if len(tokens) > MOST_TOKENS:
        return None
    for part in _corrected(tokens, context):
        groups = _groups(part, context)
        if groups is None:
            return None
        if len("".join(groups)) >= len("".join(known)):
            known = groups
        elif len(groups) == 1 and 1 < len(groups[0]) == len(known[-1]):
            known[-1] = groups[0]
        else:
            return None
    joined = "".join(known)
    return joined if any(char.isdecimal() for char in joined) else None


def _corrected(tokens: Sequence[Token], context: Context) -> list[Sequence[Token]]:
    """What stands between corrections."""
    shell, parts, first, place = shell_of(context.languages), [], 0, 0
    while place < len(tokens):
        phrase = match_at(tokens, place, shell)
        if phrase is not None and phrase[0] in _CORRECTIONS and place:
            parts.append(tokens[first:place])
            first = place = place + phrase[2]
        else:
            place += 1
    return [*parts, tokens[first:]]


def _groups(tokens: Sequence[Token], context: Context) -> list[str] | None:
    numbers = numbers_of(context.languages)
    reader = Reader(tokens, numbers)
    out: list[str] = []
    place = 0
    if tokens and (tokens[0].text == "+" or tokens[0].text in numbers.plus):
        out.append("+")
        place = 1
    while place < len(tokens):
        if context.spoken and tokens[place].text == ",":
            place += 1  # a pause, as a recogniser writes it
            continue
        step = _group(tokens, place, reader, numbers)
        if step is None or len(out) > MAX_DIGITS:
            return None
        text, place = step
        out.append(text)
    return out or None


def _group(
    tokens: Sequence[Token], place: int, reader: Reader, numbers: Numbers
) -> tuple[str, int] | None:
    token = tokens[place]
    if token.kind == "d":
        return token.text, place + 1
    if token.kind == "p":
        return ("", place + 1) if token.text in _JOINTS and place else _opening(token, place)
    times = numbers.doubles.get(token.text)
    if times is not None:
        return _repeated(place + 1, times, reader, numbers)
    if token.text in numbers.oh:
        return "0", place + 1
    found = reader.at(place)
    if found is None or found.ordinal or not isinstance(found.value, Decimal):
        return None
    if found.value != found.value.to_integral_value() or found.value < 0:
        return None
    if _runs_on(place, found, reader, numbers):
        return None
    return f"{int(found.value)}", found.end


def _runs_on(place: int, found: Found, reader: Reader, numbers: Numbers) -> bool:
    """Whether single digits go on behind hundreds and a digit ("eight hundred five five five"): the
    digit is theirs, or the hundreds'.
    """
    tokens, end = reader.tokens, found.end
    if found.value is None or found.value < 100 or not 0 < found.value % 100 < 10:
        return False
    if any(token.text in numbers.conjunctions for token in tokens[place:end]):
        return False
    if end >= len(tokens):
        return False
    word = reader.word(end)
    return tokens[end].text in numbers.oh or (word is not None and word[0] in ("z", "u"))


def _opening(token: Token, place: int) -> tuple[str, int] | None:
    return ("", place + 1) if token.text == "(" else None


def _repeated(place: int, times: int, reader: Reader, numbers: Numbers) -> tuple[str, int] | None:
    if place >= len(reader.tokens):
        return None
    token = reader.tokens[place]
    if token.text in numbers.oh:
        return "0" * times, place + 1
    found = reader.word(place)
    if found is None or found[0] not in ("z", "u"):
        return (
            (token.text * times, place + 1) if len(token.text) == 1 and token.kind == "d" else None
        )
    return str(found[1]) * times, place + 1
