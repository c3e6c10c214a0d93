"""Row 105: the tool's API, a tool of each kind."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, InterruptBehavior, SyncToolContext, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.log import results
from tests.acceptance.scripted import Begun, Script, call

pytestmark = pytest.mark.looptime
EVERY = list(InterruptBehavior)


async def answered(directory: Path, *tools: Any) -> dict[str, tuple[str, str | None]]:
    """The results of one call of each tool, in one run that nobody stops."""
    model = Script([call(each.name) for each in tools], ["done"])
    async with Desk(directory, Agent("tester", model, "", tools)) as desk:
        ann = await desk.person("ann")
        assert (await ann.outcome(await ann.say("go")))[0] == "answered"
        return results(await ann.export())


@pytest.mark.parametrize("context", [ToolContext(), SyncToolContext()])
async def test_outside_a_run_the_signal_is_there_and_never_trips(context: Any):
    assert context.signal is not None
    assert not context.signal.cancelled
    assert context.signal.reason is None
    context.signal.checkpoint()
    heard: list[str] = []
    context.signal.on_cancel(lambda: heard.append("never")).remove()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(context.signal.wait(), 60)
    assert heard == []
    assert context.registrar is None
    assert not hasattr(context, "interrupt")


@pytest.mark.parametrize("behavior", EVERY)
async def test_in_a_run_the_signal_is_there_and_the_registrar_for_two_behaviours(
    tmp_path: Path, behavior: InterruptBehavior
):
    @tool(behavior=behavior)
    async def look(context: ToolContext) -> dict[str, Any]:
        """Says what it sees."""
        context.signal.checkpoint()
        return {
            "registrar": context.registrar is not None,
            "interrupt": hasattr(context, "interrupt"),
            "cancelled": context.signal.cancelled,
            "names": [context.thread, *context.principals, context.language],
        }

    @tool(behavior=behavior)
    def look_plain(context: SyncToolContext) -> bool:
        """Says whether it has a registrar."""
        context.signal.checkpoint()
        return context.registrar is not None

    got = await answered(tmp_path, look, look_plain)
    has = "true" if behavior in ("THREAD_INTERRUPT", "EXTERNALLY_TERMINATED") else "false"
    assert got["look"] == (
        f'{{"registrar": {has}, "interrupt": true, "cancelled": false, '
        '"names": ["local:1", "ann", "en"]}',
        None,
    )
    assert got["look_plain"] == (has, None)


@pytest.mark.parametrize("plain", [False, True])
async def test_checkpoint_raises_and_becomes_an_error_that_names_the_reason(
    tmp_path: Path, plain: bool
):
    begun, stopped = Begun(), threading.Event()

    @tool(behavior="COOPERATIVE")
    async def work(context: ToolContext) -> str:
        """Looks whether it was stopped."""
        begun.tell()
        await context.signal.wait()
        context.signal.checkpoint()
        return "not reached"

    @tool(behavior="COOPERATIVE", name="work")
    def work_plain(context: SyncToolContext) -> str:
        """Looks whether it was stopped."""
        context.signal.on_cancel(stopped.set)
        begun.tell()
        assert stopped.wait(20)
        context.signal.checkpoint()
        return "not reached"

    model = Script([call("work")], ["fine"])
    tools = [work_plain if plain else work]
    async with Desk(tmp_path, Agent("tester", model, "", tools)) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        await begun.wait()
        await ann.say("instead", override="now")
        assert await ann.outcome(said) == ("interrupted", "NOW_PRIORITY_INPUT")
        cut = ("Interrupted: NOW_PRIORITY_INPUT", "TOOL_INTERRUPTED")
        assert results(await ann.export()) == {"work": cut}


@pytest.mark.parametrize("behavior", ["THREAD_INTERRUPT", "EXTERNALLY_TERMINATED"])
async def test_registering_after_the_tool_returned_raises(tmp_path: Path, behavior: str):
    kept: list[Any] = []
    ran: list[str] = []

    @tool(behavior=behavior)
    async def keep(context: ToolContext) -> str:
        """Lets its registrar escape."""
        assert context.registrar is not None

        def terminator() -> None:
            ran.append("terminator")

        context.registrar.register(terminator)
        context.registrar.register(terminator)
        context.registrar.unregister(terminator)
        context.registrar.unregister(terminator)
        context.registrar.unregister(terminator)
        kept.append((context.registrar, terminator))
        return "returned"

    @tool(behavior="COOPERATIVE")
    async def late(context: ToolContext) -> str:
        """Uses the registrar of a call that has returned, before and after the stop."""
        registrar, terminator = kept[0]
        for _ in range(2):
            with pytest.raises(RuntimeError):
                registrar.register(terminator)
            registrar.unregister(terminator)
            await context.signal.wait()
        return "over"

    model = Script([call("keep"), call("late")])
    async with Desk(tmp_path, Agent("tester", model, "", [keep, late])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        await ann.frame("call", state="started", name="late")
        await ann.stop()
        assert await ann.outcome(said, within=1) == ("interrupted", "USER_SIGINT")
        assert results(await ann.export()) == {"keep": ("returned", None), "late": ("over", None)}
        assert ran == []


async def test_interrupt_is_absent_in_sandboxed_tools(tmp_path: Path):
    @tool(sandboxed=True)
    async def boxed(context: ToolContext) -> bool:
        """Says whether it could ask."""
        return hasattr(context, "interrupt")

    @tool(sandboxed=True)
    async def asks(context: ToolContext) -> str:
        """Tries to ask all the same."""
        return str(await context.interrupt(message="May I?", response_schema=bool))

    @tool(sandboxed=True)
    def boxed_plain(context: SyncToolContext) -> bool:
        """Says whether it could ask."""
        return hasattr(context, "interrupt")

    got = await answered(tmp_path, boxed, asks, boxed_plain)
    assert got["boxed"] == got["boxed_plain"] == ("false", None)
    assert got["asks"][1] == "TOOL_RAISED"
