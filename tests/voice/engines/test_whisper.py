import asyncio
import threading
from pathlib import Path

import numpy as np
import pytest

from gateway.core.errors import EngineFailed
from tests.voice.engines.sounds import espeak, in_a_room, prompt, supervisor
from voice.core.pcm import Samples
from voice.core.words import SpokenWord, plain
from voice.engines.espeak import Library
from voice.engines.whisper import WhisperListening, WhisperSpeechToText, joined, piece_end
from voice.engines.whisper_features import FRAMES_PER_SECOND, MELS, RATE, log_mel
from voice.engines.whisper_model import Model
from voice.engines.worker import Worker
from voice.ports import Hypothesis

pytestmark = pytest.mark.timeout(180)  # a second each where nothing else runs
LONG = 60.0
STORY = (
    "The first sentence is about Monday.",
    "Then there is one about a train to London.",
    "I had coffee with my brother this morning.",
    "Please book a table for four people.",
    "The weather will be sunny on Friday.",
    "Nobody knows where the old house was.",
    "Seven children played in the garden.",
    "In the end we went home by bus.",
    "My computer needs a new screen.",
    "Could you send me the report tomorrow?",
    "We should buy bread and milk.",
    "My sister lives in a small town by the sea.",
    "I think it is going to rain.",
)


@pytest.fixture
def worker(model: Model) -> Worker[Model]:
    return Worker("whisper", lambda: model, supervisor(), prepare_seconds=LONG)


def listening(worker: Worker[Model], language: str, sound: Samples) -> WhisperListening:
    heard = WhisperListening(worker, language)
    for first in range(0, len(sound), 320):
        heard.feed(sound[first : first + 320])
    return heard


