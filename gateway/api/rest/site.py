"""The routes of the API: its operations, its document, and a page to try it on."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from aiohttp import web

from gateway.api.gate import Gate, Served
from gateway.api.problems import Report, answer, problem_of
from gateway.api.rest.operation import Operation
from gateway.core.errors import NotFound, RequestRefused
from gateway.ports.tokens import Scope

TYPES: Final = {
    "index.html": "text/html; charset=utf-8",
    "try.js": "text/javascript; charset=utf-8",
    "try.css": "text/css; charset=utf-8",
}
_PART: Final = re.compile(r"\{(\w+)\}")
POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ]
)
SECURITY: Final[Mapping[str, str]] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


def rest_routes(
    gate: Gate,
    operations: Sequence[Operation],
    document: Mapping[str, Any],
    report: Report,
    files_bytes: int,
) -> list[web.RouteDef]:
    """Every route under `/v1`; what is none of them is a problem too."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    made = [
        web.route(one.method, _pattern(one.path), gate.route(Scope.API, one.handle, more))
        for one in operations
        for more in [files_bytes if one.file and one.json else 0]
    ]
    made += [web.options(path, gate.preflight) for path in {_pattern(o.path) for o in operations}]
    made.append(_asset("/v1/openapi.json", text.encode(), "application/json"))
    folder = files("gateway.api.rest") / "page"
    for name, media_type in TYPES.items():
        path = "/v1/docs" if name == "index.html" else f"/v1/docs/{name}"
        made.append(_asset(path, (folder / name).read_bytes(), media_type))
    other = _elsewhere(gate, operations, report)
    return [*made, web.route("*", "/v1/{rest:.*}", other), web.route("*", "/v1", other)]


def _pattern(path: str) -> str:
    """The path as the server reads it: a part may hold anything but a slash."""
    return _PART.sub(r"{\1:[^/]+}", path)


@cache
def _packed(body: bytes) -> tuple[bytes, str]:
    """The body as it is sent compressed, and its ETag."""
    return gzip.compress(body, 9, mtime=0), f'"{hashlib.sha256(body).hexdigest()[:20]}"'


def _asset(path: str, body: bytes, media_type: str) -> web.RouteDef:
    zipped, etag = _packed(body)

    async def serve(request: web.Request) -> web.Response:
        headers = {**SECURITY, "ETag": etag, "Vary": "Accept-Encoding"}
        if request.headers.get("If-None-Match") == etag:
            return web.Response(status=304, headers=headers)
        headers["Content-Type"] = media_type
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            return web.Response(body=zipped, headers={**headers, "Content-Encoding": "gzip"})
        return web.Response(body=body, headers=headers)

    return web.get(path, serve)


def _elsewhere(gate: Gate, operations: Sequence[Operation], report: Report) -> Served:
    forms: dict[str, list[str]] = {"/v1/openapi.json": ["GET"], "/v1/docs": ["GET"]}
    for operation in operations:
        forms.setdefault(operation.path, []).append(operation.method)
    known = [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), does) for path, does in forms.items()]

    async def serve(request: web.Request) -> web.StreamResponse:
        allowed = [
            m for form, does in known if form.fullmatch(request.rel_url.raw_path) for m in does
        ]
        if allowed:
            error: Exception = RequestRefused(
                "METHOD_NOT_ALLOWED", f"it takes {', '.join(allowed)}"
            )
            headers = {"Allow": ", ".join(allowed)}
        else:
            error, headers = NotFound("there is no such path"), {}
        return answer(problem_of(error, report, "elsewhere"), {**headers, **gate.cors(request)})

    return serve
