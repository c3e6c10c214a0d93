"""A store that fails on demand: a full disk, a lock, a damaged file."""

from __future__ import annotations

import asyncio
from typing import Any

from gateway.core.errors import StoreFailed

WRITES = frozenset({"accept", "commit", "acquire", "make_thread", "delete_thread"})


class FailingStore:
    """`inner`, save that while `code` is set every write fails with it, and reads too with `reads`.

    `writes_left` lets so many writes through before that.
    """

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.code = ""
        self.reads = False
        self.writes_left = 0
        self.failed = 0

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.inner, name)

        async def call(*args: Any, **kwargs: Any) -> Any:
            if self.code and name != "close" and (self.reads or name in WRITES):
                self._fail(name)
            return await method(*args, **kwargs)

        return call if asyncio.iscoroutinefunction(method) else method

    def _fail(self, name: str) -> None:
        if name in WRITES and self.writes_left > 0:
            self.writes_left -= 1
            return
        self.failed += 1
        raise StoreFailed(self.code, f"{self.code}: {name}")
