"""A whole engine for a test: real SQLite, real actors and runs, fake channels, a scripted model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

from gateway import commanding
from gateway.access import Access
from gateway.core.log import history, path
from gateway.core.messages import Json, Message, ToolCall
from gateway.core.queueing import Priority
from gateway.entering import Receipt
from gateway.policy import Policy
from gateway.ports.channel import Notice
from gateway.ports.model import CallDelta, Finished, ModelEvent, ModelRequest, TextDelta
from gateway.ports.rows import InputKind, InputRow, NewInput, Outcome, ThreadRow
from gateway.router import Router
from gateway.runs.agent import Agent
from gateway.runs.runtime import Runtime
from gateway.runs.tools import Tool
from gateway.state import Wiring
from gateway.store.sqlite import SqliteStore, StoreWarning
from gateway.supervise import Slots, Supervisor
from tests.builders import CountingIds, LoopClock
from tests.fakes.channel import FakeChannel

Step = Sequence[object]
"""One model call: str = text, float = a wait in seconds, ToolCall = a call, Exception = raised."""


class Script:
    """A model that plays one step a call; after the last it repeats the last."""

    def __init__(self, *steps: Step | Callable[[ModelRequest], Step]) -> None:
        self.steps = list(steps)
        self.requests: list[ModelRequest] = []
        self.closed = 0

    @asynccontextmanager
    async def stream(self, request: ModelRequest) -> AsyncIterator[AsyncIterator[ModelEvent]]:
        self.requests.append(request)
        wanted = self.steps[min(len(self.requests), len(self.steps)) - 1]
        step = wanted(request) if callable(wanted) else wanted
        try:
            yield self._play(step)
        finally:
            self.closed += 1

    async def _play(self, step: Step) -> AsyncIterator[ModelEvent]:
        for item in step:
            if isinstance(item, str):
                yield TextDelta(item)
            elif isinstance(item, float):
                await asyncio.sleep(item)
            elif isinstance(item, ToolCall):
                yield CallDelta(item)
            elif isinstance(item, Exception):
                raise item
        yield Finished()


_calls = count(1)


def call(name: str, **arguments: Json) -> ToolCall:
    """A tool call with an id of its own."""
    return ToolCall(f"call_{next(_calls)}", name, arguments)


class Mortal:
    """The store of a process that can die: from then on no call of it returns."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self.dead = False

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.store, name)

        async def mortal(*args: Any, **kwargs: Any) -> Any:
            if self.dead:
                await asyncio.Event().wait()
            result = await method(*args, **kwargs)
            if self.dead:
                await asyncio.Event().wait()
            return result

        return mortal


class Desk:
    """One process of the gateway in a test."""

    def __init__(
        self, router: Router, store: Mortal, supervisor: Supervisor, first_id: int = 1
    ) -> None:
        self.router = router
        self.store = store
        self.supervisor = supervisor
        self.errors: list[tuple[str, BaseException]] = []
        self._ids = count(first_id)

    @property
    def channel(self) -> FakeChannel:
        channel = self.router.wiring.channels["fake"]
        assert isinstance(channel, FakeChannel)
        return channel

    async def say(
        self,
        text: str,
        *,
        by: str = "ann",
        thread: str = "fake:1",
        kind: InputKind = InputKind.TEXT,
        override: Priority | None = None,
        channel: str = "fake",
        dedup: str | None = None,
        **more: Any,
    ) -> Receipt:
        """Hand a message in, as a channel would."""
        new = NewInput(
            dedup=dedup or f"fake:bot:{next(self._ids)}",
            thread=thread,
            channel=channel,
            principal=by,
            text=text,
            kind=kind,
            override=override,
            sender=by,
            **more,
        )
        return await self.router.accept(new)

    async def share(self, thread: str = "fake:1", owner: str = "ann") -> None:
        """Make a shared thread."""
        now = self.router.wiring.clock.now()
        await self.store.make_thread(
            ThreadRow(id=thread, private=False, owner=owner, created_at=now)
        )

    async def row(self, receipt: Receipt) -> InputRow:
        """The input's row as it is stored now."""
        assert receipt.row is not None, receipt
        rows = await self.store.inputs(receipt.row.new.thread)
        return next(row for row in rows if row.seq == receipt.row.seq)

    async def outcome(self, receipt: Receipt) -> Outcome | None:
        return (await self.row(receipt)).outcome

    async def history(self, thread: str = "fake:1") -> list[Message]:
        row = await self.store.thread(thread)
        assert row is not None
        entries = await self.store.entries(thread)
        return list(history(path(entries, row.leaf)))

    async def settle(self, seconds: float = 30.0) -> None:
        """Let (virtual) time pass."""
        await asyncio.sleep(seconds)

    def told(self, code: str) -> list[Notice]:
        return [notice for notice in self.channel.notices if notice.code == code]

    async def kill(self) -> None:
        """The process is gone: nothing more is stored, run or told."""
        self.store.dead = True
        self.router._closing = True
        self.router.expiry.close()
        await self.supervisor.settle(0)
        await self.store.store.close()

    async def close(self) -> None:
        await self.router.shutdown(10.0)
        await self.supervisor.settle(5.0)
        await self.store.close()


async def open_desk(
    file: Path,
    agent: Agent,
    *,
    policy: Policy | None = None,
    access: Access | None = None,
    channels: Mapping[str, FakeChannel] | None = None,
    limit: int = 100,
    first_id: int = 1,
    clock: LoopClock | None = None,
) -> Desk:
    """Start a process on a file: what is in it is recovered. After another one on the same file it
    goes by that one's clock, and its ids begin elsewhere.
    """
    clock = clock or LoopClock()
    ids = CountingIds(first_id)
    errors: list[tuple[str, BaseException]] = []

    def report(where: str, error: BaseException) -> str:
        errors.append((where, error))
        return f"error-{len(errors)}"

    def note(where: str, error: BaseException) -> None:
        if not isinstance(error, StoreWarning):
            report(where, error)

    supervisor = Supervisor(note)
    store = Mortal(await SqliteStore.open(file, owner="node", clock=clock, report=note))
    runtime = Runtime(supervisor=supervisor, clock=clock, ids=ids, report=note)
    named = dict(channels or {"fake": FakeChannel("fake", share=1.0)})

    def wire(router: Router) -> Wiring:
        return Wiring(
            store=store,
            clock=clock,
            ids=ids,
            agent=agent.with_runtime(runtime),
            channels=named,
            access=access or Access(open_channels=named, approvers=("boss",)),
            supervisor=supervisor,
            slots=Slots(limit),
            policy=policy or Policy(),
            commands=commanding.handle,
            elsewhere=router.asked_elsewhere,
            expiry=router.expiry_changed,
            report=report,
            metrics=lambda name, labels, value: None,
            listed=lambda people: None,
            ended=lambda run: None,
        )

    router = Router(wire, "node")
    for channel in named.values():
        channel.settle = router.settled
    desk = Desk(router, store, supervisor, first_id)
    desk.errors = errors
    await router.restore()
    await router.recover()
    return desk


def agent_of(model: Script, *tools: Tool, **options: Any) -> Agent:
    """The agent under test."""
    return Agent("tester", model, "Be brief.", tools, **options)
