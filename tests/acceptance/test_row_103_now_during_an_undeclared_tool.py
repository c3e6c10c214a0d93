"""Row 103: NOW during a 2 s undeclared tool: it ran once, its result is in the next model input."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, SyncToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.log import results
from tests.acceptance.scripted import Script, call, messages

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("mode", ["steer", "interrupt", "enqueue", "collect", "reject"])
async def test_it_ran_once_and_its_result_is_in_the_next_model_input(tmp_path: Path, mode: str):
    ran: list[str] = []

    @tool
    async def lookup(name: str) -> str:
        """Takes two seconds."""
        ran.append(name)
        await asyncio.sleep(2)
        return f"{name} has 3 seats left"

    model = Script([call("lookup", name="flight 7")], ["There are three."])
    agent = Agent("tester", model, "", [lookup])
    async with Desk(tmp_path, agent, queue_mode=mode) as desk:
        ann = await desk.person("ann")
        first = await ann.say("book flight 7")
        await ann.frame("call", state="started")
        await asyncio.sleep(0.5)
        urgent = await ann.say("how many seats are left?", override="now")
        assert await ann.outcome(urgent, within=5) == ("answered", "")
        assert await ann.outcome(first) == ("interrupted", "NOW_PRIORITY_INPUT")
        assert ran == ["flight 7"]
        assert messages(model.requests[1]) == [
            ("user", "book flight 7"),
            ("call", "lookup"),
            ("result", "flight 7 has 3 seats left"),
            ("user", "how many seats are left?"),
        ]
        assert len(model.requests) == 2
        assert results(await ann.export()) == {"lookup": ("flight 7 has 3 seats left", None)}
        assert ann.codes().count("FINISHING_FIRST") == 1


async def test_a_plain_tool_in_its_own_thread_too(tmp_path: Path):
    ran: list[str] = []
    entered, go_on = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    @tool
    def lookup(context: SyncToolContext) -> str:
        """Is in its own thread until the test lets it go on."""
        ran.append(context.call_id)
        loop.call_soon_threadsafe(entered.set)
        asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result(20)
        return "found"

    model = Script([call("lookup")], ["next"])
    async with Desk(tmp_path, Agent("tester", model, "", [lookup])) as desk:
        ann = await desk.person("ann")
        await ann.say("look it up")
        await entered.wait()
        urgent = await ann.say("and now?", override="now")
        await ann.frame("notice", code="FINISHING_FIRST")
        go_on.set()
        assert await ann.outcome(urgent) == ("answered", "")
        assert len(ran) == 1
        assert ("result", "found") in messages(model.requests[1])
