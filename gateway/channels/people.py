"""Who may open the page by a link, and which conversations were shared by one."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable
from typing import Any

from gateway.channels.pairing import Pairing
from gateway.core.errors import AccessDenied, NotFound
from gateway.ports.clock import Clock, Ids
from gateway.ports.rows import ThreadRow
from gateway.ports.store import Store
from gateway.ports.tokens import Tokens
from gateway.tokens import Keys, digest_of

SHARE = "share"
"""Under this name a thread's settings keep the SHA-256 of its link's secret."""

Ask = Callable[[str, Callable[[Any, Any], object]], Awaitable[Any]]
"""Runs a function of state and work in a thread's actor."""


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
