"""Access tokens: who may open the page where it is not for this machine's user alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessToken:
    """A token by the SHA-256 of its secret; the secret itself is kept nowhere.

    Whoever has the secret is `principal`, until `revoked_at`.
    """

    digest: str
    principal: str
    created_at: datetime
    revoked_at: datetime | None = None


class Tokens(Protocol):
    """Where access tokens are kept."""

    async def add_token(self, token: AccessToken) -> None:
        """Keep a token."""

    async def tokens(self) -> list[AccessToken]:
        """Every token, also revoked ones, in the order made."""

    async def token(self, digest: str) -> AccessToken | None:
        """The token with this digest."""

    async def revoke_tokens(self, principal: str, at: datetime) -> list[str]:
        """Revoke every token of a person; the digests of those that were valid until now."""
