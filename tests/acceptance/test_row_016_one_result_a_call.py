"""Row 16: in every model input each tool call has exactly one result."""

import asyncio
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime
THREADS, ROUNDS = 24, 3


@tool
async def finish(seconds: float) -> str:
    """Takes its time; nobody may cut it."""
    await asyncio.sleep(seconds)
    return "finished"


@tool(behavior="COOPERATIVE", parallel_safe=True)
async def listen(seconds: float, context: ToolContext) -> str:
    """Ends early when stopped."""
    try:
        async with asyncio.timeout(seconds):
            await context.signal.wait()
    except TimeoutError:
        return "listened"
    context.signal.checkpoint()
    return "not reached"


@tool(behavior="THREAD_INTERRUPT")
async def wait(seconds: float) -> str:
    """Is cancelled when stopped."""
    await asyncio.sleep(seconds)
    return "waited"


@tool(behavior="COOPERATIVE")
async def ask(seconds: float, context: ToolContext) -> str:
    """Asks, then takes its time."""
    region = await context.interrupt(
        message="Which region?", response_schema={"enum": ["eu", "us"]}
    )
    await asyncio.sleep(seconds)
    return f"asked: {region}"


def broken(request: Any) -> list[str]:
    """The calls of a model input that don't have exactly one result, right after their step."""
    wrong, asked = [], []
    answered: Counter[str] = Counter()
    for message in request.messages:
        if hasattr(message, "calls"):
            asked += [asked_call.id for asked_call in message.calls]
        elif hasattr(message, "call_id"):
            answered[message.call_id] += 1
            wrong += [] if message.call_id in asked else [message.call_id]
    return wrong + [id_ for id_ in asked if answered[id_] != 1]


@pytest.mark.parametrize("parallel", [False, True])
async def test_random_stops_at_random_times(tmp_path: Path, parallel: bool):
    random = Random(16 + parallel)
    names = ["finish", "listen", "wait", "ask"]

    def step(request: Any) -> list[Any]:
        if random.random() < 0.3:
            return ["Some ", 0.05, "text."]
        calls = [
            call(random.choice(names), seconds=round(random.uniform(0.01, 0.9), 3))
            for _ in range(random.randint(1, 3))
        ]
        return [0.02, *(["Let me see. "] if random.random() < 0.5 else []), *calls]

    model = Script(step)
    tools = [finish, listen, wait, ask]
    agent = Agent("tester", model, "", tools, parallel_tool_calls=parallel)
    async with Desk(tmp_path, agent) as desk:
        for number in range(THREADS):
            ann = await desk.person("ann", thread=f"local:{number}")
            for _ in range(ROUNDS):
                said = await ann.say("go")
                await asyncio.sleep(random.uniform(0, 1.5))
                match random.choice(["stop", "now", "answer", "wait"]):
                    case "stop":
                        await ann.stop()
                    case "now":
                        said = await ann.say("instead", override="now")
                    case "answer":
                        await ann.say("eu")
                    case "wait":
                        await asyncio.sleep(random.uniform(0, 3))
                await ann.stop()
                await ann.outcome(said, within=60)
            await ann.leave()
    assert len(model.requests) > THREADS
    assert [problem for request in model.requests for problem in broken(request)] == []
    texts = {getattr(m, "content", "") for r in model.requests for m in r.messages}
    assert {"finished", "Interrupted: USER_SIGINT"} <= texts
