"""What talking over a reply does where the thread's mode lets the run go on."""

import asyncio

import pytest

from gateway import Agent
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script

pytestmark = CALLING

LONG = "I found three servers. All of them are idle since Monday. They cost ten dollars a day."


@pytest.mark.parametrize("mode", ["steer", "enqueue", "collect"])
async def test_the_reply_goes_on_behind_what_was_heard(tmp_path, mode):
    """The words wait; the reply is heard to its end, no word twice, then they are answered."""
    agent = Agent("a", Script([LONG], ["And that too."]), "")
    async with CallDesk(tmp_path, agent, mode=mode) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("All of")
        await ann.say("and then restart the first one")
        await ann.hears("a day.")
        await ann.hears("And that too.")
        await asyncio.sleep(2)
        assert [run["end"] for run in page.find("run", state="ended")] == ["completed"] * 2
        spoken = " ".join(clause.spoken.text for clause, _ in desk.engines.mouth.made)
        assert spoken.count("found") == 1
        assert ann.captions()[-2:] == [LONG, "And that too."]
        log = await page.export()
        whole = next(e["body"] for e in log["entries"] if e["kind"] == "assistant")
        assert whole["text"] == LONG
        assert "interrupted" not in whole["metadata"]


async def test_a_refused_sentence_is_told(tmp_path):
    agent = Agent("a", Script([LONG]), "")
    async with CallDesk(tmp_path, agent, mode="reject") as desk:
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("All of")
        await ann.say("and then restart the first one")
        await ann.hears("I'm busy and didn't take that.")
        await ann.hears("a day.")


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "I've noted that; it is next, once what is going on is done."),
        ("ru", "Это записано; до него дойдёт очередь сразу после текущего."),
    ],
)
async def test_who_waits_for_somebody_else_is_told(tmp_path, language, told):
    """Words that wait while nothing is said to their speaker."""
    team = "local:team"
    agent = Agent("a", Script([LONG], ["For bob."]), "")
    async with CallDesk(tmp_path, agent, allow=["ann", "bob"], shared=[team]) as desk:
        ann = await desk.caller("ann", team)
        bob = await desk.caller("bob", team, language)
        await ann.say("show my servers")
        await ann.hears("All of")
        assert (await bob.say("and mine please"))["outcome"] == "input"
        await bob.hears(told)
        await ann.hears("a day.")
        await bob.hears("For bob.")
        assert ann.captions() == [LONG]
        assert bob.captions() == [told, "For bob."]
