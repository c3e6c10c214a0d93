"""An answer stands for the question it was given to: a changed question is asked anew."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call, messages

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("killed", [False, True])
async def test_a_question_that_changed_is_asked_anew(tmp_path: Path, killed: bool):
    prices = [10, 12, 12, 12]

    @tool
    async def order(context: ToolContext) -> str:
        """Asks for the price of the moment."""
        price = prices.pop(0)
        yes = await context.interrupt(message=f"Pay {price}?", response_schema=bool)
        return f"{price}: {yes}"

    model = Script([call("order")], ["whole"])
    async with Desk(tmp_path, Agent("t", model, "", [order])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        await ann.frame("question", lambda d: d["question"]["message"] == "Pay 10?")
        await asyncio.sleep(1)
        assert (await ann.outcome(await ann.say("yes")))[0] == "decided"
        await ann.frame("question", lambda d: d["question"]["message"] == "Pay 12?")
        await asyncio.sleep(1)
        if killed:
            await desk.kill()
            await desk.start()
            ann = await desk.person("ann")
        assert (await ann.outcome(await ann.say("no")))[0] == "decided"
        assert await ann.outcome(said) == ("answered", "")
        assert messages(model.requests[1])[-1] == ("result", "12: False")
        questions = await desk.app.store.questions(thread="local:1")
        assert [q.status.value for q in questions] == ["cancelled", "answered"]
