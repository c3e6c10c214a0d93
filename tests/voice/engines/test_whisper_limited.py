"""Answers to an open question by the real model: heard where free text fails, else refused."""

import numpy as np
import pytest

from gateway.core.answers import Value, parse_answer
from gateway.core.answers.slips import distance
from tests.corpus.voices import trimmed, voices
from tests.voice.engines.sounds import espeak, in_a_room, prompt, supervisor
from voice.core.pcm import Samples
from voice.engines.espeak import Library
from voice.engines.whisper import WhisperListening
from voice.engines.whisper_answers import answers_of
from voice.engines.whisper_features import RATE
from voice.engines.whisper_limited import read_answer
from voice.engines.whisper_model import Model
from voice.engines.worker import Worker
from voice.ports import Expected, Hypothesis

pytestmark = pytest.mark.timeout(180)
NUMBER = {"type": "integer", "minimum": 0, "maximum": 99}
_DAYS = {
    "en": "monday tuesday wednesday thursday friday saturday sunday",
    "ru": "понедельник вторник среда четверг пятница суббота воскресенье",
}
DAYS = {language: {"enum": days.split()} for language, days in _DAYS.items()}
YES_NO = {"type": "boolean"}
OTHER = {"en": "ru", "ru": "en"}


def heard(model: Model, language: str, sound, schema) -> tuple[object, Hypothesis]:
    answers = answers_of(model, Expected(schema, (language, OTHER[language])), language)
    assert answers is not None
    found = read_answer(model, in_a_room(sound, RATE), answers)
    outcome = parse_answer(
        found.text,
        schema,
        languages=(language, OTHER[language]),
        channel="speech",
        alternatives=found.alternatives,
    )
    return outcome.value if isinstance(outcome, Value) else None, found


@pytest.mark.parametrize(
    ("name", "number"), [("digits/13", 13), ("digits/7", 7), ("digits/20", 20)]
)
def test_a_number_in_english(model: Model, name: str, number: int):
    assert heard(model, "en", prompt("en", name), NUMBER)[0] == number


@pytest.mark.parametrize(
    ("name", "schema", "value", "free"),
    [
        ("digits/90", NUMBER, 90, False),
        ("digits/40", NUMBER, 40, False),
        ("digits/3", NUMBER, 3, True),
        # «Мол», most like «ноль», is surely that when it is heard slower.
        ("digits/0", NUMBER, 0, False),
        ("digits/day-2", DAYS["ru"], "вторник", False),
        ("digits/day-3", DAYS["ru"], "среда", True),
    ],
)
def test_what_free_text_misses_is_heard_as_an_answer(
    model: Model, name: str, schema: object, value: object, free: bool
):
    found, hypothesis = heard(model, "ru", prompt("ru", name), schema)
    assert found == value
    assert hypothesis.confirm is not free
    assert 0 < (hypothesis.confidence or 0) <= 1


@pytest.mark.parametrize(
    ("language", "name", "schema"),
    [
        ("ru", "digits/day-3", YES_NO),
        ("ru", "digits/0", YES_NO),
        ("en", "digits/0", YES_NO),
        ("en", "digits/yesterday", YES_NO),
        ("en", "digits/day-1", NUMBER),
        ("en", "please-try-again", NUMBER),
        ("ru", "digits/day-5", NUMBER),
        ("ru", "please-try-again", DAYS["ru"]),
        ("en", "tt-weasels", DAYS["en"]),
    ],
)
def test_what_is_no_answer_is_refused(model: Model, language: str, name: str, schema: object):
    value, hypothesis = heard(model, language, prompt(language, name), schema)
    assert value is None
    assert not hypothesis.confirm


@pytest.mark.parametrize(
    ("text", "yes"), [("Yes.", True), ("No.", False), ("Yes but not now.", None), ("Maybe.", None)]
)
def test_yes_and_no(model: Model, library: Library, text: str, yes: bool | None):
    assert heard(model, "en", espeak(library, text, "en"), YES_NO)[0] is yes


def test_two_guesses_are_no_answer(model: Model):
    """Of espeak's "nineteen" it makes "Hainting", most like 18, and slower "ten"."""
    voice = next(one for one in voices("en", "dev") if one.name == "espeak:en-us")
    said = trimmed(voice.say("nineteen", 1.0))
    line = np.concatenate([np.zeros(4_800), said, np.zeros(4_000)])
    noise = np.random.default_rng(0).normal(0, 3e-4, len(line))
    answers = answers_of(model, Expected(NUMBER, ("en", "ru")), "en")
    assert answers is not None
    outcome = answers.read(read_answer(model, (line + noise).astype(np.float32), answers).text)
    assert not isinstance(outcome, Value)


def test_noise_and_silence_answer_nothing(model: Model):
    random = np.random.default_rng(5)
    fading = np.exp(-np.arange(RATE // 2) / 1_600)
    for noise in (
        np.zeros(RATE),
        random.normal(0, 0.02, 2 * RATE),
        random.normal(0, 0.3, RATE // 2) * fading,
        0.1 * np.sin(2 * np.pi * 440 / RATE * np.arange(RATE)),
        np.zeros(0),
    ):
        for language in ("en", "ru"):
            for schema in (YES_NO, NUMBER, DAYS[language]):
                value, found = heard(model, language, noise.astype(np.float32), schema)
                assert (value, found.words) == (None, ())


def test_where_anything_may_be_said_nothing_is_limited(model: Model):
    assert answers_of(model, Expected({"type": "string"}, ("en", "ru")), "en") is None


async def test_the_final_is_what_was_prepared_at_the_pause(model: Model):
    worker = Worker("whisper", lambda: model, supervisor(), prepare_seconds=60.0)
    decoded: list[int] = []

    class Counting(WhisperListening):
        def _decode_all(self, model: Model) -> Hypothesis:
            decoded.append(1)
            return super()._decode_all(model)

    utterance = Counting(worker, "ru", Expected(NUMBER, ("ru", "en")))
    utterance.feed(in_a_room(prompt("ru", "digits/90"), RATE))
    paused = await utterance.pause()
    utterance.feed(np.zeros(RATE // 4, dtype=np.float32))
    assert await utterance.final(paused=True) is paused
    assert len(decoded) == 1
    await utterance.final()
    assert len(decoded) == 2


def test_distance():
    assert [distance(a, b) for a, b in (("да", "да"), ("сорок", "сурок"), ("", "abc"))] == [0, 1, 3]


TEN = {"type": "string", "pattern": r"^\d{10}$"}


@pytest.mark.parametrize("language", ["en", "ru"])
def test_digits_in_groups_with_pauses_are_one_number(model: Model, language: str):
    pause = np.zeros(RATE * 9 // 10, dtype=np.float32)
    groups = ("916", "208", "34", "71")
    sound = [part for group in groups for part in (*map_digits(language, group), pause)]
    value, _ = heard(model, language, np.concatenate(sound), TEN)
    assert value == "9162083471"


def map_digits(language: str, digits: str) -> list[Samples]:
    return [trimmed(prompt(language, f"digits/{digit}")) for digit in digits]
