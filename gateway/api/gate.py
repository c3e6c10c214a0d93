"""The door of every HTTP protocol for programs: origin, caller, rate, body, errors, headers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

from aiohttp import web
from pydantic import BaseModel

from gateway.api.auth import PRINCIPAL_HEADER, SIGNATURE_HEADER, Authenticator, Caller
from gateway.api.bodies import asked, parsed, read_body
from gateway.api.limits import AGAIN_SECONDS, REQUESTS, REQUESTS_A_PERSON, Places, Rates
from gateway.api.problems import Report, answer, problem_of
from gateway.core.errors import OriginRefused, RateLimited
from gateway.ports.clock import Clock
from gateway.ports.tokens import Scope
from gateway.settings import ApiSettings
from gateway.supervise import Caught, guarded_await
from gateway.tokens import Keys

M = TypeVar("M", bound=BaseModel)

ALLOWED_HEADERS: Final = ", ".join(
    [
        "Authorization",
        "Content-Type",
        "Idempotency-Key",
        "Last-Event-ID",
        PRINCIPAL_HEADER,
        SIGNATURE_HEADER,
    ]
)
METHODS: Final = ("GET", "POST", "PATCH", "DELETE")
PREFLIGHT_SECONDS: Final = 600
LARGE_AT_ONCE: Final = 8
"""How many bodies over the common limit may arrive at once, where a route takes them."""
LARGE_SECONDS: Final = 300.0
"""The longest that such a body may take to arrive."""


@dataclass(slots=True)
class Arrived:
    """A request that was let in: who sent it, and its body."""

    request: web.Request
    caller: Caller
    body: bytes

    def read(self, model: type[M]) -> M:
        """The body as a model.

        Raises:
            RequestRefused, ValidationFailed: as `bodies.parsed`.
        """
        return parsed(model, self.request, self.body)

    def forget(self) -> None:
        """Keep the body no longer: what is answered may take long."""
        self.body = b""

    def query(self, model: type[M]) -> M:
        """The query's parameters as a model.

        Raises:
            ValidationFailed: a parameter is unknown, there twice, or has the wrong form.
        """
        return asked(model, self.request)


Handler: TypeAlias = Callable[[Arrived], Awaitable[web.StreamResponse]]
Served: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Gate:
    """Lets requests in. One for all protocols, so that a person's limits hold for all together."""

    def __init__(
        self,
        settings: ApiSettings,
        keys: Keys,
        clock: Clock,
        report: Report,
        *,
        home: str | None,
        public_url: str | None = None,
    ) -> None:
        secret = settings.proxy_secret
        self.auth = Authenticator(
            keys,
            clock,
            home=home,
            proxy_secret=None if secret is None else secret.get_secret_value(),
            origins=settings.cors_origins,
            public_url=public_url,
        )
        self.streams = Places(settings.streams, settings.streams_per_person, "streams")
        self._requests = Places(
            REQUESTS, REQUESTS_A_PERSON + settings.streams_per_person, "requests"
        )
        self._rates = Rates(clock, settings.requests_at_once, settings.requests_per_second)
        self._limit_bytes = settings.body_limit_bytes
        self._large = 0
        self._report = report
        keys.on_revoked.append(self.streams.revoked)

    def route(self, scope: Scope, handler: Handler, files_bytes: int = 0) -> Served:
        """The handler behind the door: it is only called for who may, and what it raises is
        answered as a problem. A body may hold `files_bytes` more than is common.
        """

        async def serve(request: web.Request) -> web.StreamResponse:
            outcome = await guarded_await(self._let(request, scope, handler, files_bytes))
            return self.answered(request, outcome)

        return serve

    def answered(
        self, request: web.Request, outcome: web.StreamResponse | Caught
    ) -> web.StreamResponse:
        """A handler's response, or its error as a problem; readable for pages that may."""
        if isinstance(outcome, Caught):
            where = f"{request.method} {_pattern(request)}"
            outcome = answer(problem_of(outcome.error, self._report, where))
        if not outcome.prepared:
            outcome.headers.update(self.cors(request))
        return outcome

    def cors(self, request: web.Request) -> Mapping[str, str]:
        """What lets a page of an allowed site read the response; nothing for others."""
        outcome = _allowed_origin(self.auth, request)
        if not outcome:
            return {}
        return {
            "Access-Control-Allow-Origin": outcome,
            "Access-Control-Expose-Headers": "Location, Retry-After",
            "Vary": "Origin",
        }

    async def preflight(self, request: web.Request) -> web.StreamResponse:
        """What a browser asks before it sends a page's request to us."""
        headers = {
            **self.cors(request),
            "Access-Control-Allow-Methods": ", ".join(METHODS),
            "Access-Control-Allow-Headers": ALLOWED_HEADERS,
            "Access-Control-Max-Age": str(PREFLIGHT_SECONDS),
        }
        allowed = "Access-Control-Allow-Origin" in headers
        return web.Response(status=204 if allowed else 403, headers=headers if allowed else {})

    async def _let(
        self, request: web.Request, scope: Scope, handler: Handler, files_bytes: int
    ) -> web.StreamResponse:
        self.auth.check_origin(request)
        signed = self.auth.signed(request)
        body = await self._body(request, files_bytes) if signed else b""
        known = await self.auth.caller(request, scope, body)
        caller = replace(known, here=lambda: request.transport is not None)
        self._rates.take(caller.principal)
        with self._requests.one(caller, _nothing):
            if not signed:
                body = await self._body(request, files_bytes)
            arrived = Arrived(request, caller, body)
            del body
            return await handler(arrived)

    async def _body(self, request: web.Request, files_bytes: int) -> bytes:
        length = request.content_length
        if not files_bytes or (length is not None and length <= self._limit_bytes):
            return await read_body(request, self._limit_bytes)
        if self._large >= LARGE_AT_ONCE:
            raise RateLimited("too many files at once", retryAfterSeconds=AGAIN_SECONDS)
        self._large += 1
        try:
            return await read_body(request, self._limit_bytes + files_bytes, LARGE_SECONDS)
        finally:
            self._large -= 1


def _allowed_origin(auth: Authenticator, request: web.Request) -> str:
    """The allowed other site that asks, "" where none does or may."""
    try:
        return auth.check_origin(request)
    except OriginRefused:
        return ""


def _pattern(request: web.Request) -> str:
    """The path's form, without the ids in it."""
    resource = request.match_info.route.resource
    return "" if resource is None else resource.canonical


def _nothing() -> None:
    """A request that is no stream ends by itself."""
