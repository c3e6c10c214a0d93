"""The OpenAPI 3.1 document, made from the operations and their models."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from http import HTTPStatus
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from gateway.api.problems import PROBLEM_TYPE, Problem
from gateway.api.rest.files import TYPES
from gateway.api.rest.operation import Operation
from gateway.api.rest.runs import KEY_HEADER
from gateway.files import BYTES

REF: Final = "#/components/schemas/{model}"
JSON: Final = "application/json"
EVENTS: Final = "text/event-stream"
FILE: Final = {"type": "string", "format": "binary"}
_PARAMETER = re.compile(r"\{(\w+)\}")
LAST_EVENT_ID: Final = {
    "name": "Last-Event-ID",
    "in": "header",
    "required": False,
    "description": "where a reader goes on; what is no event's id is the beginning",
    "schema": {"type": "string"},
}
PATHS: Final = {
    "agent": "the agent's name",
    "run": "the run's id",
    "child": "the child run's id",
    "blob": "the file's SHA-256",
    "thread": "a name of your own, or a conversation's whole id",
    "input": "the message's number on its conversation",
}


def document(
    operations: Sequence[Operation], version: str, url: str | None = None
) -> dict[str, Any]:
    """The whole document; `url` is the server's where it is known."""
    definitions, schemas = _schemas(_models(operations))
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        made = _operation(operation, definitions)
        paths.setdefault(operation.path, {})[operation.method.lower()] = made
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Bargein",
            "version": version,
            "description": "Start, stream, interrupt and resume runs of agents.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        **({} if url is None else {"servers": [{"url": url}]}),
        "security": [{"bearer": []}, {}],
        "paths": paths,
        "components": {
            "schemas": schemas["$defs"],
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
    }


@cache
def _schemas(models: tuple[tuple[type[BaseModel], Any], ...]) -> tuple[Any, dict[str, Any]]:
    """The reference to each model, and all that they refer to; made once a process."""
    return models_json_schema(models, ref_template=REF)


def _models(operations: Iterable[Operation]) -> tuple[tuple[type[BaseModel], Any], ...]:
    found: dict[tuple[type[BaseModel], Any], None] = {(Problem, "serialization"): None}
    for operation in operations:
        found[operation.answer, "serialization"] = None
        found[operation.query, "validation"] = None
        if operation.body is not None:
            found[operation.body, "validation"] = None
    return tuple(found)


def _operation(operation: Operation, definitions: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "operationId": operation.id,
        "summary": operation.summary,
        "parameters": [
            *(_path(name) for name in _PARAMETER.findall(operation.path)),
            *_query(operation.query),
            *([_header(KEY_HEADER, "a repetition under it is the same request")] * operation.key),
            *([LAST_EVENT_ID] * (operation.events and not operation.json)),
        ],
        "responses": {
            **_good(operation, definitions[operation.answer, "serialization"]),
            **{str(status): _problem(status) for status in sorted((*operation.errors, 500))},
        },
    }
    if operation.file and operation.json:
        made["requestBody"] = {"required": False, "content": {BYTES: {"schema": FILE}}}
    if operation.body is not None:
        schema = definitions[operation.body, "validation"]
        needed = any(field.is_required() for field in operation.body.model_fields.values())
        made["requestBody"] = {"required": needed, "content": {JSON: {"schema": schema}}}
    return made


def _good(operation: Operation, schema: Any) -> dict[str, Any]:
    json = {JSON: {"schema": schema}} if operation.json else {}
    if operation.file and not operation.json:
        json = {media_type: {"schema": FILE} for media_type in TYPES}
    stream: dict[str, Any] = {EVENTS: {}} if operation.events else {}
    made: dict[str, Any] = {}
    for status in sorted({*operation.statuses, *((200,) if operation.events else ())}):
        content = {
            **(json if status in operation.statuses else {}),
            **(stream if status == 200 else {}),
        }
        made[str(status)] = {"description": HTTPStatus(status).phrase}
        if content and status != HTTPStatus.NO_CONTENT:
            made[str(status)]["content"] = content
    return made


def _problem(status: int) -> dict[str, Any]:
    schema = {"$ref": REF.format(model="Problem")}
    return {
        "description": HTTPStatus(status).phrase,
        "content": {PROBLEM_TYPE: {"schema": schema}},
    }


def _path(name: str) -> dict[str, Any]:
    schema = {"type": "string", "minLength": 1, "maxLength": 200}
    return {
        "name": name,
        "in": "path",
        "required": True,
        "description": PATHS[name],
        "schema": schema,
    }


@cache
def _query(model: type[BaseModel]) -> list[dict[str, Any]]:
    schema = model.model_json_schema(by_alias=True)
    return [
        {
            "name": name,
            "in": "query",
            "required": False,
            "schema": {key: value for key, value in _plain(about).items() if key != "title"},
        }
        for name, about in schema.get("properties", {}).items()
    ]


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a parameter that may be left out, without null: a query has none."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind.get("type") != "null"]
    rest = {key: value for key, value in schema.items() if key not in ("anyOf", "default")}
    return {**rest, **kinds[0]} if kinds else schema


def _header(name: str, description: str) -> dict[str, Any]:
    schema = {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[!-~]+$"}
    return {
        "name": name,
        "in": "header",
        "required": False,
        "description": description,
        "schema": schema,
    }
