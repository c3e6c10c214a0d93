"""Row 4: registering after the trip fires at once, on the registering caller."""

import threading
from pathlib import Path

import pytest

from gateway import Agent, SyncToolContext, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Begun, Script, call

pytestmark = pytest.mark.looptime


async def test_an_async_tool_that_registers_too_late_is_called_before_register_returns(
    tmp_path: Path,
):
    seen: list[tuple[str, int]] = []

    def note(what: str) -> None:
        seen.append((what, threading.get_ident()))

    @tool(behavior="EXTERNALLY_TERMINATED")
    async def work(context: ToolContext) -> str:
        """Registers after the stop."""
        assert context.registrar is not None
        await context.signal.wait()
        context.signal.on_cancel(lambda: note("listener"))
        note("on_cancel returned")
        context.registrar.register(lambda: note("terminator"))
        note("register returned")
        return "over"

    model = Script([call("work")])
    async with Desk(tmp_path, Agent("tester", model, "", [work])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        await ann.frame("call", state="started")
        await ann.stop()
        assert await ann.outcome(said, within=1) == ("interrupted", "USER_SIGINT")
    here = threading.get_ident()
    assert seen == [
        ("listener", here),
        ("on_cancel returned", here),
        ("terminator", here),
        ("register returned", here),
    ]


async def test_a_plain_tool_that_registers_too_late_is_called_in_its_own_thread(tmp_path: Path):
    seen: list[tuple[str, int]] = []
    begun, stopped = Begun(), threading.Event()

    @tool(behavior="EXTERNALLY_TERMINATED")
    def work(context: SyncToolContext) -> str:
        """Registers after the stop."""
        assert context.registrar is not None
        context.registrar.register(stopped.set)
        begun.tell()
        assert stopped.wait(10)
        own = threading.get_ident()
        context.signal.on_cancel(lambda: seen.append(("listener", threading.get_ident())))
        seen.append(("on_cancel returned", own))
        context.registrar.register(lambda: seen.append(("terminator", threading.get_ident())))
        seen.append(("register returned", own))
        return "over"

    model = Script([call("work")])
    async with Desk(tmp_path, Agent("tester", model, "", [work])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        await begun.wait()
        await ann.stop()
        assert await ann.outcome(said) == ("interrupted", "USER_SIGINT")
    assert [what for what, _ in seen] == [
        "listener",
        "on_cancel returned",
        "terminator",
        "register returned",
    ]
    (thread,) = {ident for _, ident in seen}
    assert thread != threading.get_ident()
