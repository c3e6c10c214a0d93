"""RACES 9: NOW against a NON_INTERRUPTIBLE call."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, InterruptReason, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.log import results
from tests.acceptance.scripted import Script, call, messages
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime
ran: list[str] = []


@tool
async def lookup(seconds: float) -> str:
    """Looks something up; nobody may cut it."""
    ran.append("started")
    await asyncio.sleep(seconds)
    ran.append("returned")
    return "found"


@pytest.fixture(autouse=True)
def nothing_ran():
    ran.clear()


async def test_it_finishes_once_and_its_result_is_in_the_next_model_input(tmp_path: Path):
    model = Script(["Looking. ", call("lookup", seconds=2.0)], ["next"])
    async with Desk(tmp_path, Agent("tester", model, "", [lookup])) as desk:
        ann = await desk.person("ann")
        first = await ann.say("look it up")
        await ann.frame("call", state="started")
        began = desk.time()
        urgent = await ann.say("and the weather?", override="now")
        notice = await ann.frame("notice", within=0.2, code="FINISHING_FIRST")
        assert notice["data"]["params"]["tools"] == ["lookup"]
        assert "lookup" in notice["data"]["text"]
        await asyncio.sleep(1.5)
        assert len(model.requests) == 1
        assert await ann.outcome(first, within=2) == ("interrupted", "NOW_PRIORITY_INPUT")
        assert await ann.outcome(urgent, within=1) == ("answered", "")
        assert 1.9 <= desk.time() - began <= 2.5
        assert ran == ["started", "returned"]
        assert messages(model.requests[1]) == [
            ("user", "look it up"),
            ("assistant", "Looking. "),
            ("call", "lookup"),
            ("result", "found"),
            ("user", "and the weather?"),
        ]
        assert results(await ann.export()) == {"lookup": ("found", None)}
        assert "MAY_STILL_RUN" not in ann.codes()


@pytest.mark.parametrize("now_grace_ms", [10_000, 3_000])
async def test_it_is_abandoned_only_after_the_grace_of_a_now(tmp_path: Path, now_grace_ms: int):
    model = Script([call("lookup", seconds=60.0)], ["next"])
    agent = Agent("tester", model, "", [lookup])
    async with Desk(tmp_path, agent, graces={"now_grace_ms": now_grace_ms}) as desk:
        ann = await desk.person("ann")
        first = await ann.say("look it up")
        await ann.frame("call", state="started")
        began = desk.time()
        await ann.say("and the weather?", override="now")
        assert await ann.outcome(first, within=20) == ("interrupted", "NOW_PRIORITY_INPUT")
        assert now_grace_ms / 1000 <= desk.time() - began <= now_grace_ms / 1000 + 0.3
        await ann.frame("notice", within=0.2, code="MAY_STILL_RUN")
        await asyncio.sleep(1)
        assert "outcome unknown" in dict(messages(model.requests[1]))["result"]
        await asyncio.sleep(70)
        assert ran == ["started", "returned"]
        assert results(await ann.export()) == {}


async def test_text_stops_at_once_while_the_call_finishes(tmp_path: Path):
    fake = FakeChannel("fake", share=0.5)
    model = Script(["Looking it up.", call("lookup", seconds=2.0)], ["next"])
    agent = Agent("tester", model, "", [lookup])
    async with Desk(tmp_path, agent, channels=[fake], allow=["ann"]) as desk:
        ann = desk.member("ann", "fake:1", "fake")
        await ann.say("look it up")
        await asyncio.sleep(0.5)
        given = len(fake.called("show"))
        await ann.say("and the weather?", override="now")
        await asyncio.sleep(1)
        assert len(fake.called("show")) == given
        assert fake.codes("ann").count("FINISHING_FIRST") == 1
        await asyncio.sleep(2)
        assert fake.texts()[-1] == "next"


async def test_a_call_that_can_be_stopped_beside_it_is_stopped_at_once(tmp_path: Path):
    heard: list[tuple[float, InterruptReason]] = []

    @tool(behavior="COOPERATIVE", parallel_safe=True)
    async def listen(context: ToolContext) -> str:
        """Listens for the stop."""
        reason = await context.signal.wait()
        heard.append((asyncio.get_running_loop().time(), reason))
        context.signal.checkpoint()
        return "not reached"

    @tool(parallel_safe=True)
    async def fetch() -> str:
        """Takes two seconds; nobody may cut it."""
        await asyncio.sleep(2)
        return "fetched"

    model = Script([call("listen"), call("fetch")], ["next"])
    agent = Agent("tester", model, "", [listen, fetch], parallel_tool_calls=True)
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        first = await ann.say("both")
        await asyncio.sleep(0.5)
        began = desk.time()
        await ann.say("instead", override="now")
        assert await ann.outcome(first, within=3) == ("interrupted", "NOW_PRIORITY_INPUT")
        ((at, reason),) = heard
        assert at - began < 0.2
        assert reason is InterruptReason.NOW_PRIORITY_INPUT
        assert 1.4 <= desk.time() - began <= 2
        assert results(await ann.export()) == {
            "listen": ("Interrupted: NOW_PRIORITY_INPUT", "TOOL_INTERRUPTED"),
            "fetch": ("fetched", None),
        }


async def test_a_stop_shortens_the_grace_of_a_now_to_its_own(tmp_path: Path):
    model = Script([call("lookup", seconds=60.0)], ["next"])
    async with Desk(tmp_path, Agent("tester", model, "", [lookup])) as desk:
        ann = await desk.person("ann")
        first = await ann.say("look it up")
        await ann.frame("call", state="started")
        urgent = await ann.say("and the weather?", override="now")
        await asyncio.sleep(1)
        await ann.stop()
        assert await ann.outcome(first, within=0.7) == ("interrupted", "NOW_PRIORITY_INPUT")
        assert await ann.outcome(urgent, within=0.1) == ("returned", "USER_SIGINT")
        await asyncio.sleep(20)
        assert len(model.requests) == 1
