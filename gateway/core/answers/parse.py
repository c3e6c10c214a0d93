"""From a text to a value, a problem or a control word."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from gateway.core.answers.lexical import control_word, folded
from gateway.core.answers.schema import validates
from gateway.core.answers.types import (
    Channel,
    Control,
    How,
    Outcome,
    Problem,
    ProblemCode,
    Schema,
    Value,
)

_PLAIN = {"yes": True, "no": False, "да": True, "нет": False}


def parse_answer(
    text: str,
    schema: Schema,
    *,
    languages: Sequence[str] = ("en", "ru"),
    channel: Channel = "text",
    now: datetime | None = None,
    alternatives: Sequence[str] = (),
) -> Outcome:
    """What the whole text commits to under the schema, and never more than that."""
    key = folded(text)
    value: object = _PLAIN.get(key, int(key) if key.isdecimal() and len(key) < 300 else key)
    if key and validates(value, schema) is None:
        return Value(value, How.EXACT, str(value))
    control = control_word(text, languages)
    if control is not None:
        return Control(control)
    return Problem(ProblemCode.NOT_UNDERSTOOD, attempt=len(key.split()) < 4)
