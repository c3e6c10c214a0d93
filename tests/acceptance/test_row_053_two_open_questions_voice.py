"""Row 53 by voice: two open questions are put one by one, and each takes its own answer."""

from pathlib import Path

import pytest

from gateway import Agent
from tests.acceptance.asking import asker, results
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script, call

pytestmark = CALLING


@pytest.mark.parametrize(
    ("language", "go", "one", "two"), [("en", "go", "yes", "no"), ("ru", "начни", "да", "нет")]
)
async def test_one_by_one(tmp_path: Path, language: str, go: str, one: str, two: str):
    tools = [
        asker("Shall the first one go?", bool, name="first"),
        asker("Shall the second one go?", bool, name="second"),
    ]
    model = Script([call("first"), call("second")], ["fine"])
    async with CallDesk(
        tmp_path, Agent("tester", model, tools=tools, parallel_tool_calls=True)
    ) as desk:
        page = await desk.person("ann", language=language)
        ann = await desk.caller(language=language)
        await ann.say(go)
        await ann.hears("Shall the first one go?")
        await ann.until(lambda: not ann.playing(), 20, "prompt over")
        assert not any("second" in text for text in ann.captions())
        assert (await ann.say(one))["outcome"] == "answer"
        await ann.hears("Shall the second one go?")
        await ann.until(lambda: not ann.playing(), 20, "prompt over")
        assert (await ann.say(two))["outcome"] == "answer"
        await ann.hears("fine")
        assert sorted(await results(page)) == ["first=True", "second=False"]


async def test_the_second_may_be_answered_on_the_page_meanwhile(tmp_path: Path):
    """It is not put any more; the first stays open to the voice."""
    tools = [asker("The first one?", bool, name="first"), asker("And that?", bool, name="second")]
    model = Script([call("first"), call("second")], ["fine"])
    async with CallDesk(
        tmp_path, Agent("tester", model, tools=tools, parallel_tool_calls=True)
    ) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        frames = [await page.frame("question"), await page.frame("question")]
        second = next(f for f in frames if f["data"]["question"]["message"] == "And that?")
        await ann.hears("The first one?")
        await page.press(second, "no")
        await ann.until(lambda: not ann.playing(), 20, "prompt over")
        await ann.say("yes")
        await ann.hears("fine")
        assert sorted(await results(page)) == ["first=True", "second=False"]
        assert not any("And that?" in text for text in ann.captions())
