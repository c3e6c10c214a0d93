"""The stop button silences at once, whatever the engine is busy with."""

import asyncio

from gateway import Agent
from tests.acceptance.asking import asking_agent
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script

pytestmark = CALLING
LONG = (
    "I found three servers. All of them are idle. Two cost ten dollars a day. That is all I know."
)


class SlowStore:
    """A store that is busy elsewhere: it says only after a while what it knows."""

    def __init__(self, inner):
        self.inner = inner

    def __getattr__(self, name):
        return getattr(self.inner, name)

    async def known(self, dedup):
        await asyncio.sleep(2)
        return await self.inner.known(dedup)


async def test_the_sound_does_not_wait_for_the_store(tmp_path):
    agent = Agent("a", Script([LONG]), "")
    async with CallDesk(tmp_path, agent, wrap=SlowStore) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("All of")
        pressed = desk.time()
        ann.actor.stop()
        ended = await page.ended()
        assert (ended["end"], ended["reason"]) == ("interrupted", "USER_SIGINT")
        assert ann.line.when("clear") / 1000 - pressed <= 0.02
        heard = ann.caption()
        await asyncio.sleep(10)
        assert ann.caption() == heard
        cut = next(e for e in (await page.export())["entries"] if e["kind"] == "assistant")
        assert cut["body"]["text"] == heard


async def test_of_a_question_too(tmp_path):
    agent = asking_agent({"enum": ["eu", "us"]}, message="Which of all regions shall it be?")
    async with CallDesk(tmp_path, agent, wrap=SlowStore) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await ann.hears("Which of")
        pressed = desk.time()
        ann.actor.stop()
        assert ann.line.when("clear") / 1000 - pressed <= 0.02
        assert (await page.ended())["reason"] == "USER_SIGINT"
        assert not ann.playing()


async def test_pressed_again_and_again_it_is_one_stop(tmp_path):
    async with CallDesk(tmp_path, Agent("a", Script([LONG], ["More."]), "")) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("All of")
        for _ in range(3):
            ann.actor.stop()
        await page.ended()
        await asyncio.sleep(5)
        assert len(ann.line.told("clear")) == 1
        await ann.say("and now")
        await ann.hears("More.")
