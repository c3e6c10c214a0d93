"""Stores that misbehave: pass one as `wrap` of a `Desk`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from gateway.ports.store import SaveQuestion, SaveRun, Write
from tests.acceptance.scripted import Gate
from tests.fakes.failing_store import FailingStore


class HoldingStore:
    """Holds commits back from `hold` to `release`: a thread's actor waits, its mailbox fills.

    `hold_accepts` to `release_accepts` do the same to the storing of new inputs; an error given to
    `release_accepts` is what became of those that waited.
    """

    def __init__(self) -> None:
        self.waiting = 0
        self._store: Any = None
        self._commits, self._accepts = asyncio.Event(), asyncio.Event()
        self._commits.set()
        self._accepts.set()
        self._error: Exception | None = None

    def __call__(self, store: Any) -> HoldingStore:
        """Put around this store, by `Desk(wrap=…)`."""
        self._store = store
        return self

    def hold(self) -> None:
        self._commits.clear()

    def release(self) -> None:
        self._commits.set()

    def hold_accepts(self) -> None:
        self._accepts.clear()

    def release_accepts(self, error: Exception | None = None) -> None:
        self._error = error
        self._accepts.set()

    async def accept(self, *args: Any) -> Any:
        if not self._accepts.is_set():
            await self._accepts.wait()
            if self._error is not None:
                raise self._error
        return await self._store.accept(*args)

    async def commit(self, *args: Any) -> Any:
        self.waiting += 1
        await self._commits.wait()
        self.waiting -= 1
        return await self._store.commit(*args)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class StuckThenFailing(HoldingStore):
    """Holds commits back as well; while `failing.code` is set, writes fail with that."""

    def __call__(self, store: Any) -> StuckThenFailing:
        self.failing = FailingStore(store)
        super().__call__(self.failing)
        return self


def ends(write: Write) -> bool:
    """Whether a run has ended with this."""
    return isinstance(write, SaveRun) and write.row.end is not None


def asks(write: Write) -> bool:
    """Whether a question is asked by this."""
    return isinstance(write, SaveQuestion) and write.question.armed_at is None


class SlowToTell(HoldingStore):
    """Holds back what `of` is said of (the end of a run), and that was stored at once: only its
    actor doesn't know yet; of inputs, from `hold_accepts` on, whoever said them. `held` is set by
    then.
    """

    def __init__(self, of: Callable[[Write], bool] = ends) -> None:
        super().__init__()
        self.held = asyncio.Event()
        self._of = of

    async def accept(self, *args: Any) -> Any:
        made = await self._store.accept(*args)
        if not self._accepts.is_set():
            self.held.set()
            await self._accepts.wait()
        return made

    async def commit(self, thread: str, epoch: int, writes: Sequence[Write]) -> None:
        await self._store.commit(thread, epoch, writes)
        if any(self._of(write) for write in writes):
            self.held.set()
            await self._commits.wait()


class SlowReads:
    """Of these methods of the store the one that is called second waits at `second`, once it is
    set.
    """

    def __init__(self, *methods: str) -> None:
        self.second: Gate | None = None
        self._methods = methods
        self._calls = 0
        self._store: Any = None

    def __call__(self, store: Any) -> SlowReads:
        """Put around this store, by `Desk(wrap=…)`."""
        self._store = store
        return self

    def __getattr__(self, name: str) -> Any:
        read = getattr(self._store, name)

        async def slowly(*args: Any, **kwargs: Any) -> Any:
            self._calls += self.second is not None
            if self.second is not None and self._calls == 2:
                await self.second.wait()
            return await read(*args, **kwargs)

        return slowly if name in self._methods else read


class SlowRead:
    """One method of the store waits at `gate`, while one is set."""

    def __init__(self, method: str) -> None:
        self.gate: Gate | None = None
        self._method = method
        self._store: Any = None

    def __call__(self, store: Any) -> SlowRead:
        """Put around this store, by `Desk(wrap=…)`."""
        self._store = store
        return self

    def __getattr__(self, name: str) -> Any:
        read = getattr(self._store, name)

        async def slowly(*args: Any, **kwargs: Any) -> Any:
            if self.gate is not None:
                await self.gate.wait()
            return await read(*args, **kwargs)

        return slowly if name == self._method else read
