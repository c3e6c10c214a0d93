"""The page's files: read at each start, compressed once a process, each with its ETag."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from aiohttp import web

TYPES: Mapping[str, str] = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
PAGE = "index.html"
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data: blob:",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ]
)
SECURITY: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(self)",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is sent."""

    body: bytes
    zipped: bytes
    media_type: str
    etag: str


class Assets:
    """The files by their path below `/`; `build` changes whenever one of them does."""

    def __init__(self) -> None:
        root = files("gateway.channels") / "web"
        raw = dict(sorted(_read(root, "")))
        self.build = hashlib.sha256(repr(sorted(raw.items())).encode()).hexdigest()[:12]
        raw[PAGE] = raw[PAGE].replace(b"{build}", self.build.encode())
        self._assets = {path: _asset(path, body) for path, body in raw.items()}

    def paths(self) -> list[str]:
        """The paths of all files."""
        return list(self._assets)

    def respond(self, request: web.Request, path: str) -> web.Response:
        """The file, or 304 where the browser has it."""
        asset = self._assets[path]
        headers = {**SECURITY, "ETag": asset.etag, "Cache-Control": "no-cache"}
        if request.headers.get("If-None-Match") == asset.etag:
            return web.Response(status=304, headers=headers)
        headers |= {"Content-Type": asset.media_type, "Vary": "Accept-Encoding"}
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            return web.Response(body=asset.zipped, headers={**headers, "Content-Encoding": "gzip"})
        return web.Response(body=asset.body, headers=headers)


def _read(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    found = []
    for item in folder.iterdir():
        if item.is_dir():
            found += _read(item, f"{prefix}{item.name}/")
        elif item.name.rpartition(".")[2] in TYPES:
            found.append((prefix + item.name, item.read_bytes()))
    return found


@cache
def _asset(path: str, body: bytes) -> Asset:
    etag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    media_type = TYPES[path.rpartition(".")[2]]
    return Asset(body, gzip.compress(body, 9, mtime=0), media_type, etag)
