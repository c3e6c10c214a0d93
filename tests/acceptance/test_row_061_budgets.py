"""Row 61: budgets stop a run as BUDGET_EXCEEDED, in the middle of a tool too."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, InterruptBehavior, ToolContext, tool
from gateway.core.messages import OUTCOME_UNKNOWN_TEXT
from gateway.ports.model import Finished, Usage
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call, messages

pytestmark = pytest.mark.looptime


@tool
async def look() -> str:
    """Looks."""
    await asyncio.sleep(1)
    return "seen"


def used(tokens: int, cost: float) -> Finished:
    return Finished(Usage(tokens, 0, cost))


@pytest.mark.parametrize(
    ("options", "steps"),
    [
        ({"max_tokens": 250}, [call("look"), used(100, 0.0)]),
        ({"max_cost_usd": 0.25}, [call("look"), used(0, 0.1)]),
        ({"max_iterations": 3, "on_iteration_limit": "stop"}, [call("look"), used(0, 0.0)]),
    ],
    ids=["tokens", "cost", "iterations"],
)
async def test_a_budget_that_is_used_up_between_steps(
    tmp_path: Path, options: dict[str, Any], steps: list[object]
):
    def step(request: Any) -> list[object]:
        return [call("look"), *steps[1:]]

    model = Script(step)
    async with Desk(tmp_path, Agent("t", model, "", [look], **options)) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        assert await ann.outcome(said) == ("interrupted", "BUDGET_EXCEEDED")
        assert len(model.requests) == 3
        kinds = [e["kind"] for e in (await ann.export())["entries"]]
        assert kinds.count("tool_result") == kinds.count("tool_call") == 3


async def test_the_iteration_limit_fails_by_default(tmp_path: Path):
    model = Script(lambda request: [call("look")])
    async with Desk(tmp_path, Agent("t", model, "", [look], max_iterations=2)) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        outcome, error_id = await ann.outcome(said)
        assert (outcome, len(model.requests)) == ("failed", 2)
        assert error_id
        ended = ann.find("run", state="ended")[-1]
        assert ended["error"] == "BUDGET_EXCEEDED"


@pytest.mark.parametrize("behavior", list(InterruptBehavior))
async def test_a_tool_that_sleeps_past_the_deadline(tmp_path: Path, behavior: InterruptBehavior):
    @tool(behavior=behavior)
    async def wait(context: ToolContext) -> str:
        """Sleeps far too long."""
        if context.registrar is not None:
            context.registrar.register(lambda: None)
        waits = asyncio.create_task(context.signal.wait())
        if behavior is not InterruptBehavior.COOPERATIVE:
            waits.cancel()
            await asyncio.sleep(300)
            return "slept"
        await waits
        return "gave up"

    model = Script([call("wait")], ["so what"])
    agent = Agent("t", model, "", [wait], timeout_seconds=60.0)
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        began = desk.time()
        said = await ann.say("go")
        assert await ann.outcome(said, within=90) == ("interrupted", "BUDGET_EXCEEDED")
        assert 60.0 <= desk.time() - began <= 60.7
        assert len(model.requests) == 1
        assert (await ann.outcome(await ann.say("and?")))[0] == "answered"
        result = [text for kind, text in messages(model.requests[1]) if kind == "result"]
        assert len(result) == 1
        if behavior is InterruptBehavior.NON_INTERRUPTIBLE:
            assert result == [OUTCOME_UNKNOWN_TEXT]
            assert "wait" in str(ann.find("notice", code="MAY_STILL_RUN"))


async def test_what_is_ended_from_outside_ends_at_the_deadline(tmp_path: Path):
    ends = threading.Event()

    @tool(behavior=InterruptBehavior.EXTERNALLY_TERMINATED)
    async def hang(context: ToolContext) -> str:
        """Hangs until it is ended from outside."""
        assert context.registrar is not None
        context.registrar.register(ends.set)
        for _ in range(1_000):
            await asyncio.sleep(0.05)
            if ends.is_set():
                break
        return "ended from outside"

    model = Script([call("hang")], ["so what"])
    agent = Agent("t", model, "", [hang], timeout_seconds=5.0)
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        assert await ann.outcome(said) == ("interrupted", "BUDGET_EXCEEDED")
        assert ends.is_set()


async def test_the_deadline_stands_still_while_people_think(tmp_path: Path):
    @tool
    async def ask(context: ToolContext) -> str:
        """Asks."""
        return str(await context.interrupt(message="Sure?", response_schema=bool))

    model = Script(["so ", 8.0, call("ask")], ["whole ", 8.0, "thing"])
    agent = Agent("t", model, "", [ask], timeout_seconds=10.0)
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        await ann.frame("question")
        await asyncio.sleep(600)
        assert (await ann.outcome(await ann.say("yes")))[0] == "decided"
        assert await ann.outcome(said) == ("answered", "")


async def test_a_model_that_never_ends_is_cut_and_its_text_kept(tmp_path: Path):
    model = Script(["once ", 100.0, "more"])
    async with Desk(tmp_path, Agent("t", model, timeout_seconds=20.0)) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        assert await ann.outcome(said) == ("interrupted", "BUDGET_EXCEEDED")
        assert model.open_streams == []
        body = (await ann.export())["entries"][1]["body"]
        assert body["text"] == "once "
        assert body["metadata"]["reason"] == "BUDGET_EXCEEDED"


async def test_what_an_agent_inside_a_tool_pays_stops_the_tool(tmp_path: Path):
    child = Agent("child", Script([call("look"), used(10, 0.04)]), "", [look])

    @tool(behavior=InterruptBehavior.COOPERATIVE)
    async def delegate(context: ToolContext) -> str:
        """Hands over."""
        return (await context.run_child(child, "do it")).text

    model = Script([call("delegate"), used(10, 0.01)], ["so what"])
    agent = Agent("t", model, "", [delegate], max_cost_usd=0.10)
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        assert await ann.outcome(said) == ("interrupted", "BUDGET_EXCEEDED")
        assert len(model.requests) == 1
        assert (await ann.outcome(await ann.say("and?")))[0] == "answered"
        assert "bargein_model_cost_usd_total 0.13" in await desk.metrics()


async def test_the_operators_budget_holds_whatever_the_agent_says(tmp_path: Path):
    model = Script([call("look"), used(100, 0.0)])
    budgets = {"tokens": 150}
    async with Desk(tmp_path, Agent("t", model, "", [look]), budgets=budgets) as desk:
        ann = await desk.person("ann")
        assert await ann.outcome(await ann.say("go")) == ("interrupted", "BUDGET_EXCEEDED")
        assert len(model.requests) == 2
