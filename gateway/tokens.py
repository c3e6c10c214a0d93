"""Access tokens: made, listed, revoked and recognised; of a secret only its digest is kept."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Iterable

from gateway.core.errors import NotFound, ValidationFailed
from gateway.core.interrupts import iso
from gateway.core.messages import Json
from gateway.ports.clock import Clock, Ids
from gateway.ports.tokens import AccessToken, Scope, Tokens

NAME = re.compile(r"[\w.@+-]{1,64}")
"""What a person may be called who is let in by a token or by a proxy."""


def scopes_of(text: str) -> frozenset[Scope]:
    """The scopes named in a text, parted by spaces or commas; the page's where it names none.

    Raises:
        ValidationFailed: there is no such scope.
    """
    names = text.replace(",", " ").split()
    for name in names:
        if name not in list(Scope):
            raise ValidationFailed(f"scope: {name} is none of {', '.join(Scope)}")
    return frozenset(Scope(name) for name in names) or frozenset({Scope.PAGE})


def digest_of(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


class Keys:
    """Access tokens. Each of `on_revoked` is told the digests of those that end."""

    def __init__(self, tokens: Tokens, clock: Clock, ids: Ids) -> None:
        self.on_revoked: list[Callable[[list[str]], None]] = []
        self._tokens = tokens
        self._clock = clock
        self._ids = ids

    async def create(self, name: str, scopes: Iterable[Scope] = (Scope.PAGE,)) -> str:
        """A new token's secret, for this person and these doors.

        Raises:
            ValidationFailed: it is no name.
        """
        if not NAME.fullmatch(name):
            raise ValidationFailed("a name has 1 to 64 letters, digits or . _ @ + -")
        secret = self.secret()
        now = self._clock.now()
        token = AccessToken(
            digest=digest_of(secret), principal=name, created_at=now, scopes=frozenset(scopes)
        )
        await self._tokens.add_token(token)
        return secret

    async def revoke(self, name: str) -> int:
        """Revoke all tokens of a person; how many were valid. What they have open is closed.

        Raises:
            NotFound: they have none.
        """
        digests = await self._tokens.revoke_tokens(name, self._clock.now())
        if not digests:
            raise NotFound(f"{name} has no valid token")
        for told in self.on_revoked:
            told(digests)
        return len(digests)

    async def listed(self) -> list[Json]:
        """Every token without its secret."""
        return [
            {
                "name": token.principal,
                "scopes": [*sorted(token.scopes)],
                "createdAt": iso(token.created_at),
                "revokedAt": iso(token.revoked_at),
            }
            for token in await self._tokens.tokens()
        ]

    async def known(self, scope: Scope) -> bool:
        """Whether anybody has a valid token for this door."""
        tokens = await self._tokens.tokens()
        return any(token.revoked_at is None and scope in token.scopes for token in tokens)

    async def holder(self, secret: str) -> AccessToken | None:
        """The valid token with this secret; which doors it opens, its `scopes` say."""
        digest = digest_of(secret)
        token = await self._tokens.token(digest)
        if token is None or token.revoked_at is not None:
            return None
        return token if hmac.compare_digest(token.digest, digest) else None

    def secret(self) -> str:
        """244 random bits."""
        return f"{self._ids.uuid()}{self._ids.uuid()}".replace("-", "")
