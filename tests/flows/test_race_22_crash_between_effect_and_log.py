"""RACES 22 and 23: a call that started is never run again by us; one that only asked is."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from gateway.core.messages import OUTCOME_UNKNOWN_TEXT
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Gate, Script, call, messages

pytestmark = pytest.mark.looptime


async def test_a_call_in_flight_has_an_unknown_outcome(tmp_path: Path):
    gate, ran = Gate(), []

    @tool
    async def pay() -> str:
        """Pays."""
        ran.append("paid")
        await gate.wait()
        return "paid"

    model = Script([call("pay")], ["I don't know whether that worked"], ["sure"])
    async with Desk(tmp_path, Agent("tester", model, "", [pay])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("pay it")
        await gate.reached.wait()
        await desk.kill()
        gate.open()
        await desk.start()
        ann = await desk.person("ann")
        assert await ann.outcome(said) == ("answered", "")
        assert ran == ["paid"]
        unknown = [("user", "pay it"), ("call", "pay"), ("result", OUTCOME_UNKNOWN_TEXT)]
        assert messages(model.requests[1]) == unknown
        assert model.requests[1].run == model.requests[0].run
        assert (await ann.outcome(await ann.say("fine")))[0] == "answered"
        assert messages(model.requests[2])[:3] == unknown


async def test_calls_behind_the_one_in_flight_run_once(tmp_path: Path):
    gate, ran = Gate(), []

    @tool
    async def pay(bill: int) -> str:
        """Pays."""
        ran.append(bill)
        if bill == 2:
            await gate.wait()
        return f"paid {bill}"

    calls = [call("pay", bill=number) for number in (1, 2, 3)]
    model = Script(["Paying. ", *calls], ["done"])
    async with Desk(tmp_path, Agent("tester", model, "", [pay])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("pay")
        await gate.reached.wait()
        await desk.kill()
        gate.open()
        await desk.start()
        ann = await desk.person("ann")
        assert await ann.outcome(said) == ("answered", "")
        assert ran == [1, 2, 3]
        assert messages(model.requests[1])[1:] == [
            ("assistant", "Paying. "),
            ("call", "pay"),
            ("call", "pay"),
            ("call", "pay"),
            ("result", "paid 1"),
            ("result", OUTCOME_UNKNOWN_TEXT),
            ("result", "paid 3"),
        ]


@pytest.mark.parametrize("restarts", ["kill", "sigterm"])
async def test_a_call_that_only_asked_runs_again_with_the_answer(tmp_path: Path, restarts: str):
    ran: list[str] = []

    @tool
    async def deploy(context: ToolContext) -> str:
        """Asks where to."""
        ran.append("from its start")
        await context.once("build", lambda: ran.append("built"))
        region = await context.interrupt(
            message="Which region?", response_schema={"enum": ["eu", "us"]}
        )
        ran.append(f"deployed to {region}")
        return str(region)

    model = Script(["Deploying. ", call("deploy")], ["done"])
    async with Desk(tmp_path, Agent("tester", model, "", [deploy])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("deploy")
        question = await ann.frame("question")
        await asyncio.sleep(1)
        if restarts == "kill":
            await desk.kill()
            await desk.start()
        else:
            await desk.restart()
        ann = await desk.person("ann")
        snapshot = ann.frames[0]["data"]["snapshot"]
        (asked,) = snapshot["questions"]
        assert asked["id"] == question["data"]["question"]["id"]
        assert (await ann.outcome(await ann.say("eu")))[0] == "decided"
        assert await ann.outcome(said) == ("answered", "")
        assert ran == ["from its start", "built", "from its start", "deployed to eu"]
        log = await ann.export()
        texts = [e["body"]["text"] for e in log["entries"] if e["kind"] == "assistant"]
        assert texts == ["Deploying. ", "done"]
