"""Who calls over HTTP: the holder of a token, whom a proxy vouches for, or this machine's user."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

from gateway.core.errors import OriginRefused, ScopeMissing, Unauthenticated
from gateway.ports.clock import Clock
from gateway.ports.tokens import Scope
from gateway.tokens import NAME, Keys

PRINCIPAL_HEADER: Final = "Bargein-Principal"
SIGNATURE_HEADER: Final = "Bargein-Signature"
SIGNATURE_SECONDS: Final = 60
"""How far a signature's time may lie from ours."""
HOME_NAMES: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
PROGRAMS: Final = frozenset({Scope.API, Scope.AGUI, Scope.MCP})
"""What a proxy and this machine's user may use."""
_SIGNATURE = re.compile(r"t=(\d{1,12}),v1=([0-9a-f]{64})")
_BEARER = re.compile(r"[Bb]earer +([\w~+/.=-]{1,256})")


def _here() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Caller:
    """A person at the API. `token` is the digest of what let them in, "" where no token did;
    `here`: whether their connection is there, where that is one of this request alone.
    """

    principal: str
    scopes: frozenset[Scope]
    token: str = ""
    here: Callable[[], bool] = field(default=_here, compare=False)


def signature(
    secret: str, *, seconds: int, method: str, target: str, principal: str, body: bytes
) -> str:
    """What a proxy sends as `Bargein-Signature` for a request: HMAC-SHA256 over its time (seconds
    since 1970), method, path with query, the person's name and the body's SHA-256, one a line.
    """
    digest = hashlib.sha256(body).hexdigest()
    said = "\n".join([str(seconds), method, target, principal, digest])
    made = hmac.new(secret.encode(), said.encode(), hashlib.sha256).hexdigest()
    return f"t={seconds},v1={made}"


class Authenticator:
    """Recognises callers. `home` is who calls without a token where only this machine can call at
    all; None where everybody needs one.
    """

    def __init__(
        self,
        keys: Keys,
        clock: Clock,
        *,
        home: str | None,
        proxy_secret: str | None = None,
        origins: tuple[str, ...] = (),
        public_url: str | None = None,
    ) -> None:
        self._keys = keys
        self._clock = clock
        self._home = home
        self._proxy_secret = proxy_secret
        self._origins = frozenset(origins)
        self._public_url = public_url

    def signed(self, request: web.Request) -> bool:
        """Whether a proxy vouches for somebody; `caller` needs the body then."""
        return PRINCIPAL_HEADER in request.headers or SIGNATURE_HEADER in request.headers

    async def caller(self, request: web.Request, scope: Scope, body: bytes = b"") -> Caller:
        """Who sends a request, if they may use this door.

        Raises:
            Unauthenticated: nobody is known by it. ScopeMissing: they may use other doors only.
        """
        caller = await self._known(request, body)
        if scope not in caller.scopes:
            raise ScopeMissing(f"this token is not for {scope.value}", scope=scope.value)
        return caller

    async def _known(self, request: web.Request, body: bytes) -> Caller:
        authorization = request.headers.getall("Authorization", [])
        if self.signed(request):
            if authorization:
                raise Unauthenticated("both a token and a proxy's signature")
            return self._vouched(request, body)
        if authorization:
            return await self._holder(authorization)
        if self._home is not None and self._at_home(request.host):
            return Caller(self._home, PROGRAMS)
        raise Unauthenticated("a token is needed: Authorization: Bearer …")

    async def _holder(self, authorization: list[str]) -> Caller:
        found = _BEARER.fullmatch(authorization[0]) if len(authorization) == 1 else None
        token = None if found is None else await self._keys.holder(found[1])
        if token is None:
            raise Unauthenticated("this token is not, or no longer, valid")
        return Caller(token.principal, token.scopes, token.digest)

    def _vouched(self, request: web.Request, body: bytes) -> Caller:
        names = request.headers.getall(PRINCIPAL_HEADER, [])
        signatures = request.headers.getall(SIGNATURE_HEADER, [])
        if self._proxy_secret is None or len(names) != 1 or len(signatures) != 1:
            raise Unauthenticated("nobody is vouched for here this way")
        found = _SIGNATURE.fullmatch(signatures[0])
        if found is None or not NAME.fullmatch(names[0]):
            raise Unauthenticated("the signature or the name has the wrong form")
        seconds = int(found[1])
        target = request.raw_path
        wanted = signature(
            self._proxy_secret,
            seconds=seconds,
            method=request.method,
            target=target,
            principal=names[0],
            body=body,
        )
        if not hmac.compare_digest(wanted, signatures[0]):
            raise Unauthenticated("the signature does not fit the request")
        if abs(self._clock.now().timestamp() - seconds) > SIGNATURE_SECONDS:
            raise Unauthenticated("the signature is from another time")
        return Caller(names[0], PROGRAMS)

    # -- pages of other sites ------------------------------------------------------------------

    def check_origin(self, request: web.Request) -> str:
        """The other site whose page sent the request, "" where none did.

        Raises:
            OriginRefused: that site may not use this.
        """
        origin = request.headers.get("Origin")
        if origin is None:
            if request.headers.get("Sec-Fetch-Site", "none") in ("cross-site", "same-site"):
                raise OriginRefused("a page of another site may not use this")
            return ""
        if origin in self._origins:
            return origin
        if not self._own(origin, request.host):
            raise OriginRefused(f"pages of {origin[:100]} may not use this")
        return ""

    def _own(self, origin: str, host: str) -> bool:
        if self._public_url is not None and origin == self._public_url:
            return True
        return urlsplit(origin).netloc == host and urlsplit(origin).scheme in ("http", "https")

    def _at_home(self, host: str) -> bool:
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        return name in HOME_NAMES
