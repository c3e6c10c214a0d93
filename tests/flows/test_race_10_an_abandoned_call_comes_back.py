"""RACES 10: an abandoned call comes back."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, SyncToolContext, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.log import results
from tests.acceptance.scripted import Begun, Script, call

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("what", ["result", "progress", "question", "note", "child", "error"])
async def test_whatever_it_tries_is_refused_and_changes_nothing(tmp_path: Path, what: str):
    refused: list[str] = []
    child = Script(["late child"])

    @tool(behavior="COOPERATIVE")
    async def deaf(context: ToolContext) -> str:
        """Comes back three seconds after it was stopped."""
        await context.signal.wait()
        await asyncio.sleep(3)
        tries: dict[str, Any] = {
            "progress": lambda: context.progress("late"),
            "question": lambda: context.interrupt(message="late?", response_schema=bool),
            "note": lambda: context.once("late", lambda: 1),
            "child": lambda: context.run_child(Agent("child", child), "late"),
        }
        try:
            if what in tries:
                await tries[what]()
        except BaseException as error:
            refused.append(type(error).__name__)
            raise
        if what == "error":
            raise RuntimeError("late error")
        return "late"

    model = Script([call("deaf")], [call("deaf")], ["done"])
    async with Desk(tmp_path, Agent("tester", model, "", [deaf])) as desk:
        ann = await desk.person("ann")
        first = await ann.say("one")
        await ann.frame("call", state="started")
        await ann.stop()
        assert await ann.outcome(first, within=1) == ("interrupted", "USER_SIGINT")
        told = await ann.frame("notice", within=0.1, code="MAY_STILL_RUN")
        assert "may still be running" in told["data"]["text"]
        before, frames = await ann.export(), len(ann.frames)
        await asyncio.sleep(10)
        assert await ann.export() == before
        assert {frame["type"] for frame in ann.frames[frames:]} <= {"result"}
        assert results(before) == {}
        assert child.requests == []
        assert refused == ([] if what in ("result", "error") else ["RunEnded"])


async def test_a_late_exception_never_reaches_another_call(tmp_path: Path):
    """The thread of a given-up call gets its exception in its own frame, or not at all."""
    begun, release, unwound = Begun(), threading.Event(), threading.Event()
    deaf_saw: list[str] = []

    @tool(behavior="THREAD_INTERRUPT")
    def deaf() -> str:
        """Is blocked outside Python, where no exception reaches it."""
        begun.tell()
        try:
            release.wait(20)
        except BaseException as error:
            deaf_saw.append(type(error).__name__)
            raise
        finally:
            unwound.set()
        return "late"

    @tool(behavior="THREAD_INTERRUPT")
    def count() -> str:
        """Counts in Python while the other one's exception is on its way."""
        release.set()
        unwound.wait(20)
        total = 0
        for number in range(200_000):
            total += number
        return str(total)

    model = Script([call("deaf")], [call("count")], ["done"])
    async with Desk(tmp_path, Agent("tester", model, "", [deaf, count])) as desk:
        ann = await desk.person("ann")
        first = await ann.say("one")
        await begun.wait()
        await ann.stop()
        assert await ann.outcome(first, within=2) == ("interrupted", "USER_SIGINT")
        assert not unwound.is_set()
        assert await ann.outcome(await ann.say("two")) == ("answered", "")
        assert results(await ann.export()) == {"count": (str(sum(range(200_000))), None)}
        assert deaf_saw in (["ThreadInterrupted"], [])


async def test_a_plain_tools_late_question_is_refused(tmp_path: Path):
    begun, go_on, tried = Begun(), threading.Event(), threading.Event()
    refused: list[str] = []

    @tool(behavior="COOPERATIVE")
    def deaf(context: SyncToolContext) -> str:
        """Asks once nobody waits for it any more."""
        begun.tell()
        go_on.wait(20)
        try:
            context.interrupt(message="late?", response_schema=bool)
        except BaseException as error:
            refused.append(type(error).__name__)
            raise
        finally:
            tried.set()
        return "late"

    model = Script([call("deaf")])
    async with Desk(tmp_path, Agent("tester", model, "", [deaf])) as desk:
        ann = await desk.person("ann")
        first = await ann.say("one")
        await begun.wait()
        await ann.stop()
        assert await ann.outcome(first, within=2) == ("interrupted", "USER_SIGINT")
        before = await ann.export()
        go_on.set()
        await asyncio.get_running_loop().run_in_executor(None, tried.wait, 5)
        await asyncio.sleep(1)
        assert refused == ["RunEnded"]
        assert ann.find("question") == []
        assert await ann.export() == before
