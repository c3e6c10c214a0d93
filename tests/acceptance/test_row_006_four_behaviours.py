"""Row 6: the four behaviours differ. A tool of 300 ms each, stopped at 50 ms."""

import asyncio
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, SyncToolContext, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.log import results
from tests.acceptance.scripted import Begun, Script, call

pytestmark = pytest.mark.looptime
CUT = ("Interrupted: USER_SIGINT", "TOOL_INTERRUPTED")


async def stopped_at_50_ms(
    directory: Path, work: Any, begun: Begun | None = None
) -> tuple[dict, float, Script]:
    """The log, how long the run took from the stop to its end, and the model."""
    model = Script([call(work.name)], ["not reached"])
    async with Desk(directory, Agent("tester", model, "", [work])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        await ann.frame("call", state="started")
        if begun is not None:
            await begun.wait()
        await asyncio.sleep(0.05)
        began = desk.time()
        await ann.stop()
        assert await ann.outcome(said, within=2) == ("interrupted", "USER_SIGINT")
        took = desk.time() - began
        assert len(model.requests) == 1
        assert "MAY_STILL_RUN" not in ann.codes()
        return await ann.export(), took, model


async def test_non_interruptible_finishes(tmp_path: Path):
    @tool(behavior="NON_INTERRUPTIBLE")
    async def work(context: ToolContext) -> str:
        """Takes 300 ms and looks at nothing."""
        await asyncio.sleep(0.3)
        return "finished"

    log, took, _ = await stopped_at_50_ms(tmp_path, work)
    assert results(log) == {"work": ("finished", None)}
    assert 0.2 <= took <= 0.4


async def test_cooperative_returns_an_error_that_names_the_reason(tmp_path: Path):
    @tool(behavior="COOPERATIVE")
    async def work(context: ToolContext) -> str:
        """Looks every 20 ms whether it should go on."""
        for _ in range(15):
            await asyncio.sleep(0.02)
            context.signal.checkpoint()
        return "finished"

    log, took, _ = await stopped_at_50_ms(tmp_path, work)
    assert results(log) == {"work": CUT}
    assert took <= 0.1


async def test_thread_interrupt_cancels_an_async_tools_task(tmp_path: Path):
    cancelled: list[str] = []

    @tool(behavior="THREAD_INTERRUPT")
    async def work() -> str:
        """Waits 300 ms."""
        try:
            await asyncio.sleep(0.3)
        except asyncio.CancelledError:
            cancelled.append("task")
            raise
        return "finished"

    log, took, _ = await stopped_at_50_ms(tmp_path, work)
    assert cancelled == ["task"]
    assert results(log) == {"work": CUT}
    assert took <= 0.1


REAL_SECONDS = 10.0
"""How long a thread that has given its result may take to end."""


async def test_thread_interrupt_ends_a_plain_python_loop(tmp_path: Path):
    unwound, ended = threading.Event(), threading.Event()
    rounds = [0]
    begun = Begun()

    @tool(behavior="THREAD_INTERRUPT")
    def work() -> str:
        """Loops without ever looking at a signal."""
        begun.tell()
        try:
            while not ended.is_set():
                rounds[0] += 1
        finally:
            unwound.set()
        return "finished"

    try:
        log, took, _ = await stopped_at_50_ms(tmp_path, work, begun)
    finally:
        ended.set()
    assert unwound.is_set()
    assert results(log) == {"work": CUT}
    assert took <= 0.5
    for thread in [thread for thread in threading.enumerate() if thread.name == "tool-work"]:
        thread.join(REAL_SECONDS)
        assert not thread.is_alive()


async def test_externally_terminated_loses_its_child_process(tmp_path: Path):
    pids: list[int] = []
    begun = Begun()

    @tool(behavior="EXTERNALLY_TERMINATED")
    def work(context: SyncToolContext) -> str:
        """Waits for a child process, blocked outside Python."""
        assert context.registrar is not None
        with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
            pids.append(child.pid)
            context.registrar.register(child.kill)
            begun.tell()
            code = child.wait()
        context.signal.checkpoint()
        return f"exit {code}"

    log, took, _ = await stopped_at_50_ms(tmp_path, work, begun)
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)
    assert results(log) == {"work": CUT}
    assert took <= 0.5
