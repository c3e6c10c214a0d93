"""Stores that misbehave: pass one as `wrap` of a `Desk`."""

from __future__ import annotations

import asyncio
from typing import Any


class HoldingStore:
    """Holds commits back while `hold` is set: a thread's actor waits, its mailbox fills."""

    def __init__(self) -> None:
        self.waiting = 0
        self._store: Any = None
        self._go_on = asyncio.Event()
        self._go_on.set()

    def __call__(self, store: Any) -> HoldingStore:
        """Put around this store, by `Desk(wrap=…)`."""
        self._store = store
        return self

    def hold(self) -> None:
        self._go_on.clear()

    def release(self) -> None:
        self._go_on.set()

    async def commit(self, *args: Any) -> Any:
        self.waiting += 1
        await self._go_on.wait()
        self.waiting -= 1
        return await self._store.commit(*args)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)
