"""Row 69: a voice note answers; one that cannot be understood asks again and stays pending.

With the real recogniser: what is said is spoken by a voice of the corpus and sent as OGG/Opus.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gateway import Agent
from gateway.channels.callers import engines_of
from gateway.settings import Settings
from tests.acceptance.asking import asking_agent, requests_of
from tests.acceptance.scripted import Script, messages
from tests.acceptance.telegram import ANN, TelegramDesk
from tests.corpus.recordings import ogg, wav
from tests.corpus.sounds import music
from tests.corpus.voices import voices
from tests.fakes.voice import FakeEngines
from voice.core.pcm import Samples

pytestmark = [pytest.mark.looptime, pytest.mark.slow, pytest.mark.timeout(120)]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("weights")


@asynccontextmanager
async def hearing(
    directory: Path, cache: Path, agent: Agent, **voice: Any
) -> AsyncIterator[TelegramDesk]:
    given = {"enabled": True, "cache": cache, **voice}
    engines = engines_of(Settings.model_validate({"voice": given}))
    assert engines is not None
    async with TelegramDesk(directory, agent, voice=given, engines=engines) as desk:
        yield desk


def spoken(text: str, language: str, lead_ms: int = 400) -> Samples:
    """Said into a phone that records a little before and after."""
    speakers = [*voices(language, "dev"), *voices(language, "held")]
    if text == "да":  # of espeak's the recogniser makes "Та"
        speakers = [voice for voice in speakers if voice.name.startswith("festival")]
        if not speakers:
            pytest.skip("needs Debian's festvox-ru")
    said = speakers[0].say(text, 1.0)
    quiet = np.random.default_rng(69).normal(0, 3e-4, 16 * lead_ms).astype(np.float32)
    return np.concatenate([quiet, said, quiet])


def noise(seconds: float) -> Samples:
    chance = np.random.default_rng(69)
    return chance.normal(0, 0.05, round(16_000 * seconds)).astype(np.float32)


@pytest.mark.parametrize(
    ("language", "text", "value"), [("ru", "да", True), ("en", "yes", True), ("ru", "нет", False)]
)
async def test_a_note_answers(tmp_path: Path, cache: Path, language: str, text: str, value: bool):
    agent = asking_agent(bool, ["fine"], message="Go on?")
    async with hearing(tmp_path, cache, agent) as desk:
        ann = desk.private(language=language)
        ann.say("go")
        await ann.shows("Go on?")
        ann.voice(ogg(spoken(text, language)))
        await ann.shows("fine", within=30)
        assert messages(requests_of(agent)[1])[-1] == ("result", f"ask={value!r}")
        told = [message.text.casefold() for message in ann.visible()]
        assert any(text in line and ("heard" in line or "услышано" in line) for line in told)
        (row,) = [r for r in await desk.app.store.inputs(f"telegram:{ANN}") if r.new.attachments]
        assert (row.new.how, row.new.attachments[0].kind) == ("voice", "voice")
        assert row.outcome == "decided"


async def test_a_note_that_is_no_answer_is_a_message(tmp_path: Path, cache: Path):
    agent = Agent("a", Script(["here they are"]), "")
    async with hearing(tmp_path, cache, agent) as desk:
        ann = desk.private()
        ann.voice(ogg(spoken("please show me all my servers", "en")))
        await ann.shows("here they are", within=30)
        ((kind, text),) = messages(requests_of(agent)[0])
        assert kind == "user"
        assert "servers" in text


@pytest.mark.parametrize("made", ["noise", "silence", "music"])
async def test_what_cannot_be_understood_asks_again(tmp_path: Path, cache: Path, made: str):
    """As often as it comes: it is no try, and nothing is decided."""
    sound = {
        "noise": noise(2),
        "silence": np.zeros(32_000, dtype=np.float32),
        "music": 0.1 * music(np.random.default_rng(69)),
    }[made]
    agent = asking_agent(bool, ["fine"], message="Go on?")
    async with hearing(tmp_path, cache, agent) as desk:
        ann = desk.private()
        ann.say("go")
        await ann.shows("Go on?")
        for _ in range(4):
            before = len(desk.calls("sendMessage"))
            ann.voice(ogg(sound))
            await ann.shows("couldn't make out", within=30)
            await asyncio.sleep(5)
            sent = [str(call["text"]) for call in desk.calls("sendMessage")[before:]]
            assert any("Go on?" in text for text in sent)
        (question,) = await desk.app.store.questions(open_only=True)
        assert (question.tries, question.decision) == (0, None)
        ann.say("yes")
        await ann.shows("fine")


async def test_bad_recordings_are_told_and_the_question_stays(tmp_path: Path, cache: Path):
    agent = asking_agent(bool, ["fine"], message="Go on?")
    async with hearing(tmp_path, cache, agent, note_seconds=60) as desk:
        ann = desk.private()
        ann.say("go")
        await ann.shows("Go on?")
        ann.voice(b"OggS this is none" * 20)
        await ann.shows("can't be played", within=30)
        ann.voice(ogg(noise(61)))
        await ann.shows("longer than 1 min", within=30)
        assert len(await desk.app.store.questions(open_only=True)) == 1
        ann.voice(ogg(spoken("yes", "en")))
        await ann.shows("fine", within=30)


async def test_one_that_was_being_listened_to_at_a_crash_still_answers(tmp_path: Path):
    """It was kept when it came, which is the time of its answer."""
    engines = FakeEngines()
    engines.ears.final_seconds = 8.0
    note = wav(engines.ears.say("yes"))
    agent = asking_agent(bool, ["fine"], message="Go on?", expires_in=60)
    async with TelegramDesk(tmp_path, agent, engines=engines) as desk:
        ann = desk.private()
        ann.say("go")
        await ann.shows("Go on?")
        await asyncio.sleep(55)
        ann.voice(note)
        await asyncio.sleep(3)
        await desk.kill()
        await desk.start()
        await ann.shows("fine", within=30)
        assert messages(requests_of(agent)[1])[-1] == ("result", "ask=True")
