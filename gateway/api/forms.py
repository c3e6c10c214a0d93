"""A question as a flat form, as MCP and ACP have them, and what such a form brought back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gateway.core.answers import answer_format
from gateway.core.errors import AnswerInvalid
from gateway.core.interrupts import Interrupt, QuestionKind
from gateway.core.messages import Json
from gateway.i18n import N_, translator
from gateway.reading import text_schema
from gateway.resuming import Response, Typed

ANSWER: Final = "answer"
APPROVE: Final = N_("Approve")
REASON: Final = N_("Reason")
FORMATS: Final = frozenset({"email", "uri", "date", "date-time"})
_KEPT: Final[Mapping[str, tuple[str, ...]]] = {
    "string": ("minLength", "maxLength"),
    "integer": ("minimum", "maximum"),
    "number": ("minimum", "maximum"),
    "boolean": (),
}
_COMMON: Final = ("title", "description")


@dataclass(frozen=True, slots=True)
class Form:
    """A flat form. `kind`: the answer is the form's `object`, the one `value` in it, or that in
    `words`. `nullable` are the fields of an object that stand for null when they are left out.
    """

    schema: Mapping[str, Json]
    kind: str
    nullable: tuple[str, ...] = ()

    def answer(self, content: Mapping[str, Any] | None, language: str = "en") -> Response:
        """What the form brought.

        Raises:
            AnswerInvalid: nothing, or not what was asked.
        """
        if not isinstance(content, Mapping):
            raise AnswerInvalid("the form was sent without its content")
        if self.kind == "object":
            missing: dict[str, Json] = dict.fromkeys(self.nullable)
            return {**missing, **content}
        if ANSWER not in content:
            raise AnswerInvalid(f"the form has no {ANSWER}")
        value: Any = content[ANSWER]
        if self.kind == "value":
            given: Json = value
            return given
        if not isinstance(value, str):
            raise AnswerInvalid(f"{ANSWER} is no text")
        return Typed(value, language)


def form_of(question: Interrupt, language: str = "en") -> Form:
    """The form of a question. What has no flat form is asked for in words."""
    if question.kind is not QuestionKind.INPUT:
        texts = translator(language)
        decision: dict[str, Json] = {
            "approved": {"type": "boolean", "title": texts.gettext(APPROVE)},
            "reason": {"type": "string", "title": texts.gettext(REASON)},
        }
        return Form(_object(decision, ["approved"]), "object")
    schema = question.schema
    definitions = schema.get("$defs")
    known = definitions if isinstance(definitions, Mapping) else {}
    whole = _whole(schema, known)
    if whole is not None:
        return whole
    one = _field(schema, known)
    if one is not None:
        return Form(_object({ANSWER: one}, [ANSWER]), "value")
    described = answer_format(text_schema(question), language)
    field: Json = {"type": "string", "minLength": 1, "description": described}
    return Form(_object({ANSWER: field}, [ANSWER]), "words")


def _object(properties: dict[str, Json], required: list[str]) -> dict[str, Json]:
    return {"type": "object", "properties": properties, "required": [*required]}


def _whole(schema: Mapping[str, Any], known: Mapping[str, Any]) -> Form | None:
    properties = schema.get("properties")
    if schema.get("type") != "object" or not isinstance(properties, Mapping) or not properties:
        return None
    fields: dict[str, Json] = {}
    nullable: list[str] = []
    for name, field in properties.items():
        inner, may_be_null = _without_null(_resolved(field, known))
        made = _field(inner, known)
        if made is None:
            return None
        fields[name] = made
        if may_be_null:
            nullable.append(name)
    required = [name for name in schema.get("required") or [] if name not in nullable]
    left_out = tuple(name for name in nullable if name in (schema.get("required") or []))
    return Form(_object(fields, required), "object", left_out)


def _resolved(field: Any, known: Mapping[str, Any]) -> Mapping[str, Any]:
    if not isinstance(field, Mapping):
        return {}
    reference = field.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/$defs/"):
        there = known.get(reference.removeprefix("#/$defs/"))
        own = {name: value for name, value in field.items() if name != "$ref"}
        return {**there, **own} if isinstance(there, Mapping) else {}
    return field


def _without_null(field: Mapping[str, Any]) -> tuple[Mapping[str, Any], bool]:
    choices = field.get("anyOf")
    if not isinstance(choices, list) or {"type": "null"} not in choices:
        return field, False
    left = [choice for choice in choices if choice != {"type": "null"}]
    own = {name: field[name] for name in _COMMON if name in field}
    return ({**left[0], **own}, True) if len(left) == 1 else (field, False)


def _field(schema: Mapping[str, Any], known: Mapping[str, Any]) -> Json | None:
    """One flat field, None where it has none. Limits that it can't tell are checked by us."""
    field = _resolved(schema, known)
    common = {name: field[name] for name in _COMMON if isinstance(field.get(name), str)}
    kind = str(field.get("type"))
    choices = _choices(field)
    if choices is not None:
        return {"type": "string", **choices, **common, **_default(field, str)}
    if kind == "array":
        items = _resolved(field.get("items"), known)
        chosen = _choices(items)
        if chosen is None:
            return None
        counts = {n: field[n] for n in ("minItems", "maxItems") if isinstance(field.get(n), int)}
        listed = {"anyOf": chosen["oneOf"]} if "oneOf" in chosen else {"type": "string", **chosen}
        return {"type": "array", "items": listed, **counts, **common}
    if kind not in _KEPT or "enum" in field or "const" in field or "oneOf" in field:
        return None
    limits = {name: field[name] for name in _KEPT[kind] if name in field}
    if kind == "string" and field.get("format") in FORMATS:
        limits["format"] = field["format"]
    return {"type": kind, **limits, **common, **_default(field, str | int | float | bool)}


def _choices(field: Mapping[str, Any]) -> dict[str, Json] | None:
    """One of some texts."""
    values = [field["const"]] if "const" in field else field.get("enum")
    if isinstance(values, list) and values and all(isinstance(value, str) for value in values):
        return {"enum": [*values]}
    options = field.get("oneOf")
    if not isinstance(options, list) or not options:
        return None
    made: list[Json] = []
    for option in options:
        value = option.get("const") if isinstance(option, Mapping) else None
        if not isinstance(value, str):
            return None
        made.append({"const": value, "title": str(option.get("title") or value)})
    return {"oneOf": made}


def _default(field: Mapping[str, Any], kinds: Any) -> dict[str, Json]:
    value = field.get("default")
    return {"default": value} if isinstance(value, kinds) else {}
