"""When a turn is over: how much silence the words ask for.

`ends_at_ms` is all of it, a function of what was said so far and of what the open question takes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from gateway.core.answers import control_word, folded, is_hold_word


class Form(StrEnum):
    """What is being said, as far as it decides how long a pause inside it may be."""

    TALK = "talk"
    CLOSED = "closed"
    COUNTED = "counted"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Endpointing:
    """Silence in milliseconds after which a turn is over."""

    answer_ms: int = 350
    """The words are a full answer to a closed question, or a control instead of an answer."""
    number_ms: int = 1_200
    """Inside a number whose length nobody knows, or that is not yet full."""
    talk_ms: int = 600
    """A sentence in free talk, or one word that stops, holds or hums along."""
    unfinished_ms: int = 1_200
    """The words are no full answer yet, or end in one that goes on ("and", «потому что»)."""
    wordless_ms: int = 700
    """No word came."""
    long_ms: int = 22_000
    """A turn of this age is over at the next pause, before `longest_ms` cuts into a word."""
    longest_ms: int = 30_000
    """A turn is over at this age, whoever is still speaking."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a caller said so far. `ended_ms` is the end of the voice, None while it lasts;
    `complete` says that the open question takes `text` as it stands.
    """

    began_ms: int
    ended_ms: int | None = None
    text: str = ""
    complete: bool = False


_DIGITS = re.compile(r"\^?(?:\\d|\[0-9\])(?:\{(\d+)(?:,(\d*))?\}|[+*])?\$?")
_ONE_WORD = 20
_LINKS = """
    and or but because so to the a an of for with in at from if that which is are my um uh er plus
    и а но или что чтобы потому как в на с из к по для от до если это мой э эм плюс
"""
_GOES_ON = frozenset(_LINKS.split())


def form_of(schema: Mapping[str, Any]) -> Form:
    """How an answer to this JSON Schema is said.

    Digits of a known number are COUNTED, those of an unknown one and every number that takes more
    than one word are OPEN, free strings and whole forms are TALK, all else is CLOSED.
    """
    if "enum" in schema or "const" in schema or "oneOf" in schema:
        return Form.CLOSED
    kind = schema.get("type")
    if kind in ("integer", "number"):
        top = schema.get("maximum", schema.get("exclusiveMaximum"))
        short = kind == "integer" and isinstance(top, int | float) and top <= _ONE_WORD
        return Form.CLOSED if short else Form.OPEN
    if kind == "string":
        return _string_form(schema)
    return Form.TALK if kind in ("object", "array") else Form.CLOSED


def _string_form(schema: Mapping[str, Any]) -> Form:
    found = _DIGITS.fullmatch(str(schema.get("pattern", "")))
    if found is None:
        return Form.CLOSED if "format" in schema else Form.TALK
    least, most = found.groups()
    counted = least is not None and most in (None, least)
    same = schema.get("minLength", 0) == schema.get("maxLength", -1)
    return Form.COUNTED if counted or same else Form.OPEN


def silence_ms(turn: Turn, form: Form, times: Endpointing = Endpointing()) -> int:
    """How much silence after these words ends the turn; 0 ends it at once, voice or not."""
    words = folded(turn.text).split()
    if not words:
        return times.wordless_ms
    if form is not Form.TALK and (control_word(turn.text) or is_hold_word(turn.text)):
        return times.answer_ms
    if form is Form.COUNTED:
        return 0 if turn.complete else times.number_ms
    if form is Form.OPEN:
        return times.number_ms
    if form is Form.CLOSED:
        return times.answer_ms if turn.complete else times.unfinished_ms
    return times.unfinished_ms if words[-1] in _GOES_ON else times.talk_ms


def ends_at_ms(turn: Turn, form: Form, times: Endpointing = Endpointing()) -> int:
    """When the turn is over if nothing more is heard; in the past where it is over already."""
    latest = turn.began_ms + times.longest_ms
    needed = silence_ms(turn, form, times)
    if needed == 0:
        return turn.began_ms
    if turn.ended_ms is None:
        return latest
    if turn.ended_ms - turn.began_ms >= times.long_ms:
        needed = 0
    return min(latest, turn.ended_ms + needed)