@pytest.mark.parametrize(
    ("language", "name", "words"),
    [
        ("en", "please-try-again", "please try again"),
        ("en", "vm-goodbye", "goodbye"),
        ("en", "digits/20", "20"),
        ("en", "digits/day-3", "wednesday"),
        ("en", "conf-onlyperson", "you are currently the only person in this conference"),
        ("ru", "please-try-again", "пожалуйста попробуйте еще раз"),
        ("ru", "digits/3", "3"),
        ("ru", "digits/day-3", "среда"),
    ],
)
async def test_people_are_understood(worker: Worker[Model], language: str, name: str, words: str):
    sound = in_a_room(prompt(language, name), RATE)
    heard = await listening(worker, language, sound).final()
    numbers = {"twenty": "20", "три": "3"}
    text = plain(heard.text)
    assert numbers.get(text, text).replace("ё", "е") == words
    assert heard.confidence is not None
    assert 0.2 < heard.confidence <= 1.0
    starts = [word.start_ms for word in heard.words]
    assert all(start is not None and start >= 200 for start in starts)
    assert len(sound) * 1000 // RATE > max(start for start in starts if start is not None)


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("en", "No, not Monday but Tuesday please.", "no not monday but tuesday please"),
        ("en", "Stop.", "stop"),
        ("ru", "Стоп.", "стоп"),
        ("ru", "Нет.", "нет"),
    ],
)
async def test_espeak_is_understood(
    worker: Worker[Model], library: Library, language: str, text: str, words: str
):
    sound = in_a_room(espeak(library, text, language), RATE)
    heard = await listening(worker, language, sound).final()
    assert plain(heard.text) == words


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_noise_has_no_words(worker: Worker[Model], language: str):
    random, second = np.random.default_rng(5), np.arange(RATE)
    fading = np.exp(-np.arange(RATE // 2) / 1_600)
    noises = {
        "silence": np.zeros(RATE),
        "a room": random.normal(0, 1e-3, RATE),
        "a fan": random.normal(0, 0.02, 3 * RATE),
        "a tone": 0.1 * np.sin(2 * np.pi * 440 / RATE * second),
        "a hum": 0.05 * np.sin(2 * np.pi * 50 / RATE * second),
        "a cough": random.normal(0, 0.3, RATE // 2) * fading,
        "clicks": np.where(second % 4_000 < 40, 0.5, 0.0) * random.normal(0, 1, RATE),
        "nothing at all": np.zeros(0),
    }
    for name, noise in noises.items():
        utterance = listening(worker, language, noise.astype(np.float32))
        assert await utterance.partial() == Hypothesis(), name
        assert await utterance.final() == Hypothesis(), name


async def test_partials_grow_into_the_final(worker: Worker[Model], library: Library):
    sound = in_a_room(
        espeak(library, "Please delete the server in Frankfurt tomorrow.", "en"), RATE
    )
    utterance = WhisperListening(worker, "en")
    counts = []
    for first in range(0, len(sound), RATE // 2):
        utterance.feed(sound[first : first + RATE // 2])
        counts.append(len((await utterance.partial()).words))
    final = await utterance.final()
    assert counts[0] <= 1
    assert max(counts) >= 5
    assert plain(final.text).startswith("please delete the server")


async def test_a_long_utterance_keeps_its_first_words(worker: Worker[Model], library: Library):
    sentences = [in_a_room(espeak(library, text, "en"), RATE) for text in STORY]
    sound = np.concatenate(sentences)
    assert len(sound) > 31 * RATE
    utterance = listening(worker, "en", sound[: 14 * RATE])
    before = await utterance.partial()
    utterance.feed(sound[14 * RATE : 20 * RATE])
    partial = await utterance.partial()
    for heard in (before, partial):
        assert plain(heard.text).startswith("the first sentence is about monday")
    assert len(partial.words) >= len(before.words) + 8
    utterance.feed(sound[20 * RATE :])
    final = await utterance.final()
    text = final.text.lower()
    places = [text.index(word) for word in ("monday", "coffee", "friday", "bus", "milk", "to rain")]
    assert places == sorted(places)
    starts = [word.start_ms or 0 for word in final.words]
    assert starts == sorted(starts)
    assert starts[-1] > 30_000


async def test_partials_that_are_asked_for_at_once_share_a_decode(model: Model):
    begun, go, decodes = threading.Event(), threading.Event(), list[str]()
    worker = Worker("whisper", lambda: model, supervisor(), prepare_seconds=LONG)

    def hold(model: Model) -> None:
        begun.set()
        go.wait(60)

    class Counting(WhisperListening):
        def _decode_window(self, model: Model) -> Hypothesis:
            decodes.append("partial")
            return Hypothesis((SpokenWord("so", 0),))

        def _decode_all(self, model: Model) -> Hypothesis:
            decodes.append("final")
            return Hypothesis((SpokenWord("so", 0), SpokenWord("far", 100)))

    held = worker.submit(hold, seconds=LONG)
    await asyncio.get_running_loop().run_in_executor(None, begun.wait)
    ours, theirs = Counting(worker, "en"), Counting(worker, "en")
    asked = [asyncio.create_task(ours.partial()) for _ in range(3)]
    await asyncio.sleep(0)
    asked[1].cancel()
    other = asyncio.create_task(theirs.final())
    await asyncio.sleep(0)
    go.set()
    await held
    assert (await asked[0]).text == (await asked[2]).text == "so"
    assert (await other).text == "so far"
    assert decodes == ["final", "partial"]


async def test_a_final_takes_the_place_of_its_own_partial(model: Model):
    begun, go = threading.Event(), threading.Event()
    worker = Worker("whisper", lambda: model, supervisor(), prepare_seconds=LONG)

    def hold(model: Model) -> None:
        begun.set()
        go.wait(60)

    held = worker.submit(hold, seconds=LONG)
    await asyncio.get_running_loop().run_in_executor(None, begun.wait)
    utterance = WhisperListening(worker, "en")
    partial = asyncio.create_task(utterance.partial())
    await asyncio.sleep(0)
    final = asyncio.create_task(utterance.final())
    await asyncio.sleep(0)
    go.set()
    await held
    assert await partial == await final == Hypothesis()


async def test_the_engine_loads_its_packaged_weights(cache: Path, library: Library):
    engine = WhisperSpeechToText(cache, supervisor())
    await engine.load()
    utterance = engine.listen("en-GB", None)
    utterance.feed(in_a_room(espeak(library, "Stop.", "en"), engine.rate))
    assert plain((await utterance.final()).text) == "stop"


async def test_a_language_that_it_doesnt_know_fails(worker: Worker[Model], library: Library):
    sound = espeak(library, "Hello.", "en")
    with pytest.raises(EngineFailed, match="xx"):
        await listening(worker, "xx", sound).final()


def test_what_is_missing_of_a_window_is_its_quietest():
    tone = (0.1 * np.sin(np.arange(RATE) / 10)).astype(np.float32)
    mel = log_mel(tone, 3 * FRAMES_PER_SECOND)
    assert mel.shape == (MELS, 300)
    assert mel.dtype == np.float32
    assert np.all(mel[:, 100:] == mel[:, :100].min())
    assert mel.max() - mel.min() <= 2.0 + 1e-6
    assert np.array_equal(log_mel(tone, 50), log_mel(tone[: 50 * 160], 50))
    assert log_mel(tone[:0], 50).shape == (MELS, 50)


def test_long_sound_is_divided_where_it_is_quiet():
    sound = np.ones(40 * RATE, dtype=np.float32)
    sound[26 * RATE : 26 * RATE + RATE // 4] = 0.0
    assert 26 * RATE < piece_end(sound, 0) < 26 * RATE + RATE // 4
    assert piece_end(sound, 15 * RATE) == len(sound)


def test_pieces_are_joined_with_their_times():
    one = Hypothesis((SpokenWord("one", 100),), ("won",), 0.9)
    two = Hypothesis((SpokenWord("two", 50),), ("too",), 0.4)
    assert joined(Hypothesis(), one, 0) == one
    assert joined(one, two, 2 * RATE) == Hypothesis(
        (SpokenWord("one", 100), SpokenWord("two", 2_050)), (), 0.4
    )
    assert joined(one, Hypothesis(), RATE) == Hypothesis(one.words, (), 0.9)
