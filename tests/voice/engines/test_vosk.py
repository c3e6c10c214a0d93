"""Vosk by its real engine, on Korean, the one model that a package index has; espeak speaks."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest

from gateway.core.answers import Sayable
from gateway.core.errors import EngineFailed
from tests.voice.engines.sounds import at_rate, in_a_room, supervisor
from voice.core.pcm import Samples
from voice.engines.espeak import Library, Spoken
from voice.engines.vosk import VoskSpeechToText
from voice.engines.vosk_model import RATE, Model, Stream
from voice.ports import Expected

pytestmark = [pytest.mark.timeout(180), pytest.mark.xdist_group("vosk")]
WORDS = ("네", "아니요", "취소", "그만", "일", "이", "삼")
CHOICE = Expected({"enum": list(WORDS)}, ("ko", "en"))


@pytest.fixture(scope="module")
def vosk(korean: Path) -> Model:
    return Model(korean, "ko")


@pytest.fixture
async def engine(korean: Path) -> AsyncIterator[VoskSpeechToText]:
    engine = VoskSpeechToText(lambda: {"ko": korean}, supervisor())
    await engine.load()
    yield engine
    await engine.stop(10)


def say(library: Library, text: str, tail_ms: int = 400) -> Samples:
    spoken = library.speak(text, b"ko", Spoken()).samples
    return in_a_room(at_rate(spoken, 22_050, RATE), RATE, 300, tail_ms)


async def fed(engine: VoskSpeechToText, sound: Samples, expected: Expected | None = CHOICE):
    utterance = engine.listen("ko-KR", expected)
    for first in range(0, len(sound), RATE // 50):
        utterance.feed(sound[first : first + RATE // 50])
        await asyncio.sleep(0)
    return utterance


async def test_answers_are_heard_as_they_come(engine: VoskSpeechToText, library: Library):
    assert await engine.expect("ko", CHOICE) == ()
    for word in ("네", "아니요"):
        utterance = await fed(engine, say(library, word))
        assert (await utterance.pause()).text == word
        final = await utterance.final(paused=True)
        assert (final.text, final.confirm) == (word, True)
        assert (final.confidence or 0) > 0.8
        assert 200 <= (final.words[0].start_ms or 0) <= 900


async def test_partials_have_words_before_the_end(engine: VoskSpeechToText, library: Library):
    sound = say(library, "아니요", tail_ms=900)
    utterance = engine.listen("ko", CHOICE)
    heard = []
    for first in range(0, len(sound), RATE // 5):
        utterance.feed(sound[first : first + RATE // 5])
        heard.append((await utterance.partial()).text)
    assert heard[0] == ""
    assert heard[-1] == "아니요"
    assert heard.index("아니요") < len(heard) - 2


async def test_what_it_could_not_refuse_is_weak_evidence(
    engine: VoskSpeechToText, library: Library
):
    """This model has no word for what it doesn't know: what it took is to be confirmed."""
    for text in ("서울 부산", "빨강"):
        found = await (await fed(engine, say(library, text))).final()
        assert found.confirm or found.text not in WORDS, text


async def test_noise_and_nothing_have_no_words(engine: VoskSpeechToText):
    random = np.random.default_rng(5)
    for sound in (np.zeros(0), np.zeros(RATE), random.normal(0, 3e-4, RATE)):
        utterance = await fed(engine, sound.astype(np.float32))
        assert (await utterance.partial()).words == ()
        assert (await utterance.final()).words == ()


async def test_words_that_the_model_lacks_are_told(engine: VoskSpeechToText):
    answers = Expected({"enum": ["네", "зелёный", "red"]}, ("ko", "en"))
    missing = await engine.expect("ko", answers)
    assert {"зелёный", "red"} <= set(missing)
    assert "네" not in missing
    assert await engine.expect("ko", Expected({"type": "string"}, ("ko",))) == ()


async def test_many_callers_share_a_model(engine: VoskSpeechToText, library: Library):
    words = ["네", "아니요", "네"] * 2
    utterances = [await fed(engine, say(library, word)) for word in words]
    finals = await asyncio.gather(*(utterance.final() for utterance in utterances))
    assert [final.text for final in finals] == words


async def test_a_language_without_a_model_fails_and_says_how_to_add_it(engine: VoskSpeechToText):
    utterance = engine.listen("ru", None)
    with pytest.raises(EngineFailed, match="bargein models add vosk ru PATH"):
        await utterance.final()


async def test_closing_takes_back_what_waits(engine: VoskSpeechToText, library: Library):
    utterance = await fed(engine, say(library, "네"))
    waiting = asyncio.create_task(utterance.partial())
    await asyncio.sleep(0)
    utterance.close()
    assert (await waiting).words == ()


@pytest.mark.parametrize(
    ("paths", "said"),
    [({}, "no model; add one"), ({"ko": Path("/nowhere")}, "no directory /nowhere")],
)
async def test_without_a_model_it_says_why(paths: dict[str, Path], said: str):
    engine = VoskSpeechToText(lambda: paths, supervisor())
    with pytest.raises(EngineFailed, match=said):
        await engine.load()


def test_a_model_of_another_language_is_refused(korean: Path):
    with pytest.raises(EngineFailed, match="none of language 'ru'"):
        Model(korean, "ru")


@pytest.mark.parametrize("name", ["graph/Gr.fst", "am/final.mdl", "graph/HCLr.fst"])
def test_a_damaged_model_is_refused(korean: Path, tmp_path: Path, name: str):
    copy = tmp_path / "model"
    shutil.copytree(korean, copy, copy_function=shutil.copyfile)
    (copy / name).write_bytes((korean / name).read_bytes()[:5000])
    with pytest.raises(EngineFailed, match="is damaged"):
        Model(copy, "ko")


def test_a_grammar_is_what_the_model_knows(vosk: Model):
    grammar, missing = vosk.grammar(Sayable(("네", "아니요!", "зелёный 7"), ("삼",)), ("угу",))
    assert grammar == '["네", "아니요", "삼"]'
    assert missing == ("зелёный",)


def test_sound_after_an_end_of_its_own_is_one_utterance(vosk: Model, library: Library):
    grammar, _ = vosk.grammar(Sayable(WORDS), ())
    stream = Stream(vosk, grammar)
    for word in ("네", "아니요"):
        sound = say(library, word, tail_ms=1_500)
        for first in range(0, len(sound), 1_600):
            stream.feed(sound[first : first + 1_600])
    assert [word.text for word in stream.final()] == ["네", "아니요"]
