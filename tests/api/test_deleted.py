"""A thread that goes while a program waits for a run on it: the handle's result is its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from gateway import Agent
from gateway.api.handles import ThreadHandle
from gateway.api.library import LibraryChannel, Watch
from gateway.app import App
from gateway.ports.rows import NewInput
from gateway.settings import Settings
from tests.acceptance.library import program, soon
from tests.acceptance.scripted import Gate, Script, call
from tests.builders import LoopClock
from tests.flows.asking import REGION, asker

pytestmark = pytest.mark.looptime


@asynccontextmanager
async def an_app(path: Path, agent: Agent) -> AsyncIterator[App]:
    settings = Settings(database=path / "a.db")
    app = App(settings, agent=agent, clock=LoopClock())
    await app.open()
    yield app
    await app.router.shutdown(10)
    await app.close()


async def said(app: App) -> ThreadHandle:
    """As `Gateway.start` does it, on an engine that others delete threads of."""

    async def never(thread: str, principal: str, run: str | None) -> None:
        raise AssertionError("nobody stops it")

    watch = app.library.watch(Watch("t", "d"))
    new = NewInput(
        dedup="d",
        thread="t",
        channel=LibraryChannel.name,
        principal="ann",
        sender="ann",
        text="go",
        how="api",
    )
    await app.router.accept(new)
    return ThreadHandle(app.router, watch, "ann", never)


@pytest.mark.parametrize("waits", [True, False])
async def test_a_running_run_ends_with_its_thread(tmp_path: Path, waits: bool) -> None:
    gate = Gate()
    async with an_app(tmp_path, Agent("tester", Script(["one", gate]), "")) as app:
        handle = await said(app)
        await gate.reached.wait()
        result = asyncio.create_task(handle.result())
        if waits:
            await asyncio.sleep(0.1)
        await app.router.delete("t", "ann")
        outcome = await soon(result)
        assert (outcome.status, outcome.reason) == ("interrupted", "SESSION_RELEASED")


@pytest.mark.parametrize("seconds", [0.0, 0.001, 1.0, 60.0])
async def test_an_asking_run_ends_with_its_thread(tmp_path: Path, seconds: float) -> None:
    model = Script([call("ask")])
    agent = Agent("tester", model, "", [asker("Where?", REGION)])
    async with an_app(tmp_path, agent) as app:
        handle = await said(app)
        assert (await soon(handle.result())).status == "paused"
        await app.router.delete("t", "ann")
        await asyncio.sleep(seconds)
        outcome = await soon(handle.result())
        assert (outcome.status, outcome.reason) == ("interrupted", "SESSION_RELEASED")


async def test_a_program_that_leaves_while_it_waits(tmp_path: Path) -> None:
    gate = Gate()
    async with program(tmp_path, Agent("tester", Script(["one", gate]), "")) as gateway:
        handle = await gateway.start("go", thread="t")
        await gate.reached.wait()
        result = asyncio.create_task(handle.result())
        await asyncio.sleep(0.1)
    outcome = await soon(result)
    assert (outcome.status, outcome.reason) == ("interrupted", "SYSTEM_SHUTDOWN")
