"""Rows 40 and 41 with a real recogniser: what is said to an approval, and what never allows it."""

from pathlib import Path

import pytest

from gateway import Agent, tool
from tests.acceptance.asking import results
from tests.acceptance.calling import CALLING
from tests.acceptance.real_ears import desk, recorded, room, says
from tests.acceptance.scripted import Script, call
from tests.voice.engines.sounds import espeak
from voice.engines.espeak import Library

pytestmark = [CALLING, pytest.mark.timeout(240)]


@tool(approval=True)
async def restart(name: str) -> str:
    """Restarts it."""
    return f"restarted {name}"


def restarting() -> Agent:
    return Agent("tester", Script([call("restart", name="alpha")], ["fine"]), tools=[restart])


async def asked(calls, language: str):
    page = await calls.person("ann", language=language)
    await page.say("go")
    ann = await calls.caller(language=language)
    await ann.hears("alpha?")
    await ann.until(lambda: not ann.playing(), 20, "prompt over")
    await ann.wait(1)
    return page, ann


@pytest.mark.parametrize("text", ["Yes but not now.", "Maybe.", "No problem.", "Yesterday."])
async def test_unclear_words_allow_nothing(tmp_path: Path, cache: Path, text: str):
    async with await desk(tmp_path, restarting(), cache) as calls:
        page, ann = await asked(calls, "en")
        ann.make(room(200))
        await says(ann, espeak(Library(), text, "en"))
        await ann.wait(4)
        assert not page.find("decided")


@pytest.mark.parametrize("name", ["digits/day-3", "digits/0", "digits/2", "hello"])
async def test_other_russian_words_allow_nothing(tmp_path: Path, cache: Path, name: str):
    async with await desk(tmp_path, restarting(), cache) as calls:
        page, ann = await asked(calls, "ru")
        await says(ann, recorded("ru", name))
        await ann.wait(4)
        assert not page.find("decided")


@pytest.mark.parametrize(("text", "status"), [("Yes.", "approved"), ("No.", "denied")])
async def test_a_clear_word_decides(tmp_path: Path, cache: Path, text: str, status: str):
    async with await desk(tmp_path, restarting(), cache) as calls:
        page, ann = await asked(calls, "en")
        ann.make(room(200))
        assert (await says(ann, espeak(Library(), text, "en")))["outcome"] == "answer"
        await page.ended(within=20)
        assert page.find("decided")[0]["status"] == status
        assert (await results(page) == ["restarted alpha"]) is (status == "approved")
