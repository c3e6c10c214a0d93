"""A schema made ready for answers: what kind it is, its members, fields and branches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum

from gateway.core.answers.formats import FORMATS
from gateway.core.answers.normalise import fold
from gateway.core.answers.schema import (
    TYPES,
    SchemaError,
    can_backtrack,
    decimal_of,
    resolve,
    types_of,
)
from gateway.core.answers.types import Schema


class Kind(StrEnum):
    """How an answer to a schema is read."""

    BOOLEAN = "boolean"
    NUMBER = "number"
    CHOICE = "choice"
    CONST = "const"
    NULL = "null"
    TEXT = "text"
    ARRAY = "array"
    OBJECT = "object"
    UNION = "union"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Member:
    """One value to choose, with every name it goes by (title first, then the value itself)."""

    value: object
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Field:
    """One property of an object; `names` are its title and its key in spoken form."""

    key: str
    names: tuple[str, ...]
    plan: Plan
    required: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Plan:
    """A compiled schema. `hint` is the lower-case title and description, `called` the names of the
    field that it is the schema of.
    """

    kind: Kind
    schema: Schema
    root: Schema
    hint: str = ""
    integer: bool = False
    members: tuple[Member, ...] = ()
    fields: tuple[Field, ...] = ()
    items: Plan | None = None
    branches: tuple[Plan, ...] = ()
    minimum: Decimal | None = None
    maximum: Decimal | None = None
    missing: tuple[str, ...] = field(default=())
    called: str = ""


_CACHE: dict[str, Plan] = {}
_CACHE_SIZE = 512


def plan_of(schema: Schema) -> Plan:
    """The plan of a schema, compiled once. Raises SchemaError where it is no JSON Schema."""
    try:
        key = repr(schema)
    except RecursionError as error:
        raise SchemaError("the schema is nested too deep") from error
    plan = _CACHE.get(key)
    if plan is None:
        plan = _compile(schema, schema, 0)
        if len(_CACHE) >= _CACHE_SIZE:
            _CACHE.pop(next(iter(_CACHE)))
        _CACHE[key] = plan
    return plan


def spoken_name(text: str) -> str:
    """A key or code as it is said: camel case and joints become spaces."""
    out: list[str] = []
    for place, char in enumerate(text):
        if char in "_-./":
            out.append(" ")
            continue
        if char.isupper() and place and text[place - 1].islower():
            out.append(" ")
        out.append(char)
    return fold(" ".join("".join(out).split()))


def _text(schema: Schema, key: str) -> str:
    value = schema.get(key)
    return value if isinstance(value, str) else ""


def _hint(schema: Schema) -> str:
    return fold(f"{_text(schema, 'title')} {_text(schema, 'description')}".strip())


def _name(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else str(value)


def _member(value: object, title: str, others: Sequence[str] = ()) -> Member:
    names = (title, _name(value)) if title else (_name(value),)
    return Member(value, tuple(dict.fromkeys((*names, *others))))


def _other_titles(branch: Schema) -> tuple[str, ...]:
    """A choice's titles in other languages: `x-titles`, by language."""
    titles = branch.get("x-titles")
    return tuple(map(str, titles.values())) if isinstance(titles, Mapping) else ()


def _sequence(value: object) -> Sequence[object]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


def _titled(schema: Schema, root: Schema, depth: int) -> tuple[Member, ...]:
    """Members of `oneOf`/`anyOf` in which every branch is a const."""
    for key in ("oneOf", "anyOf"):
        branches = [resolve(branch, root, depth + 1) for branch in _sequence(schema.get(key))]
        if branches and all("const" in branch for branch in branches):
            return tuple(
                _member(branch["const"], _text(branch, "title"), _other_titles(branch))
                for branch in branches
            )
    return ()


def _members(schema: Schema, root: Schema, depth: int) -> tuple[Member, ...]:
    listed = _sequence(schema.get("enum"))
    if not listed:
        return _titled(schema, root, depth)
    titles = _sequence(schema.get("enumNames")) or _sequence(schema.get("x-enumNames"))
    return tuple(
        _member(value, str(titles[place]) if place < len(titles) else "")
        for place, value in enumerate(listed)
    )


def _compile(schema: object, root: Schema, depth: int) -> Plan:
    node = resolve(schema, root, depth)
    _refuse_nonsense(node)
    if "const" in node:
        member = _member(node["const"], _text(node, "title"))
        kind = Kind.NULL if node["const"] is None else Kind.CONST
        return Plan(kind, node, root, _hint(node), members=(member,))
    members = _members(node, root, depth)
    if members:
        return Plan(Kind.CHOICE, node, root, _hint(node), members=members)
    branches = [part for key in ("anyOf", "oneOf") for part in _sequence(node.get(key))]
    if branches:
        return _union([_compile(part, root, depth + 1) for part in branches], node, root)
    types = types_of(node)
    if len(types) > 1:
        parts = [_compile({**node, "type": name}, root, depth + 1) for name in types]
        return _union(parts, node, root)
    return _single(types[0] if types else _guessed(node), node, root, depth)


