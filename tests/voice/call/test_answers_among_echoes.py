"""An answer that was heard together with our own words, come back."""

import asyncio

import pytest

from gateway import Agent, tool
from tests.acceptance.asking import asking_agent, results
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script, call

pytestmark = CALLING


@tool(approval=True, destructive=True)
async def delete_servers(names: list[str]) -> str:
    """Deletes them."""
    return f"deleted {len(names)}"


@tool(approval=True)
async def restart(names: list[str]) -> str:
    """Restarts them."""
    return f"restarted {len(names)}"


@pytest.mark.parametrize("run", ["delete_servers", "restart"])
@pytest.mark.parametrize(
    ("language", "go", "yes"), [("en", "go", "approve"), ("ru", "начни", "разрешаю")]
)
async def test_a_yes_among_our_own_words_gives_no_leave(tmp_path, run, language, go, yes):
    model = Script([call(run, names=["alpha", "beta"])], ["fine"])
    agent = Agent("tester", model, tools=[delete_servers, restart])
    async with CallDesk(tmp_path, agent) as desk:
        page = await desk.person("ann", language=language)
        ann = await desk.caller(language=language)
        await ann.say(go)
        await ann.hears("alpha,")
        await asyncio.sleep(0.2)
        said = await ann.say(f"alpha beta {yes}")
        assert said["outcome"] == "unclear"
        await asyncio.sleep(6)
        assert not page.find("decided")
        await ann.say(yes)
        await asyncio.sleep(8)
        assert len(page.find("decided")) == (run == "restart")


async def test_of_an_answer_among_our_own_words_theirs_is_taken(tmp_path):
    async with CallDesk(tmp_path, asking_agent({"type": "string"}, message="alpha, beta?")) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await ann.hears("alpha,")
        await asyncio.sleep(0.2)
        await ann.say("alpha beta gamma")
        await ann.hears("fine")
        assert await results(page) == ["ask='gamma'"]
