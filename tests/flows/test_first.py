"""The first flows: say, stop, steer, NOW, ask and answer."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gateway.core.cancellation import InterruptBehavior
from gateway.core.messages import AssistantMessage, UserMessage
from gateway.core.queueing import Priority
from gateway.ports.rows import Outcome
from gateway.runs.context import ToolContext
from gateway.runs.tools import tool
from tests.flows.desk import Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime


async def test_a_message_is_answered(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path / "a.db", agent_of(Script(["Hel", 0.1, "lo"])))
    said = await desk.say("hi")
    await desk.settle(2)
    assert await desk.outcome(said) is Outcome.ANSWERED
    assert await desk.history() == [UserMessage("hi"), AssistantMessage("Hello")]
    assert not desk.errors
    await desk.close()


async def test_stop_keeps_what_was_shown(tmp_path: Path) -> None:
    model = Script(["one ", 1.0, "two ", 1.0, "three ", 100.0, "four"])
    desk = await open_desk(tmp_path / "a.db", agent_of(model))
    said = await desk.say("count")
    await desk.settle(2.5)
    stop = await desk.say("/stop")
    await desk.settle(2)
    assert await desk.outcome(said) is Outcome.INTERRUPTED
    assert await desk.outcome(stop) is Outcome.HANDLED
    last = (await desk.history())[-1]
    assert last == AssistantMessage("one two three ", interrupted=True, reason="USER_SIGINT")
    assert not desk.errors
    await desk.close()


async def test_steer_joins_and_now_starts_the_next(tmp_path: Path) -> None:
    @tool(behavior=InterruptBehavior.COOPERATIVE)
    async def slow(context: ToolContext) -> str:
        """Takes a while."""
        await asyncio.wait_for(context.signal.wait(), 5.0)
        return "never"

    model = Script([call("slow")], ["done"])
    desk = await open_desk(tmp_path / "a.db", agent_of(model, slow))
    first = await desk.say("go")
    await desk.settle(1)
    joined = await desk.say("and be quick")
    await desk.settle(0.5)
    urgent = await desk.say("no, do this", override=Priority.NOW)
    await desk.settle(3)
    assert await desk.outcome(first) is Outcome.INTERRUPTED
    assert await desk.outcome(urgent) is Outcome.ANSWERED
    assert await desk.outcome(joined) is Outcome.STEERED
    assert not desk.errors
    await desk.close()


async def test_a_question_is_answered(tmp_path: Path) -> None:
    @tool
    async def deploy(service: str, context: ToolContext) -> str:
        """Deploys."""
        yes = await context.interrupt(message=f"Deploy {service}?", response_schema=bool)
        return f"deployed={yes}"

    model = Script([call("deploy", service="api")], ["fine"])
    desk = await open_desk(tmp_path / "a.db", agent_of(model, deploy))
    first = await desk.say("deploy api")
    await desk.settle(1)
    assert len(desk.channel.prompts) == 1
    unclear = await desk.say("maybe")
    await desk.settle(1)
    assert await desk.outcome(unclear) is Outcome.REFUSED
    yes = await desk.say("да")
    await desk.settle(1)
    assert await desk.outcome(yes) is Outcome.DECIDED
    assert await desk.outcome(first) is Outcome.ANSWERED
    assert "deployed=True" in str(await desk.history())
    assert not desk.errors
    await desk.close()
