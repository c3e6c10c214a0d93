"""Tools that are defined elsewhere, by a JSON Schema instead of a typed function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import jsonschema
from jsonschema.protocols import Validator
from pydantic import BaseModel
from referencing import Registry
from referencing.exceptions import Unresolvable

from gateway.core.errors import ToolFailed, ValidationFailed
from gateway.core.messages import Json
from gateway.ports.model import ToolSpec
from gateway.runs.tools import ARGUMENTS_INVALID, Tool

MISTAKES_TOLD = 5


class Schema:
    """A JSON Schema that stands alone: what it refers to outside itself is never fetched.

    Raises:
        ValidationFailed: it is no JSON Schema of an object.
    """

    def __init__(self, schema: Mapping[str, Json]) -> None:
        if schema.get("type") != "object":
            raise ValidationFailed("the arguments' schema is not one of an object")
        kind = jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)
        try:
            kind.check_schema(schema)
        except jsonschema.SchemaError as error:
            text = f"the arguments' schema is no JSON Schema: {error.message}"
            raise ValidationFailed(text) from error
        self.schema = schema
        self._kind = kind

    @cached_property
    def _validator(self) -> Validator:
        made: Validator = self._kind(self.schema, registry=Registry())
        return made

    def mistakes(self, value: Mapping[str, Json]) -> list[str]:
        """What is wrong with the value, the first few in words."""
        try:
            found = sorted(self._validator.iter_errors(dict(value)), key=lambda e: e.json_path)
        except Unresolvable as error:
            return [f"the schema refers to what it doesn't hold ({error})"]
        return [f"{error.json_path}: {error.message}" for error in found[:MISTAKES_TOLD]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignTool(Tool):
    """A tool whose function takes all arguments as one mapping, `arguments`, and its context as
    `context`.
    """

    schema: Schema
    arguments: type[BaseModel] = BaseModel
    context_parameter: str | None = "context"
    is_async: bool = True

    @property
    def spec(self) -> ToolSpec:
        """The tool as a model sees it."""
        return ToolSpec(self.name, self.description, self.schema.schema)

    def parse(self, arguments: Mapping[str, Json]) -> dict[str, Any]:
        """The arguments, checked.

        Raises:
            ToolFailed: TOOL_ARGUMENTS_INVALID, with what is wrong in words for the model.
        """
        mistakes = self.schema.mistakes(arguments)
        if mistakes:
            text = f"The arguments of {self.name} are not valid: {'; '.join(mistakes)}"
            raise ToolFailed(ARGUMENTS_INVALID, text)
        return {"arguments": dict(arguments)}
