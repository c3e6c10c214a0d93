"""The page in a browser: its files, its WebSocket, its uploads; beside the operator's routes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from aiohttp import web

from gateway.channels.assets import PAGE, SECURITY, Assets
from gateway.channels.guests import PrincipalChanged
from gateway.channels.notices import notice_text
from gateway.channels.uploads import Uploads
from gateway.channels.visitors import Visitor, Visitors
from gateway.channels.websocket import WebSockets
from gateway.core.errors import AccessDenied, GatewayError, InputRefused, ValidationFailed
from gateway.core.messages import Json
from gateway.i18n import known_language
from gateway.limits import Bucket
from gateway.ports.clock import Clock
from gateway.supervise import Caught, guarded_await
from gateway.wire import VERSION

UPLOADS_AT_ONCE, UPLOADS_A_SECOND = 20, 0.5

Route = Callable[[web.Request], Awaitable[web.StreamResponse]]
Handler = Callable[[web.Request, Visitor], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Site:
    """What the page's routes need. `facts` are told to every page: which agent this is. `further`
    are WebSockets of others, by path, under the page's own rules.
    """

    visitors: Visitors
    sockets: WebSockets
    uploads: Uploads
    clock: Clock
    report: Callable[[str, BaseException], str]
    facts: dict[str, Json]
    further: Mapping[str, Handler] = field(default_factory=dict)
    assets: Assets = field(default_factory=Assets)
    buckets: dict[str, Bucket] = field(default_factory=dict)


def page_routes(site: Site) -> list[web.RouteDef]:
    """The routes of the page."""

    async def page(request: web.Request) -> web.StreamResponse:
        return await site.visitors.let_in(request) or site.assets.respond(request, PAGE)

    async def asset(request: web.Request) -> web.StreamResponse:
        return site.assets.respond(request, request.path.lstrip("/"))

    async def me(request: web.Request, visitor: Visitor) -> web.StreamResponse:
        return _json({**site.facts, **_me(site, visitor)})

    async def socket(request: web.Request, visitor: Visitor) -> web.StreamResponse:
        return await site.sockets.serve(request, visitor)

    async def upload(request: web.Request, visitor: Visitor) -> web.StreamResponse:
        if request.query.get("as", visitor.principal) != visitor.principal:
            raise PrincipalChanged(f"{visitor.principal} can't bring a file for somebody else")
        _slow_down(site, visitor)
        kept = await site.uploads.take(request, visitor)
        return _json(
            {
                "blob": kept.blob,
                "mediaType": kept.media_type,
                "name": kept.name,
                "sizeBytes": kept.size_bytes,
            }
        )

    async def download(request: web.Request, visitor: Visitor) -> web.StreamResponse:
        name = request.query.get("name", "")
        return await site.uploads.give(request.match_info["key"], name, visitor)

    return [
        web.get("/", page),
        *(web.get(f"/{path}", asset) for path in site.assets.paths() if path != PAGE),
        web.get("/me", guarded(site, me, own_page=False)),
        web.get("/ws", guarded(site, socket)),
        web.post("/files", guarded(site, upload)),
        web.get("/files/{key:[0-9a-f]{64}}", guarded(site, download, own_page=False)),
        *(web.get(path, guarded(site, handler)) for path, handler in site.further.items()),
    ]


def guarded(site: Site, handler: Handler, *, own_page: bool = True) -> Route:
    """The route of a handler: known people only, and errors as JSON."""

    async def handle(request: web.Request) -> web.StreamResponse:
        outcome = await guarded_await(_let(site, request, handler, own_page))
        if isinstance(outcome, web.StreamResponse):
            return outcome
        return _failed(site, request, outcome)

    return handle


async def _let(
    site: Site, request: web.Request, handler: Handler, own_page: bool
) -> web.StreamResponse:
    """Let a known visitor in, from our own page where the request changes something."""
    if own_page and not site.visitors.same_origin(request.headers, request.host):
        raise AccessDenied("it does not come from this server's own page")
    visitor = await site.visitors.visitor(request)
    if visitor is None:
        raise NotLetIn("no valid token")
    return await handler(request, visitor)


class NotLetIn(GatewayError):
    """Nobody is known by this cookie, or the host's name is not this machine's."""

    code = "NOT_LET_IN"
    http = 401


def _me(site: Site, visitor: Visitor) -> dict[str, Json]:
    return {
        "principal": visitor.principal,
        "sharing": site.visitors.tokens,
        "build": site.assets.build,
        "v": VERSION,
        "uploadLimitBytes": site.uploads.files.limit_bytes,
    }


def _slow_down(site: Site, visitor: Visitor) -> None:
    bucket = site.buckets.setdefault(
        visitor.principal, Bucket(site.clock, UPLOADS_AT_ONCE, UPLOADS_A_SECOND)
    )
    if not bucket.take():
        raise InputRefused("RATE_LIMITED", "too many files")


def _failed(site: Site, request: web.Request, caught: Caught) -> web.Response:
    """An error as JSON: a stable code, and what to say in the page's language."""
    error = caught.error
    params: dict[str, Json] = {}
    code, status = "INTERNAL", 500
    if isinstance(error, GatewayError):
        code, status = error.code, error.http
    elif isinstance(error, web.HTTPException):  # no WebSocket where one is spoken
        code, status = ValidationFailed.code, error.status
    if status >= 500:
        params["errorId"] = site.report("web", error)
    language = known_language(request.headers.get("Accept-Language", "en"))
    text = notice_text(code, params, language)
    return _json({"code": code, "params": params, "text": text}, status)


def _json(data: Json, status: int = 200) -> web.Response:
    headers = {**SECURITY, "Cache-Control": "no-store"}
    return web.json_response(data, status=status, headers=headers)
