"""Access tokens: who may come in where it is not for this machine's user alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol


class Scope(StrEnum):
    """The doors that a token opens."""

    PAGE = "page"
    API = "api"
    AGUI = "agui"
    MCP = "mcp"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessToken:
    """A token by the SHA-256 of its secret; the secret itself is kept nowhere.

    Whoever has the secret is `principal` at the doors of `scopes`, until `revoked_at`.
    """

    digest: str
    principal: str
    created_at: datetime
    revoked_at: datetime | None = None
    scopes: frozenset[Scope] = frozenset({Scope.PAGE})


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
