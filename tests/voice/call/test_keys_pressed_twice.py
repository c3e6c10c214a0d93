"""A key that is pressed twice, or a moment too late, is for the question that was heard."""

import asyncio

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.asking import results
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script, call

pytestmark = CALLING


@tool
async def book(context: ToolContext) -> str:
    """Books."""
    await context.interrupt(message="Shall I book it?", kind="approval")
    rooms = {"enum": ["one", "two"]}
    return str(await context.interrupt(message="Which room of these?", response_schema=rooms))


@pytest.mark.parametrize("after", [0.05, 0.25, 0.6])
async def test_the_second_press_is_no_answer_to_the_next_question(tmp_path, after):
    model = Script([call("book")], ["fine"])
    async with CallDesk(tmp_path, Agent("tester", model, tools=[book])) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await ann.hears("book it?")
        ann.actor.key("1")
        await asyncio.sleep(after)
        ann.actor.key("1")
        await ann.hears("Which room of these?")
        assert len(page.find("decided")) == 1
        ann.actor.key("2")
        await ann.hears("fine")
        assert await results(page) == ["two"]
