"""Canonical JSON (RFC 8785), with integers kept to all their digits, and its SHA-256."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from decimal import Decimal

from gateway.core.errors import ValidationFailed


def canonical_json(value: object) -> str:
    """The one spelling of a JSON value: keys sorted by UTF-16, numbers as ECMAScript writes them.

    Raises:
        ValidationFailed: the value is not JSON (NaN, infinity, a foreign type, a key not text).
    """
    if value is None or isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, Mapping):
        return _object(value)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return "[" + ",".join(canonical_json(item) for item in value) + "]"
    raise ValidationFailed(f"not JSON: a value of type {type(value).__name__}")


def digest(arguments: Mapping[str, object]) -> str:
    """The SHA-256 (hex) of the canonical form of a call's arguments."""
    return hashlib.sha256(canonical_json(arguments).encode("utf-8", "surrogatepass")).hexdigest()


def _object(value: Mapping[object, object]) -> str:
    keys = []
    for key in value:
        if not isinstance(key, str):
            raise ValidationFailed(f"not JSON: a key of type {type(key).__name__}")
        keys.append(key)
    keys.sort(key=lambda key: key.encode("utf-16-be", "surrogatepass"))
    pairs = (f"{json.dumps(k, ensure_ascii=False)}:{canonical_json(value[k])}" for k in keys)
    return "{" + ",".join(pairs) + "}"


def _float(value: float) -> str:
    if not math.isfinite(value):
        raise ValidationFailed("not JSON: a number that is not finite")
    if value == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    text, minus = "".join(map(str, digits)), "-" if sign else ""
    assert isinstance(exponent, int)
    point = len(text) + exponent
    if 0 < point <= 21:
        whole = text.ljust(point, "0")
        return minus + (whole if point >= len(text) else f"{text[:point]}.{text[point:]}")
    if -6 < point <= 0:
        return f"{minus}0.{'0' * -point}{text}"
    mantissa = text if len(text) == 1 else f"{text[0]}.{text[1:]}"
    return f"{minus}{mantissa}e{'+' if point > 0 else '-'}{abs(point - 1)}"
