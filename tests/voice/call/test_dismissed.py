"""Who may not speak any more is not heard to the end of the word."""

import asyncio

import pytest

from gateway import Agent, tool
from tests.acceptance.calling import CALLING, TOKEN, CallDesk
from tests.acceptance.scripted import Script, call

pytestmark = CALLING


@tool(approval=True)
async def restart(name: str) -> str:
    """Restarts it."""
    return f"restarted {name}"


@pytest.mark.parametrize(("dismissed", "after"), [(True, 0.15), (True, 0.5), (False, 0.5)])
async def test_a_yes_in_the_middle_of_which_a_token_is_revoked(tmp_path, dismissed, after):
    model = Script([call("restart", name="alpha")], ["fine"])
    async with CallDesk(tmp_path, Agent("tester", model, tools=[restart])) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await ann.hears("restart, name alpha?")
        await asyncio.sleep(1)
        ann.speak("yes")
        await asyncio.sleep(after)
        if dismissed:
            ann.actor.dismiss()
        else:
            ann.actor.hang_up()
        await asyncio.sleep(15)
        assert bool(page.find("decided")) is not dismissed
        inputs = [row["text"] for row in (await page.export())["inputs"]]
        assert inputs == (["go"] if dismissed else ["go", "yes"])


async def test_a_yes_whose_line_was_lost_before_its_token_was_revoked(tmp_path):
    model = Script([call("restart", name="alpha")], ["fine"])
    async with CallDesk(tmp_path, Agent("tester", model, tools=[restart])) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await ann.hears("restart, name alpha?")
        await asyncio.sleep(1)
        ann.speak("yes")
        await asyncio.sleep(0.15)
        ann.actor.lost(ann.line)
        await asyncio.sleep(0.15)
        desk.calls.dismiss([TOKEN])
        await asyncio.sleep(15)
        assert not page.find("decided")
        assert [row["text"] for row in (await page.export())["inputs"]] == ["go"]


async def test_a_call_goes_by_the_token_it_went_on_with(tmp_path):
    async with CallDesk(tmp_path, Agent("tester", Script(["Hello."]))) as desk:
        ann = await desk.caller()
        await ann.call(token="another")
        desk.calls.dismiss([TOKEN])
        assert desk.calls.count() == 1
        desk.calls.dismiss(["another"])
        assert desk.calls.count() == 0
