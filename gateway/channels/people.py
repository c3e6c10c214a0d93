"""Who may open the page by a link, and which conversations were shared by one."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Awaitable, Callable
from typing import Any

from gateway.channels.pairing import Pairing
from gateway.core.errors import AccessDenied, NotFound, ValidationFailed
from gateway.core.interrupts import iso
from gateway.core.messages import Json
from gateway.ports.clock import Clock, Ids
from gateway.ports.rows import ThreadRow
from gateway.ports.store import Store
from gateway.ports.tokens import AccessToken, Tokens

NAME = re.compile(r"[\w.@+-]{1,64}")
SHARE = "share"
"""Under this name a thread's settings keep the SHA-256 of its link's secret."""

Ask = Callable[[str, Callable[[Any, Any], object]], Awaitable[Any]]
"""Runs a function of state and work in a thread's actor."""


def digest_of(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


class Keys:
    """Access tokens. `on_revoked` is told the digests of those that end."""

    def __init__(self, tokens: Tokens, clock: Clock, ids: Ids) -> None:
        self.on_revoked: Callable[[list[str]], None] = _nobody_leaves
        self._tokens = tokens
        self._clock = clock
        self._ids = ids

    async def create(self, name: str) -> str:
        """A new token's secret, for this person.

        Raises:
            ValidationFailed: it is no name.
        """
        if not NAME.fullmatch(name):
            raise ValidationFailed("a name has 1 to 64 letters, digits or . _ @ + -")
        secret = self.secret()
        now = self._clock.now()
        token = AccessToken(digest=digest_of(secret), principal=name, created_at=now)
        await self._tokens.add_token(token)
        return secret

    async def revoke(self, name: str) -> int:
        """Revoke all tokens of a person; how many were valid. Their pages are closed.

        Raises:
            NotFound: they have none.
        """
        digests = await self._tokens.revoke_tokens(name, self._clock.now())
        if not digests:
            raise NotFound(f"{name} has no valid token")
        self.on_revoked(digests)
        return len(digests)

    async def listed(self) -> list[Json]:
        """Every token without its secret."""
        return [
            {
                "name": token.principal,
                "createdAt": iso(token.created_at),
                "revokedAt": iso(token.revoked_at),
            }
            for token in await self._tokens.tokens()
        ]

    async def known(self) -> bool:
        """Whether anybody has a valid token."""
        return any(token.revoked_at is None for token in await self._tokens.tokens())

    async def holder(self, secret: str) -> AccessToken | None:
        """The valid token with this secret."""
        digest = digest_of(secret)
        token = await self._tokens.token(digest)
        if token is None or token.revoked_at is not None:
            return None
        return token if hmac.compare_digest(token.digest, digest) else None

    def secret(self) -> str:
        """244 random bits."""
        return f"{self._ids.uuid()}{self._ids.uuid()}".replace("-", "")


class People(Keys):
    """Tokens, conversations that are shared by a link, pairing by codes."""

    def __init__(self, tokens: Tokens, store: Store, ask: Ask, clock: Clock, ids: Ids) -> None:
        super().__init__(tokens, clock, ids)
        self.pairing: Pairing | None = None
        self._store = store
        self._ask = ask

    async def may_open(self, thread: str, principal: str, channel: str) -> bool:
        """Whether this person may open a thread by its name: one of their own names, or one that
        is there (whether they may look at it is the engine's to say).
        """
        own = f"{channel}:{principal}"
        if not thread or thread == own or thread.startswith(f"{own}:"):
            return True
        return await self._store.thread(thread) is not None

    async def share(self, thread: str, principal: str) -> str:
        """A link's secret; whoever opens it becomes a member. An earlier link ends.

        Raises:
            NotFound, AccessDenied: no such thread, or it is somebody else's.
        """
        row = await self._own(thread, principal)
        secret = self.secret()
        members = row.members or (row.owner,)
        await self._change(thread, members, digest_of(secret))
        return secret

    async def join(self, thread: str, principal: str, secret: str) -> None:
        """Become a member of a shared thread.

        Raises:
            AccessDenied: the link is not, or no longer, valid.
        """
        row = await self._store.thread(thread)
        kept = None if row is None else row.settings.get(SHARE)
        if row is None or not isinstance(kept, str):
            raise AccessDenied("this link is not valid any more")
        if not hmac.compare_digest(kept, digest_of(secret)):
            raise AccessDenied("this link is not valid any more")
        if principal not in row.members and principal != row.owner:
            await self._change(thread, (*row.members, principal), kept)

    async def unshare(self, thread: str, principal: str) -> None:
        """Make a thread private again; its link ends.

        Raises:
            NotFound, AccessDenied: no such thread, or it is somebody else's.
        """
        await self._own(thread, principal)
        await self._change(thread, (), None)

    async def _own(self, thread: str, principal: str) -> ThreadRow:
        row = await self._store.thread(thread)
        if row is None:
            raise NotFound(f"no thread {thread}")
        if row.owner != principal:
            raise AccessDenied(f"{thread} is not {principal}'s")
        return row

    async def _change(self, thread: str, members: tuple[str, ...], share: str | None) -> None:
        def change(state: Any, work: Any) -> None:
            settings = {**state.thread.settings, SHARE: share}
            state.save_thread(work, private=share is None, members=members, settings=settings)

        await self._ask(thread, change)


def _nobody_leaves(digests: list[str]) -> None:
    """Stands in until the web server says how pages are closed."""
