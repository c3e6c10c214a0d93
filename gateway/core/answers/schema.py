"""The part of JSON Schema that answers are checked against: own, pure, in exact arithmetic."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache

from gateway.core.answers.formats import FORMATS
from gateway.core.answers.types import ProblemCode, Schema

TYPES = frozenset({"boolean", "integer", "number", "string", "array", "object", "null"})
MAX_DEPTH = 24
_UNBOUNDED = "*+"


class SchemaError(ValueError):
    """What was given is not a JSON Schema, or one that leads nowhere (a loop of references)."""


def decimal_of(value: object) -> Decimal | None:
    """The number exactly as written, or None for what is no number (booleans, NaN, infinity)."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return Decimal(value)
    if isinstance(value, Decimal):
        return value if value.is_finite() else None
    if isinstance(value, float):
        exact = Decimal(repr(value))
        return exact if exact.is_finite() else None
    return None


def resolve(schema: object, root: Schema, depth: int = 0) -> Schema:
    """The schema behind local references and lone `allOf` wrappers.

    Raises SchemaError for anything but a mapping, a reference that isn't there, and loops.
    """
    if type(schema) is not dict and not isinstance(schema, Mapping):
        raise SchemaError("a schema is a JSON object")
    if depth > MAX_DEPTH:
        raise SchemaError("the schema is nested too deep or refers to itself")
    if isinstance(schema.get("$ref"), str):
        target = _follow(str(schema["$ref"]), root)
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return {**resolve(target, root, depth + 1), **rest}
    parts = schema.get("allOf")
    if parts is not None and isinstance(parts, Sequence) and not isinstance(parts, str) and parts:
        merged: dict[str, object] = {}
        for part in parts:
            merged.update(resolve(part, root, depth + 1))
        merged.update({key: value for key, value in schema.items() if key != "allOf"})
        return merged
    return schema


def _follow(reference: str, root: Schema) -> object:
    if not reference.startswith("#"):
        raise SchemaError(f"only local references can be followed, not {reference!r}")
    node: object = root
    for part in reference[1:].split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if not isinstance(node, Mapping) or key not in node:
            raise SchemaError(f"the reference {reference!r} leads nowhere")
        node = node[key]
    return node


def same(left: object, right: object) -> bool:
    """JSON equality: 1 is 1.0, but true is not 1."""
    a, b = decimal_of(left), decimal_of(right)
    if a is not None and b is not None:
        return a == b
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[k], right[k]) for k in left)
    return type(left) is type(right) and left == right


