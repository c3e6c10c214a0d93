"""The form of an answer: a pydantic model, a type or a JSON Schema, and the check of a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jsonschema
from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from gateway.core.answers import unsupported
from gateway.core.canonical import canonical_json
from gateway.core.errors import AnswerInvalid, ValidationFailed
from gateway.core.interrupts import QuestionKind
from gateway.core.messages import Json

DECISION: Mapping[str, Json] = {
    "type": "object",
    "properties": {"approved": {"type": "boolean"}, "reason": {"type": "string"}},
    "required": ["approved"],
}
"""The answer to a question of kind approval or plan."""

TEXT: Mapping[str, Json] = {"type": "string"}
DECISIONS: tuple[Mapping[str, Json], ...] = (
    {"approved": True},
    {"approved": False},
    {"approved": False, "reason": "no"},
)
"""The decisions that there are: each kind of them has to fit the form of an approval or plan."""


def approval_schema(arguments: Mapping[str, Json]) -> Mapping[str, Json]:
    """The form of the answer to the question whether a tool call may run: edited arguments have to
    fit the tool's.
    """
    own = {key: value for key, value in arguments.items() if key != "$defs"}
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {
            "approved": {"type": "boolean"},
            "reason": {"type": "string"},
            "updatedArguments": own,
            "remember": {"type": "boolean"},
        },
        "required": ["approved"],
    }
    return {**schema, "$defs": arguments["$defs"]} if "$defs" in arguments else schema


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """What an answer looks like: the JSON Schema that travels, and the live check behind it."""

    schema: Mapping[str, Json]
    adapter: TypeAdapter[Any] | None

    def parse(self, value: Json) -> Any:
        """The answer as the tool gets it: a model's instance where a model asked.

        Raises:
            AnswerInvalid: the live check refuses the value.
        """
        if self.adapter is None:
            check_json(value, self.schema)
            return value
        try:
            return self.adapter.validate_python(value)
        except ValidationError as error:
            raise AnswerInvalid(problems(error)) from error


def answer_form(response_schema: Any, kind: QuestionKind) -> AnswerForm:
    """The form that `response_schema` asks for; without one a text, or a decision.

    Raises:
        ValidationFailed: it is no JSON Schema, or takes no decision where one is asked for.
    """
    if kind is QuestionKind.INPUT:
        form = _form(response_schema, TEXT)
        left = unsupported(form.schema)
        if left:
            text = f"response_schema: no answer can be read by {', '.join(left)}"
            raise ValidationFailed(text)
        return form
    form = _form(response_schema, DECISION)
    for decision in DECISIONS:
        try:
            form.parse(dict(decision))
        except AnswerInvalid as error:
            text = f"response_schema: {kind} is answered by approved and reason: {error}"
            raise ValidationFailed(text) from error
    return form


def _form(response_schema: Any, default: Mapping[str, Json]) -> AnswerForm:
    if response_schema is None:
        return AnswerForm(default, None)
    if isinstance(response_schema, Mapping):
        try:
            jsonschema.Draft202012Validator.check_schema(response_schema)
        except jsonschema.SchemaError as error:
            raise ValidationFailed(f"response_schema is no JSON Schema: {error.message}") from error
        return AnswerForm(response_schema, None)
    if isinstance(response_schema, type):
        return _of_class(response_schema)
    adapter: TypeAdapter[Any] = TypeAdapter(response_schema)
    return AnswerForm(adapter.json_schema(), adapter)


@lru_cache(maxsize=256)
def _of_class(asked: type) -> AnswerForm:
    """The form of a class, made once."""
    adapter: TypeAdapter[Any] = TypeAdapter(asked)
    return AnswerForm(adapter.json_schema(), adapter)


def check_json(value: Json, schema: Mapping[str, Json]) -> None:
    """Check a JSON value.

    Raises:
        AnswerInvalid: it doesn't fit; the message says where and why.
    """
    error = jsonschema.exceptions.best_match(
        jsonschema.Draft202012Validator(schema).iter_errors(value)
    )
    if error is not None:
        raise AnswerInvalid(f"{error.json_path}: {error.message}")


def problems(error: ValidationError) -> str:
    """What is wrong, one clause a field, without repeating the values."""
    return "; ".join(
        f"{'.'.join(map(str, item['loc'])) or 'value'}: {item['msg']}"
        for item in error.errors(include_url=False, include_context=False, include_input=False)
    )


def jsonable(value: object) -> Json:
    """A tool's or model's value as JSON.

    Raises:
        ValueError, ValidationFailed: it can't be.
    """
    plain: Json = to_jsonable_python(value, inf_nan_mode="constants")
    canonical_json(plain)
    return plain
