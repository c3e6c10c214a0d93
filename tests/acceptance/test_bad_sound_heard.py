"""Silence, music and another language while a question is open, to the real ears: nothing decides,
the question is put again, and stays for a clear answer. On a call, and as a voice note.
"""

import asyncio
from pathlib import Path

import numpy as np
import pytest

from tests.acceptance.asking import asking_agent, requests_of, results
from tests.acceptance.calling import CALLING, Caller
from tests.acceptance.real_ears import desk, room, says
from tests.acceptance.scripted import messages
from tests.acceptance.test_row_069_voice_notes import hearing
from tests.corpus.recordings import ogg
from tests.corpus.sounds import at_level, music
from tests.voice.engines.sounds import at_rate, espeak
from voice.core.pcm import Samples
from voice.engines.espeak import Library, Spoken

pytestmark = [CALLING, pytest.mark.slow, pytest.mark.timeout(240)]
FOREIGN = {
    "de": "Guten Tag, ich hätte gern ein Zimmer mit Frühstück.",
    "es": "Buenos días, ¿dónde está la estación de trenes?",
}


def foreign(language: str) -> Samples:
    spoken = Library().speak(FOREIGN[language], language.encode(), Spoken())
    return np.concatenate([room(300), at_rate(spoken.samples, 22_050, 16_000), room(300)])


def tune(seconds: int) -> Samples:
    chance = np.random.default_rng(7)
    parts = [music(chance) for _ in range(seconds)]
    return at_level(np.concatenate(parts)[: 16_000 * seconds], -24)


def asked_for(caller: Caller, text: str) -> int:
    """How often the question was heard."""
    return sum(text in caption for caption in caller.captions())


async def is_asked_again(ann: Caller, times: int) -> None:
    await ann.until(lambda: asked_for(ann, "Well?") >= times, 40, f"asked {times} times")
    await ann.until(lambda: not ann.playing(), 20, "prompt over")


@pytest.mark.parametrize("kind", ["silence", "music", "de"])
async def test_on_a_call(tmp_path: Path, cache: Path, kind: str):
    async with await desk(tmp_path, asking_agent(bool, message="Well?"), cache) as calls:
        page = await calls.person("ann")
        await page.say("go")
        ann = await calls.caller()
        await is_asked_again(ann, 1)
        await ann.wait(1)
        ann.make({"silence": room(8_000), "music": tune(8)}.get(kind, room(10)))
        if kind in FOREIGN:
            assert (await says(ann, foreign(kind)))["outcome"] != "answer"
        await is_asked_again(ann, 2)
        assert not page.find("decided")
        assert len(await calls.app.store.questions(open_only=True)) == 1
        await ann.wait(1)
        assert (await says(ann, espeak(Library(), "Yes.", "en")))["outcome"] == "answer"
        await page.ended(within=20)
        assert await results(page) == ["ask=True"]


async def test_another_language_in_a_note(tmp_path: Path, cache: Path):
    agent = asking_agent(bool, ["fine"], message="Go on?")
    async with hearing(tmp_path, cache, agent) as chats:
        ann = chats.private()
        ann.say("go")
        await ann.shows("Go on?")
        before = len(chats.calls("sendMessage"))
        ann.voice(ogg(foreign("es")))
        await asyncio.sleep(20)
        sent = [str(call["text"]) for call in chats.calls("sendMessage")[before:]]
        assert any("Go on?" in text for text in sent), sent
        assert len(await chats.app.store.questions(open_only=True)) == 1
        ann.voice(ogg(np.concatenate([room(400), espeak(Library(), "Yes.", "en"), room(400)])))
        await ann.shows("fine", within=30)
        assert messages(requests_of(agent)[1])[-1] == ("result", "ask=True")