def type_of(value: object) -> str:
    """The JSON name of a value's type; a whole number is an "integer" however it is written."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    number = decimal_of(value)
    if number is not None:
        return "integer" if number == number.to_integral_value() else "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object" if isinstance(value, dict) else "none"


def types_of(schema: Schema) -> tuple[str, ...]:
    """The types that a schema names, none if it names none."""
    named = schema.get("type")
    if isinstance(named, str):
        return (named,)
    if named is not None and isinstance(named, Sequence):
        return tuple(str(name) for name in named)
    return ()


def validates(value: object, schema: Schema) -> str | None:
    """None where the schema allows the value, else the `ProblemCode` of the first limit broken."""
    return _check(value, schema, schema, 0)


def _check(value: object, schema: object, root: Schema, depth: int) -> str | None:
    if schema is True:
        return None
    if schema is False:
        return ProblemCode.NOT_UNDERSTOOD
    node = resolve(schema, root, depth)
    for rule in (_check_type, _check_members, _check_number, _check_string):
        broken = rule(value, node)
        if broken is not None:
            return broken
    return (
        _check_array(value, node, root, depth)
        or _check_object(value, node, root, depth)
        or _check_branches(value, node, root, depth)
    )


def _check_type(value: object, node: Schema) -> str | None:
    allowed = types_of(node)
    kind = type_of(value)
    if not allowed or kind in allowed or (kind == "integer" and "number" in allowed):
        return None
    return (
        ProblemCode.NOT_WHOLE
        if kind == "number" and "integer" in allowed
        else (ProblemCode.NOT_UNDERSTOOD)
    )


def _check_members(value: object, node: Schema) -> str | None:
    if "const" in node and not same(value, node["const"]):
        return ProblemCode.NOT_A_MEMBER
    listed = node.get("enum")
    if (
        listed is not None
        and isinstance(listed, Sequence)
        and not any(same(value, item) for item in listed)
    ):
        return ProblemCode.NOT_A_MEMBER
    return None


_BOUNDS: tuple[tuple[str, Callable[[Decimal, Decimal], bool]], ...] = (
    ("minimum", lambda number, bound: number >= bound),
    ("maximum", lambda number, bound: number <= bound),
    ("exclusiveMinimum", lambda number, bound: number > bound),
    ("exclusiveMaximum", lambda number, bound: number < bound),
)


def _check_number(value: object, node: Schema) -> str | None:
    number = decimal_of(value)
    if number is None:
        return ProblemCode.NOT_UNDERSTOOD if isinstance(value, float) else None
    for name, holds in _BOUNDS:
        bound = decimal_of(node[name]) if name in node else None
        if bound is not None and not holds(number, bound):
            return ProblemCode.OUT_OF_RANGE
    step = decimal_of(node.get("multipleOf"))
    if step and not is_multiple(number, step):
        return ProblemCode.WRONG_STEP
    return None


def is_multiple(number: Decimal, step: Decimal) -> bool:
    """Whether the number is a whole count of steps, without rounding (0.3 is three times 0.1)."""
    top, bottom = number.as_integer_ratio()
    step_top, step_bottom = step.as_integer_ratio()
    return (top * step_bottom) % (bottom * step_top) == 0


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    try:
        return None if can_backtrack(pattern) else re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return None


def can_backtrack(pattern: str) -> bool:
    """Whether a repeat holds another repeat, so that matching may take exponential time."""
    held = [False]
    closed = False
    index = 0
    in_class = False
    while index < len(pattern):
        char = pattern[index]
        index += 2 if char == "\\" else 1
        if in_class or char == "[":
            in_class = char != "]" if in_class else True
            closed = False
        elif char == "(":
            held.append(False)
            closed = False
        elif char == ")":
            closed = held.pop() if len(held) > 1 else False
            held[-1] = held[-1] or closed
        elif char in _UNBOUNDED or (char == "{" and "," in pattern[index : index + 8]):
            if closed:
                return True
            held[-1] = True
        else:
            closed = False
    return False


def _check_string(value: object, node: Schema) -> str | None:
    if not isinstance(value, str):
        return None
    least, most = node.get("minLength"), node.get("maxLength")
    if (isinstance(least, int) and len(value) < least) or (
        isinstance(most, int) and len(value) > most
    ):
        return ProblemCode.WRONG_LENGTH
    pattern = node.get("pattern")
    if isinstance(pattern, str):
        compiled = _compiled(pattern)
        if compiled is None or compiled.search(value) is None:
            return ProblemCode.BAD_FORMAT
    check = FORMATS.get(str(node.get("format")))
    return ProblemCode.BAD_FORMAT if check is not None and not check(value) else None


def _check_array(value: object, node: Schema, root: Schema, depth: int) -> str | None:
    if not isinstance(value, list):
        return None
    least, most = node.get("minItems"), node.get("maxItems")
    if (isinstance(least, int) and len(value) < least) or (
        isinstance(most, int) and len(value) > most
    ):
        return ProblemCode.WRONG_COUNT
    if node.get("uniqueItems") is True and any(
        same(item, other) for place, item in enumerate(value) for other in value[:place]
    ):
        return ProblemCode.WRONG_COUNT
    items = node.get("items")
    if items is None:
        return None
    return next((bad for item in value if (bad := _check(item, items, root, depth + 1))), None)


def _check_object(value: object, node: Schema, root: Schema, depth: int) -> str | None:
    if not isinstance(value, dict):
        return None
    required = node.get("required")
    if isinstance(required, Sequence) and any(name not in value for name in required):
        return ProblemCode.MISSING_FIELD
    properties = node.get("properties")
    known = properties if isinstance(properties, Mapping) else {}
    for name, item in value.items():
        if name in known:
            broken = _check(item, known[name], root, depth + 1)
        elif node.get("additionalProperties") is False:
            broken = ProblemCode.UNKNOWN_FIELD
        else:
            broken = None
        if broken is not None:
            return broken
    return None


def _check_branches(value: object, node: Schema, root: Schema, depth: int) -> str | None:
    for name in ("anyOf", "oneOf"):
        branches = node.get(name)
        if branches is None:
            continue
        if not isinstance(branches, Sequence) or isinstance(branches, str) or not branches:
            continue
        broken = [_check(value, branch, root, depth + 1) for branch in branches]
        fitting = broken.count(None)
        if fitting == 0:
            return next(bad for bad in broken if bad is not None)
        if name == "oneOf" and fitting > 1:
            return ProblemCode.AMBIGUOUS
    return None