def _refuse_nonsense(node: Schema) -> None:
    unknown = [name for name in types_of(node) if name not in TYPES]
    if unknown:
        raise SchemaError(f"there is no type {unknown[0]!r} in JSON Schema")
    for key, kind in (("properties", Mapping), ("enum", Sequence), ("required", Sequence)):
        if key in node and (not isinstance(node[key], kind) or isinstance(node[key], str)):
            raise SchemaError(f"{key!r} has the wrong form")


def _guessed(node: Schema) -> str:
    if "properties" in node:
        return "object"
    if "items" in node:
        return "array"
    if any(key in node for key in ("minimum", "maximum", "multipleOf")):
        return "number"
    return "string"


def _union(parts: Sequence[Plan], node: Schema, root: Schema) -> Plan:
    flat = [one for part in parts for one in (part.branches or (part,))]
    if len(flat) == 1:
        return flat[0]
    return Plan(Kind.UNION, node, root, _hint(node), branches=tuple(flat))


def _bound(node: Schema, closed: str, opened: str) -> Decimal | None:
    found = decimal_of(node.get(closed))
    return found if found is not None else decimal_of(node.get(opened))


def _single(name: str, node: Schema, root: Schema, depth: int) -> Plan:
    hint = _hint(node)
    if name in ("integer", "number"):
        return Plan(
            Kind.NUMBER,
            node,
            root,
            hint,
            integer=name == "integer",
            minimum=_bound(node, "minimum", "exclusiveMinimum"),
            maximum=_bound(node, "maximum", "exclusiveMaximum"),
        )
    if name == "array":
        items = node.get("items")
        plan = _compile(items, root, depth + 1) if isinstance(items, Mapping) else None
        return Plan(Kind.ARRAY, node, root, hint, items=plan)
    if name == "object":
        return Plan(Kind.OBJECT, node, root, hint, fields=_fields(node, root, depth))
    kinds = {"boolean": Kind.BOOLEAN, "null": Kind.NULL}
    return Plan(kinds.get(name, Kind.TEXT), node, root, hint)


def _fields(node: Schema, root: Schema, depth: int) -> tuple[Field, ...]:
    properties = node.get("properties")
    required = _sequence(node.get("required"))
    fields = []
    for key, part in properties.items() if isinstance(properties, Mapping) else ():
        plan = _compile(part, root, depth + 1)
        title = fold(_text(plan.schema, "title"))
        names = tuple(dict.fromkeys(name for name in (title, spoken_name(key), fold(key)) if name))
        called = replace(plan, called=" ".join(names))
        fields.append(Field(str(key), names, called, key in required))
    return tuple(fields)


_UNREAD = (
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependentRequired",
    "prefixItems",
    "contains",
    "patternProperties",
    "propertyNames",
    "unevaluatedProperties",
    "$dynamicRef",
)


def unsupported(schema: Schema) -> tuple[str, ...]:
    """What the schema uses that no answer in words can be checked against, empty if nothing.

    Said when a question is made. Raises SchemaError where the schema is no JSON Schema.
    """
    plan_of(schema)
    found: list[str] = []
    _walk(schema, schema, "", found, 0)
    return tuple(dict.fromkeys(found))


def _walk(schema: object, root: Schema, where: str, found: list[str], depth: int) -> None:
    if not isinstance(schema, Mapping):
        return
    node = resolve(schema, root, depth)
    found += [f"{where or '/'}: {key}" for key in _UNREAD if key in node]
    pattern = node.get("pattern")
    if isinstance(pattern, str) and can_backtrack(pattern):
        found.append(f"{where or '/'}: pattern repeats a repeat")
    if "format" in node and str(node["format"]) not in FORMATS:
        found.append(f"{where or '/'}: format {node['format']}")
    properties = node.get("properties")
    for key, part in properties.items() if isinstance(properties, Mapping) else ():
        _walk(part, root, f"{where}/{key}", found, depth + 1)
    for key in ("items", "additionalProperties"):
        _walk(node.get(key), root, f"{where}/{key}", found, depth + 1)
    for key in ("anyOf", "oneOf"):
        for place, part in enumerate(_sequence(node.get(key))):
            _walk(part, root, f"{where}/{key}/{place}", found, depth + 1)


def is_open_text(plan: Plan) -> bool:
    """Whether any text at all fits: a string without members, format or pattern."""
    return plan.kind is Kind.TEXT and not (plan.schema.get("format") or plan.schema.get("pattern"))
