"""Writes the tables of protocol.md and settings.md from the models; `--check` only compares."""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Iterator, Mapping
from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, SecretStr
from pydantic_core import PydanticUndefined

from gateway.channels.calls import METHODS
from gateway.settings.models import NESTED, PREFIX, Settings
from gateway.wire import CLIENT_FRAMES, SERVER_FRAMES, UPDATES, camel
from gateway.wire.client import ClientFrame, File, Last
from tools.marks import Parts, table, write


def client_frames() -> str:
    """Every client frame with its fields."""
    frames: list[type[ClientFrame]] = [*CLIENT_FRAMES, Last, File]
    return "\n\n".join(_client(frame) for frame in frames)


def _client(frame: type[ClientFrame]) -> str:
    name = frame.model_fields["type"].default if "type" in frame.model_fields else None
    head = f"### `{name}`" if name else f"### {frame.__name__}, a part of others"
    rows = [
        [f"`{field.alias or key}`", _kind(field.annotation), _default(field)]
        for key, field in frame.model_fields.items()
        if key != "type"
    ]
    shown = table(["field", "type", "default"], rows) if rows else "No fields."
    return f"{head}\n\n{inspect.cleandoc(frame.__doc__ or '')}\n\n{shown}"


def server_frames() -> str:
    """Every server frame with what stands in its data."""
    parts = []
    for data in SERVER_FRAMES:
        rows = [[f"`{camel(f.name)}`", f"`{_annotation(str(f.type))}`"] for f in fields(data)]
        shown = table(["in `data`", "type"], rows) if rows else "Nothing in `data`."
        parts.append(f"### `{data.TYPE}`\n\n{inspect.cleandoc(data.__doc__ or '')}\n\n{shown}")
    rows = [[f"`{name}`", text] for name, text in UPDATES.items()]
    updates = table(["frame", "what it tells, and what stands in `data`"], rows)
    return "\n\n".join([*parts, "### Changes of a thread", updates])


def methods() -> str:
    """Every method of `call`."""
    rows = [
        [f"`{name}`", _names(method.needs), _names(method.may)] for name, method in METHODS.items()
    ]
    return table(["method", "needs", "may have"], rows)


def settings() -> str:
    """Every setting, table by table of the file."""
    return "\n\n".join(_section(path, model) for path, model in _sections("", Settings))


def _sections(path: str, model: type[BaseModel]) -> Iterator[tuple[str, type[BaseModel]]]:
    yield path, model
    for key, field in model.model_fields.items():
        kind, inside = field.annotation, f"{path}.{key}" if path else key
        if get_origin(kind) is dict:
            kind, inside = get_args(kind)[1], f"{inside}.NAME"
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _sections(inside, kind)


def _section(path: str, model: type[BaseModel]) -> str:
    rows = []
    for key, field in model.model_fields.items():
        full = f"{path}.{key}" if path else key
        if field.description:
            variable = PREFIX + full.upper().replace(".", NESTED)
            default = "" if _secret(field.annotation) else _default(field)
            rows.append(
                [f"`{key}`", f"`{variable}`", _kind(field.annotation), default, field.description]
            )
    head = f"### `[{path}]`" if path else "### Above all tables"
    text = "" if not path else f"{inspect.cleandoc(model.__doc__ or '')}\n\n"
    return f"{head}\n\n{text}{table(['key', 'variable', 'type', 'default', ''], rows)}"


def _secret(kind: Any) -> bool:
    return SecretStr in (kind, *get_args(kind))


def _kind(kind: Any) -> str:
    if kind is None or kind is type(None):
        return "null"
    if get_origin(kind) is Annotated:
        return _kind(get_args(kind)[0])
    if get_origin(kind) is Literal:
        return " · ".join(f"`{value}`" for value in get_args(kind))
    if get_origin(kind) in (Union, types.UnionType):
        return " or ".join(_kind(arg) for arg in get_args(kind) if arg is not type(None))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return " · ".join(f"`{member.value}`" for member in kind)
    names: Mapping[Any, str] = {
        str: "text",
        int: "whole number",
        float: "number",
        bool: "yes or no",
        Path: "path",
    }
    if get_origin(kind) is tuple:
        return f"list of {_kind(get_args(kind)[0])}"
    if get_origin(kind) is dict:
        return "table"
    if _secret(kind):
        return "secret"
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind.__name__
    return names.get(kind, "JSON")


def _default(field: Any) -> str:
    if field.default_factory is not None:
        return ""
    if field.default is PydanticUndefined:
        return "required"
    value = field.default.value if isinstance(field.default, Enum) else field.default
    return "" if value in (None, "", ()) else f"`{value}`"


def _annotation(text: str) -> str:
    return text.replace(" | None", "?")


def _names(names: frozenset[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))


PAGES: Mapping[str, Parts] = {
    "protocol.md": {
        "client frames": client_frames,
        "methods": methods,
        "server frames": server_frames,
    },
    "settings.md": {"settings": settings},
}


if __name__ == "__main__":
    sys.exit(write(PAGES, "tables", sys.argv[1:]))
