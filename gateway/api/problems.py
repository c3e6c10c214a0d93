"""Errors over HTTP: problem+json (RFC 9457) with a stable `code` and the ids it is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from gateway.core.errors import GatewayError

PROBLEM_TYPE: Final = "application/problem+json"
NO_STORE: Final = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
INTERNAL: Final = "INTERNAL"

Report = Callable[[str, BaseException], str]
"""Writes an error to the operator's log; its id there."""


class FieldProblem(BaseModel):
    """What is wrong with one field: `at` is its path in the body, with dots."""

    at: str
    message: str


class Problem(BaseModel):
    """What went wrong. `code` is stable; ids are there where the error is about something."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True)

    type: str = "about:blank"
    title: str
    status: int
    code: str
    detail: str
    thread: str | None = None
    run: str | None = None
    interrupt_id: str | None = None
    input: int | None = None
    scope: str | None = None
    retry_after_seconds: float | None = None
    error_id: str | None = Field(None, description="find it in the operator's log")
    errors: list[FieldProblem] | None = Field(None, description="every mistake in the body")


_IDS: Final = {
    "thread": "thread",
    "run": "run",
    "interruptId": "interrupt_id",
    "input": "input",
    "scope": "scope",
    "retryAfterSeconds": "retry_after_seconds",
    "errors": "errors",
}


def problem_of(error: BaseException, report: Report, where: str) -> Problem:
    """The problem that an error is. What is nobody's mistake outside is reported, and its text
    stays here.
    """
    if not isinstance(error, GatewayError) or error.http >= 500:
        status = error.http if isinstance(error, GatewayError) else 500
        return Problem(
            title=HTTPStatus(status).phrase,
            status=status,
            code=error.code if isinstance(error, GatewayError) else INTERNAL,
            detail="That failed here; the operator finds it by its errorId.",
            error_id=report(where, error),
        )
    ids = {_IDS[name]: value for name, value in error.params.items() if name in _IDS}
    made = {
        "title": HTTPStatus(error.http).phrase,
        "status": error.http,
        "code": error.code,
        "detail": str(error),
        **ids,
    }
    return Problem.model_validate(made)


def answer(problem: Problem, headers: Mapping[str, str] | None = None) -> web.Response:
    """The problem as a response."""
    more = {**NO_STORE, **(headers or {})}
    if problem.status == HTTPStatus.UNAUTHORIZED:
        more["WWW-Authenticate"] = "Bearer"
    if problem.retry_after_seconds is not None:
        more["Retry-After"] = str(max(1, round(problem.retry_after_seconds)))
    if problem.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        more["Connection"] = "close"
    text = problem.model_dump_json(by_alias=True, exclude_none=True)
    return web.Response(
        body=text.encode(), status=problem.status, content_type=PROBLEM_TYPE, headers=more
    )
