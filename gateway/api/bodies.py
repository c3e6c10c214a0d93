"""What a request brings: its bytes within limits, JSON without surprises, a model of it."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Sequence
from typing import Any, Final, TypeVar

from aiohttp import web
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from gateway.core.errors import RequestRefused, ValidationFailed

MAX_DEPTH: Final = 32
BODY_SECONDS: Final = 30.0
"""The longest that a body may take to arrive."""
JSON_TYPE: Final = "application/json"

M = TypeVar("M", bound=BaseModel)


class Body(BaseModel):
    """What all bodies share: known keys only, no guessing of types, camelCase."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, alias_generator=to_camel, validate_by_name=True
    )


async def read_body(request: web.Request, limit_bytes: int, seconds: float = BODY_SECONDS) -> bytes:
    """The request's body, which may take so long to arrive.

    Raises:
        RequestRefused: BODY_TOO_LARGE; no more of it is read.
        ValidationFailed: it does not come, or not to its end.
    """
    too_large = RequestRefused("BODY_TOO_LARGE", f"a body has at most {limit_bytes} bytes")
    if request.content_length is not None and request.content_length > limit_bytes:
        raise too_large
    parts = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for part in request.content.iter_any():
                parts += part
                if len(parts) > limit_bytes:
                    raise too_large
    except (TimeoutError, OSError, web.RequestPayloadError) as error:
        raise ValidationFailed("the body did not arrive") from error
    return bytes(parts)


def json_of(request: web.Request, body: bytes) -> Any:
    """The JSON value in a body.

    Raises:
        RequestRefused: MEDIA_TYPE_UNSUPPORTED.
        ValidationFailed: it is no JSON in UTF-8, names a key twice, nests too deep, or holds a
            number that is not finite.
    """
    if request.content_type != JSON_TYPE or (request.charset or "utf-8").lower() != "utf-8":
        raise RequestRefused("MEDIA_TYPE_UNSUPPORTED", f"the body has to be {JSON_TYPE} in UTF-8")
    try:
        value = json.loads(
            body.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant
        )
    except (ValueError, RecursionError) as error:
        raise ValidationFailed(f"the body is no JSON: {_short(error)}") from None
    _check(value)
    return value


def parsed(model: type[M], request: web.Request, body: bytes) -> M:
    """The body as a model; an empty one is `{}`.

    Raises:
        RequestRefused, ValidationFailed: as `json_of`; `params["errors"]` lists every mistake.
    """
    if not body:
        body = b"{}"
    else:
        json_of(request, body)
    try:
        return model.model_validate_json(body, by_alias=True, by_name=False)
    except ValidationError as error:
        raise mistakes(error) from None


def asked(model: type[M], request: web.Request) -> M:
    """The query's parameters as a model.

    Raises:
        ValidationFailed: a parameter is unknown, there twice, or has the wrong form.
    """
    given = request.query
    for name in given:
        if len(given.getall(name)) > 1:
            raise ValidationFailed(f"{name[:64]}: is there twice")
    try:
        return model.model_validate(dict(given), by_alias=True, by_name=False)
    except ValidationError as error:
        raise mistakes(error) from None


def mistakes(error: ValidationError, within: Sequence[str] = ()) -> ValidationFailed:
    """Every mistake that pydantic found, by the path of its field."""
    found = [
        {"at": ".".join(str(part) for part in (*within, *item["loc"])), "message": item["msg"]}
        for item in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    first = found[0]
    text = f"{first['at']}: {first['message']}" if first["at"] else first["message"]
    return ValidationFailed(text, errors=found)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key is there twice")
    return made


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _short(error: BaseException) -> str:
    return "nested too deep" if isinstance(error, RecursionError) else str(error)[:200]


def _check(value: Any) -> None:
    pending: list[tuple[Any, int]] = [(value, 0)]
    while pending:
        item, depth = pending.pop()
        if depth > MAX_DEPTH:
            raise ValidationFailed(f"the body is nested deeper than {MAX_DEPTH} levels")
        if isinstance(item, float) and not math.isfinite(item):
            raise ValidationFailed("a number is not finite")
        if isinstance(item, dict):
            pending.extend((child, depth + 1) for child in item.values())
        elif isinstance(item, list):
            pending.extend((child, depth + 1) for child in item)
