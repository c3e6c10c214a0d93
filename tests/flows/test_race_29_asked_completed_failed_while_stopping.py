"""RACES 29: a question asked, a run that completes or fails while stopping."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.faults import HoldingStore
from tests.acceptance.log import bodies, results
from tests.acceptance.scripted import Gate, Script, call, messages
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("how", ["stop", "now"])
async def test_a_question_asked_after_the_trip_reads_the_abort(tmp_path: Path, how: str):
    @tool
    async def ask(context: ToolContext) -> str:
        """Asks after 300 ms."""
        await asyncio.sleep(0.3)
        return str(await context.interrupt(message="Sure?", response_schema=bool))

    model = Script([call("ask")], ["next"])
    async with Desk(tmp_path, Agent("tester", model, "", [ask])) as desk:
        ann = await desk.person("ann")
        first = await ann.say("go")
        await ann.frame("call", state="started")
        if how == "stop":
            await ann.stop()
        else:
            await ann.say("instead", override="now")
        reason = "USER_SIGINT" if how == "stop" else "NOW_PRIORITY_INPUT"
        assert await ann.outcome(first, within=1) == ("interrupted", reason)
        await asyncio.sleep(2)
        assert ann.find("question") == []
        log = await ann.export()
        assert results(log) == {"ask": (f"Interrupted: {reason}", "TOOL_INTERRUPTED")}
        assert [b["status"] for b in bodies(log, "interrupt")] == ["closed"]


async def test_a_question_on_its_way_when_the_now_is_stored_is_refused(tmp_path: Path):
    gate, store = Gate(), HoldingStore()

    @tool
    async def ask(context: ToolContext) -> str:
        """Asks once the gate opens."""
        await gate.wait()
        return str(await context.interrupt(message="Sure?", response_schema=bool))

    model = Script([call("ask"), call("ask")], ["next"])
    async with Desk(tmp_path, Agent("tester", model, "", [ask]), wrap=store) as desk:
        ann = await desk.person("ann")
        first = await ann.say("go")
        await gate.reached.wait()
        store.hold()
        urgent = await ann.say("instead", override="now")
        gate.open()
        await asyncio.sleep(1)
        store.release()
        assert await ann.outcome(first, within=1) == ("interrupted", "NOW_PRIORITY_INPUT")
        assert await ann.outcome(urgent, within=1) == ("answered", "")
        assert ann.find("question") == []
        log = await ann.export()
        got = [(b["content"], b["error"]) for b in bodies(log, "tool_result")]
        assert got[0] == ("Interrupted: NOW_PRIORITY_INPUT", "TOOL_INTERRUPTED")
        assert got[1][1] == "ABORTED_BEFORE_DISPATCH"
        assert "paused" not in str(bodies(log, "interrupt"))
        assert await ann.call("pauses.list") == []


@pytest.mark.parametrize("how", ["stop", "now"])
async def test_completed_when_all_its_text_was_shown(tmp_path: Path, how: str):
    gate, store = Gate(), HoldingStore()
    model = Script(["All of it.", gate], ["next"])
    async with Desk(tmp_path, Agent("tester", model), wrap=store) as desk:
        ann = await desk.person("ann")
        first = await ann.say("go")
        await ann.shows("All of it.")
        await asyncio.sleep(1)
        store.hold()
        gate.open()
        await asyncio.sleep(0.01)
        assert model.streams[0].finished
        sent = await (ann.stop() if how == "stop" else ann.say("instead", override="now"))
        store.release()
        assert await ann.outcome(first, within=1) == ("answered", "")
        await asyncio.sleep(2)
        body = bodies(await ann.export(), "assistant")[0]
        assert (body["text"], "metadata" in body) == ("All of it.", False)
        if how == "now":
            assert await ann.outcome(sent) == ("answered", "")
            assert messages(model.requests[1])[1] == ("assistant", "All of it.")


async def test_interrupted_when_a_part_of_its_text_was_not_shown(tmp_path: Path):
    gate, store, half = Gate(), HoldingStore(), FakeChannel("half", share=0.5)
    model = Script(["0123456789", gate], ["next"])
    agent = Agent("tester", model)
    async with Desk(tmp_path, agent, channels=[half], allow=["ann"], wrap=store) as desk:
        ann = desk.member("ann", "half:1", "half")
        await ann.say("go")
        await gate.reached.wait()
        await asyncio.sleep(1)
        store.hold()
        await ann.say("instead", override="now")
        gate.open()
        await asyncio.sleep(0.5)
        store.release()
        await asyncio.sleep(2)
        log = await (await desk.person("ann", thread="half:1")).export()
        rows = {row["text"]: row for row in log["inputs"]}
        assert (rows["go"]["outcome"], rows["go"]["detail"]) == (
            "interrupted",
            "NOW_PRIORITY_INPUT",
        )
        assert rows["instead"]["outcome"] == "answered"
        body = bodies(log, "assistant")[0]
        assert body["text"] == "01234"
        assert body["metadata"]["interrupted"] is True


@pytest.mark.parametrize("in_tool", [False, True])
async def test_interrupted_when_it_fails_while_stopping(tmp_path: Path, in_tool: bool):
    gate = Gate()

    @tool
    async def work() -> str:
        """Fails when the gate opens; nobody may cut it."""
        await gate.wait()
        raise RuntimeError("the tool is broken")

    step = [call("work")] if in_tool else ["Some. ", gate, RuntimeError("the model is broken")]
    store, model = HoldingStore(), Script(step, ["next"])
    async with Desk(tmp_path, Agent("tester", model, "", [work]), wrap=store) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        first = await ann.say("go")
        await gate.reached.wait()
        await asyncio.sleep(1)
        store.hold()
        urgent = await ann.say("instead", override="now")
        gate.open()
        await asyncio.sleep(0.1)
        store.release()
        assert await ann.outcome(first, within=1) == ("interrupted", "NOW_PRIORITY_INPUT")
        assert await ann.outcome(urgent, within=1) == ("answered", "")
        assert "RUN_FAILED" not in ann.codes()
        ended = await ann.ended()
        assert (ended["end"], ended["error"]) == ("interrupted", None)
