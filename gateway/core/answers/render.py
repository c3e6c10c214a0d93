"""What is said about an answer: its expected form, and what is wrong with one."""

from __future__ import annotations

from collections.abc import Sequence

from gateway.core.answers.types import Problem, Schema

_YES_NO = {"en": "yes or no", "ru": "да или нет"}
_NUMBER = {"en": "a number", "ru": "число"}
_ONE_OF = {"en": "one of: {}", "ru": "одно из: {}"}
_TEXT = {"en": "some text", "ru": "текст"}
_UNCLEAR = {
    "en": "I did not understand that. Expected: {}.",
    "ru": "Не удалось понять ответ. Ожидается: {}.",
}


def answer_format(schema: Schema, language: str) -> str:
    """What an answer looks like, short enough to be spoken."""
    tongue = language if language in _YES_NO else "en"
    if schema.get("type") == "boolean":
        return _YES_NO[tongue]
    members = _members(schema)
    if members:
        return _ONE_OF[tongue].format(", ".join(members))
    return (_NUMBER if schema.get("type") in ("integer", "number") else _TEXT)[tongue]


def _members(schema: Schema) -> list[str]:
    listed = schema.get("enum")
    if isinstance(listed, list):
        return [str(item) for item in listed]
    branches = schema.get("oneOf") or schema.get("anyOf")
    if not isinstance(branches, Sequence):
        return []
    return [
        str(b.get("title", b["const"])) for b in branches if isinstance(b, dict) and "const" in b
    ]


def render_problem(problem: Problem, schema: Schema, language: str) -> str:
    """What is wrong with an answer, in the person's words."""
    tongue = language if language in _UNCLEAR else "en"
    return _UNCLEAR[tongue].format(answer_format(schema, language))


def read_back(value: object, schema: Schema, language: str) -> str:
    """The value in words of the language."""
    return str(value)
