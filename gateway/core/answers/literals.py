"""Numbers in digits: grouping and decimals by the person's language, never guessed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from gateway.core.answers.normalise import Token

MAX_DIGITS = 400


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Literal:
    """A number in digits up to token `end`; `value` is None where the grouping has no meaning."""

    value: Decimal | None
    end: int


_ENGLISH_GROUPS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_EUROPEAN_GROUPS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?")
_SEVERAL = re.compile(r"[0-9]{1,3}(?:([.,])[0-9]{3})(?:\1[0-9]{3})+")


def decimal_from(text: str, *, comma_decimal: bool) -> Decimal | None:
    """The number that a literal writes, or None where it could be two numbers or none."""
    if len(text) > MAX_DIGITS:
        return None
    commas, dots = text.count(","), text.count(".")
    if not commas and not dots:
        return Decimal(text)
    if commas and dots:
        return _both(text)
    if commas + dots > 1:
        return Decimal(text.replace(",", "").replace(".", "")) if _SEVERAL.fullmatch(text) else None
    whole, _, part = text.replace(",", ".").partition(".")
    if commas and not comma_decimal:
        grouped = len(part) == 3 and 1 <= len(whole) <= 3 and whole[0] != "0"
        return Decimal(whole + part) if grouped else None
    if comma_decimal and len(part) == 3 and whole.strip("0"):
        return None
    return Decimal(f"{whole or '0'}.{part}")


def _both(text: str) -> Decimal | None:
    if _ENGLISH_GROUPS.fullmatch(text):
        return Decimal(text.replace(",", ""))
    if _EUROPEAN_GROUPS.fullmatch(text):
        return Decimal(text.replace(".", "").replace(",", "."))
    return None


def _glued_run(tokens: Sequence[Token], start: int) -> tuple[str, int]:
    text = tokens[start].text
    place = start + 1
    if tokens[start].kind != "d":
        text, place = text + tokens[start + 1].text, start + 2
    while (
        place + 1 < len(tokens)
        and tokens[place].text in (".", ",")
        and tokens[place].glued
        and tokens[place + 1].kind == "d"
        and tokens[place + 1].glued
    ):
        text += tokens[place].text + tokens[place + 1].text
        place += 2
    return text, place


def _spaced_groups(tokens: Sequence[Token], text: str, place: int) -> tuple[str, int]:
    """Further groups of three behind a space ("1 234 567,5")."""
    if not text.isdecimal() or len(text) > 3 or text.startswith("0"):
        return text, place
    while place < len(tokens):
        token = tokens[place]
        if token.kind != "d" or token.glued or len(token.text) != 3:
            break
        more, end = _glued_run(tokens, place)
        text, place = text + more, end
        if not more.isdecimal():
            break
    return text, place


def starts_literal(tokens: Sequence[Token], place: int) -> bool:
    """Whether digits, or a mark glued to digits (.5), stand here."""
    token = tokens[place]
    if token.kind == "d":
        return True
    return (
        token.text in (".", ",")
        and place + 1 < len(tokens)
        and tokens[place + 1].kind == "d"
        and tokens[place + 1].glued
        and (place == 0 or not token.glued or tokens[place - 1].text in ("-", "+"))
    )


def read_literal(
    tokens: Sequence[Token], start: int, *, comma_decimal: bool, grouped: bool = True
) -> Literal:
    """The literal that starts at a token; `grouped` allows spaces between groups of three."""
    text, place = _glued_run(tokens, start)
    if not text[0].isdecimal() and text[0] == "," and not comma_decimal:
        return Literal(None, place)
    spaced = place
    if grouped and text[0].isdecimal():
        text, spaced = _spaced_groups(tokens, text, place)
    if spaced != place:
        whole = text.replace(",", ".") if comma_decimal else text
        bad = whole.count(".") > 1 or "," in whole
        return Literal(None if bad or len(text) > MAX_DIGITS else Decimal(whole), spaced)
    value = decimal_from(text, comma_decimal=comma_decimal)
    if value is not None:
        return _exponent(tokens, value, place)
    return Literal(value, place)


def _exponent(tokens: Sequence[Token], value: Decimal, place: int) -> Literal:
    """`1e3`, with a small exponent only."""
    if place < len(tokens) and tokens[place].text == "e" and tokens[place].glued:
        sign, after = "", place + 1
        if after < len(tokens) and tokens[after].text in ("-", "+") and tokens[after].glued:
            sign, after = tokens[after].text, after + 1
        if after < len(tokens) and tokens[after].kind == "d" and tokens[after].glued:
            power = tokens[after].text
            if len(power) > 2:
                return Literal(None, after + 1)
            return Literal(value.scaleb(int(sign + power)), after + 1)
    return Literal(value, place)
