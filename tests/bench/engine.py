"""A whole engine in real time, for figures: real SQLite, real runs, a channel that takes all."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gateway import commanding
from gateway.access import Access
from gateway.api.library import LibraryChannel
from gateway.clock import SystemClock, SystemIds
from gateway.policy import Policy
from gateway.ports.channel import Update
from gateway.ports.rows import InputKind, NewInput
from gateway.ports.store import Store, Write
from gateway.router import Receipt, Router
from gateway.runs.agent import Agent
from gateway.runs.runtime import Runtime
from gateway.state import Wiring
from gateway.store.sqlite import SqliteStore
from gateway.supervise import Slots, Supervisor, spare_collector


class Counting:
    """A store that counts its commits, and lets somebody wait for a kind of write."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self.commits = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    async def accept(self, *given: Any) -> Any:
        self.commits += 1
        return await self.store.accept(*given)

    async def commit(self, thread: str, epoch: int, writes: Sequence[Write]) -> None:
        self.commits += 1
        await self.store.commit(thread, epoch, writes)


class Watched(LibraryChannel):
    """The library's channel, with futures for the update that somebody waits for."""

    def __init__(self) -> None:
        super().__init__()
        self._wanted: dict[str, list[tuple[str, dict[str, Any], asyncio.Future[None]]]] = {}

    def wait(self, thread: str, **wanted: Any) -> asyncio.Future[None]:
        """Done with the thread's next update that has these values."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._wanted.setdefault(thread, []).append((wanted.pop("type"), wanted, future))
        return future

    def update(self, update: Update) -> None:
        waiting = self._wanted.get(update.thread, [])
        alike = [one for one in waiting if one[0] == update.type]
        for one in alike:
            if all(update.data.get(name) == value for name, value in one[1].items()):
                waiting.remove(one)
                one[2].set_result(None)


class Bench:
    """One process of the gateway, driven as a channel would."""

    def __init__(
        self, router: Router, store: Counting, supervisor: Supervisor, channel: Watched
    ) -> None:
        self.router = router
        self.store = store
        self.supervisor = supervisor
        self.channel = channel
        self._ids = itertools.count()

    @classmethod
    async def open(cls, file: Path, agent: Agent, policy: Policy | None = None) -> Bench:
        """Start on a file."""

        def report(where: str, error: BaseException) -> str:
            if not isinstance(error, Warning):
                print(f"{where}: {error!r}")
            return ""

        def failed(where: str, error: BaseException) -> None:
            report(where, error)

        clock, ids, supervisor = SystemClock(), SystemIds(), Supervisor(failed)
        store = Counting(await SqliteStore.open(file, owner="bench", clock=clock, report=failed))
        runtime = Runtime(supervisor=supervisor, clock=clock, ids=ids, report=failed)
        channel = Watched()
        typed: Store = store

        def wire(router: Router) -> Wiring:
            return Wiring(
                store=typed,
                clock=clock,
                ids=ids,
                agent=agent.with_runtime(runtime),
                channels={"api": channel},
                access=Access(open_channels=("api",)),
                supervisor=supervisor,
                slots=Slots(1_000),
                policy=policy or Policy(),
                commands=commanding.handle,
                elsewhere=router.asked_elsewhere,
                expiry=router.expiry_changed,
                report=report,
                metrics=lambda name, labels, value: None,
                listed=lambda people: None,
                ended=lambda run: None,
            )

        router = Router(wire, "bench")
        await router.recover()
        spare_collector()  # as `serve` does
        return cls(router, store, supervisor, channel)

    def say(self, thread: str, text: str, kind: InputKind = InputKind.TEXT) -> Any:
        """Hand in a message; its receipt is awaited."""
        new = NewInput(
            dedup=f"api:bench:{next(self._ids)}",
            thread=thread,
            channel="api",
            principal="p",
            text=text,
            kind=kind,
        )
        return self.router.accept(new)

    def until(self, thread: str, **wanted: Any) -> asyncio.Future[None]:
        """The thread's next update that has these values."""
        return self.channel.wait(thread, **wanted)

    async def close(self) -> None:
        await self.router.shutdown(10.0)
        await self.supervisor.settle(5.0)
        await self.store.store.close()


__all__ = ["Bench", "Counting", "Receipt"]
