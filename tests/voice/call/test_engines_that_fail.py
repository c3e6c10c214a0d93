"""Ears and voices that fail: the caller hears or sees it; the call stays or ends."""

import asyncio

import pytest

from gateway import Agent
from tests.acceptance.asking import asking_agent
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script

pytestmark = CALLING

LONG = "I found three servers. All of them are idle since Monday. They cost ten dollars a day."


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "I couldn't make out what you said"),
        ("ru", "Не удалось разобрать ваши слова"),
    ],
)
async def test_a_recogniser_that_fails_once(tmp_path, language, told):
    async with CallDesk(tmp_path, Agent("a", Script(["Booked."]), "")) as desk:
        desk.may_fail = True
        ann = await desk.caller(language=language)
        desk.engines.ears.fails = True
        said = await ann.say("book the table")
        assert said["outcome"] == "noise"
        await ann.hears(told)
        assert ann.line.told("told")[0]["text"].startswith(told)
        desk.engines.ears.fails = False
        await ann.until(lambda: not ann.playing(), 20, "said")
        await ann.say("book the table")
        await ann.hears("Booked.")


async def test_a_recogniser_that_fails_again_and_again_ends_the_call(tmp_path):
    async with CallDesk(tmp_path, Agent("a", Script(["Booked."]), "")) as desk:
        desk.may_fail = True
        ann = await desk.caller()
        desk.engines.ears.fails = True
        for _ in range(3):
            await ann.say("book the table")
            await asyncio.sleep(6)
        await ann.until(lambda: ann.line.bye is not None, 15, "the call ends")
        assert ann.line.bye == "engine"
        assert "I can't hear anybody at the moment." in ann.caption()


async def test_a_failing_recogniser_answers_no_question(tmp_path):
    async with CallDesk(tmp_path, asking_agent(bool)) as desk:
        desk.may_fail = True
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await ann.hears("Well?")
        await ann.until(lambda: not ann.playing(), 20, "prompt over")
        desk.engines.ears.fails = True
        await ann.say("yes")
        desk.engines.ears.fails = False
        await asyncio.sleep(3)
        assert not page.find("decided")


async def test_a_recogniser_that_hangs(tmp_path):
    """What was heard so far is the input; it decides no question."""
    async with CallDesk(tmp_path, Agent("a", Script(["Booked."]), "")) as desk:
        ann = await desk.caller()
        desk.engines.ears.final_seconds = 60.0
        said = await ann.say("book the table", within=8)
        assert (said["text"], said["outcome"]) == ("book the table", "input")
        await ann.hears("Booked.")


@pytest.mark.parametrize("after", [0, 1])
async def test_a_voice_that_fails_leaves_the_text(tmp_path, after):
    """What it said is heard; the rest is on the page, and the run ends."""
    async with CallDesk(tmp_path, Agent("a", Script([LONG]), "")) as desk:
        desk.may_fail = True
        desk.engines.mouth.fails_at = after
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("show my servers")
        assert (await page.ended(within=20))["end"] == "completed"
        assert page.texts() == [LONG]
        assert ann.line.told("told")[0]["text"].startswith("My voice failed.")
        assert ann.state() == "listening"
        desk.engines.mouth.fails_at = None
        await ann.say("once more please")
        await ann.hears("a day.")


async def test_a_voice_that_hangs(tmp_path):
    async with CallDesk(tmp_path, Agent("a", Script([LONG]), "")) as desk:
        desk.may_fail = True
        desk.engines.mouth.hangs = True
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("show my servers")
        assert (await page.ended(within=25))["end"] == "completed"
        assert page.texts() == [LONG]


async def test_a_question_that_cannot_be_spoken_stays_on_the_page(tmp_path):
    async with CallDesk(tmp_path, asking_agent(bool, message="Shall I?")) as desk:
        desk.may_fail = True
        desk.engines.mouth.fails_at = 0
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        question = await page.frame("question")
        await ann.until(
            lambda: any(t["text"].startswith("Shall I?") for t in ann.line.told("told")), 5, "shown"
        )
        await page.press(question, "yes")
        assert (await page.ended())["end"] == "completed"


async def test_the_door_says_what_is_loading(tmp_path):
    async with CallDesk(tmp_path, Agent("a", Script(["Hi."]), "")) as desk:
        desk.engines.missing = ("whisper",)
        assert desk.calls.loading() == ("whisper",)
