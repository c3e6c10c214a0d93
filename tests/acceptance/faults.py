"""Stores that misbehave: pass one as `wrap` of a `Desk`."""

from __future__ import annotations

import asyncio
from typing import Any


class HoldingStore:
    """Holds commits back from `hold` to `release`: a thread's actor waits, its mailbox fills; from
    `hold_accepts` on also the storing of new inputs.
    """

    def __init__(self) -> None:
        self.waiting = 0
        self._store: Any = None
        self._accepts = False
        self._go_on = asyncio.Event()
        self._go_on.set()

    def __call__(self, store: Any) -> HoldingStore:
        """Put around this store, by `Desk(wrap=…)`."""
        self._store = store
        return self

    def hold(self) -> None:
        self._go_on.clear()

    def hold_accepts(self) -> None:
        self._accepts = True
        self._go_on.clear()

    def release(self) -> None:
        self._accepts = False
        self._go_on.set()

    async def accept(self, *args: Any) -> Any:
        if self._accepts:
            await self._go_on.wait()
        return await self._store.accept(*args)

    async def commit(self, *args: Any) -> Any:
        self.waiting += 1
        await self._go_on.wait()
        self.waiting -= 1
        return await self._store.commit(*args)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)
