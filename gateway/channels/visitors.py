"""Who sends a web request, and whether it comes from our own page."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from aiohttp import web

from gateway.channels.people import People
from gateway.ports.tokens import AccessToken, Scope

COOKIE = "bargein"
YEAR_SECONDS = 365 * 24 * 3600
HOME_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})


@dataclass(frozen=True, slots=True)
class Visitor:
    """A person at a page; `token` is the digest of what let them in, "" at home."""

    principal: str
    token: str = ""


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address to listen on."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Visitors:
    """Recognises people: at home everybody is `local`; elsewhere by their token's cookie.

    At home a request must name this machine as its host, so that a name that somebody points here
    opens nothing.
    """

    def __init__(self, people: People, local: str, *, tokens: bool, public_url: str | None) -> None:
        self._people = people
        self._local = local
        self._public = None if public_url is None else urlsplit(public_url)
        self.tokens = tokens

    async def visitor(self, request: web.Request) -> Visitor | None:
        """Who it is; None where nobody may be let in."""
        if not self.tokens:
            return Visitor(self._local) if self._at_home(request.host) else None
        holder = await self._holder(request.cookies.get(COOKIE, ""))
        return None if holder is None else Visitor(holder.principal, holder.digest)

    async def _holder(self, secret: str) -> AccessToken | None:
        """The token with this secret, if it opens the page."""
        holder = await self._people.holder(secret)
        return holder if holder is not None and Scope.PAGE in holder.scopes else None

    def same_origin(self, headers: Mapping[str, str], host: str) -> bool:
        """Whether our own page sent it; browsers name the page's origin."""
        origin = urlsplit(headers.get("Origin", ""))
        if not origin.netloc:
            return False
        public = self._public
        if public is not None and (origin.scheme, origin.netloc) == (public.scheme, public.netloc):
            return True
        return origin.netloc == host and headers.get("Sec-Fetch-Site", "same-origin") in (
            "same-origin",
            "none",
        )

    async def let_in(self, request: web.Request) -> web.Response | None:
        """The answer to a link with a token: a cookie, and the page without it. None if no token
        is there; one that is not valid leads to the page too, which says so.
        """
        secret = request.query.get("token")
        if secret is None:
            return None
        response = web.Response(status=303, headers={"Location": "/", "Cache-Control": "no-store"})
        if await self._holder(secret) is not None:
            response.set_cookie(
                COOKIE,
                secret,
                max_age=YEAR_SECONDS,
                path="/",
                httponly=True,
                samesite="Strict",
                secure=self._public is not None and self._public.scheme == "https",
            )
        return response

    def _at_home(self, host: str) -> bool:
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        return name in HOME_NAMES
