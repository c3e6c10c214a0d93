"""Telegram's own tables on a disk that is full for some of their writes and reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gateway.core.errors import StoreFailed


class FailingTables:
    """`inner`, save that the next `times` calls of each method in `fails` fail."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.fails: dict[str, int] = {}

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.inner, name)

        async def call(*args: Any, **kwargs: Any) -> Any:
            if self.fails.get(name, 0) > 0:
                self.fails[name] -= 1
                raise StoreFailed("STORE_FULL", name)
            return await method(*args, **kwargs)

        return call


def failing(made: list[FailingTables]) -> Callable[[Any], Any]:
    """What a desk wraps its store with."""

    def wrap(store: Any) -> Any:
        store.telegram = FailingTables(store.telegram)
        made.append(store.telegram)
        return store

    return wrap
