"""Short sounds over the agent's speech: small words are known again, what is weak is none."""

import numpy as np
import pytest

from tests.corpus import sounds
from tests.corpus.stimuli import BACKCHANNEL, INTERRUPTION, Stimulus, stimuli
from tests.corpus.voices import trimmed, voices
from tests.voice.engines.sounds import in_a_room
from voice.core.words import Kind, plain, read
from voice.engines.whisper_model import Model
from voice.engines.whisper_talk import read_over_speech, read_partly, talk_of

HARMLESS = (Kind.BACKCHANNEL, Kind.NOTHING)


def kinds(model: Model, language: str, found: list[Stimulus]) -> list[Kind]:
    talk = talk_of(model, language)
    heard = [in_a_room(one.samples, 16_000) for one in found]
    return [read(read_over_speech(model, sound, talk).text).kind for sound in heard]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_hums_along(model: Model, language: str):
    found = list(stimuli(BACKCHANNEL, language, "dev", 12, 4))
    assert sum(kind in HARMLESS for kind in kinds(model, language, found)) >= 11


@pytest.mark.parametrize("language", ["en", "ru"])
def test_who_interrupts_is_not_taken_for_one(model: Model, language: str):
    found = list(stimuli(INTERRUPTION, language, "dev", 12, 4))
    assert sum(kind in HARMLESS for kind in kinds(model, language, found)) <= 1


def test_the_beginning_of_a_sentence_is_waited_for(model: Model):
    (one,) = stimuli(INTERRUPTION, "en", "held", 1, 4)
    sound = in_a_room(one.samples[:4_800], 16_000)
    assert read(read_partly(model, sound, talk_of(model, "en")).text).kind is not Kind.WORDS


def test_a_sentence_is_not_guessed_to_be_a_small_word(model: Model):
    """«Мне нужно во вторник» was «здорово», by three syllables of six."""
    *_, one = stimuli(INTERRUPTION, "ru", "dev", 29, 1)
    sound = in_a_room(one.samples, 16_000, 350, 350)
    found = read_over_speech(model, sound, talk_of(model, "ru"))
    assert read(found.text).kind is Kind.WORDS


def test_a_hum_said_twice_is_no_interruption(model: Model):
    """«ток ток ток», "Йон, Йон": one word again and again is what the model can't make out."""
    talk = talk_of(model, "ru")
    said = [
        in_a_room(sounds.at_level(trimmed(voice.say(text, 1.0)), -24), 16_000)
        for voice in voices("ru", "dev")
        if voice.name.startswith("espeak")
        for text in ("так так", "ага ага", "ясно ясно")
    ]
    texts = [read_partly(model, sound, talk).text for sound in said]
    texts += [read_over_speech(model, sound, talk).text for sound in said]
    wrong = [text for text in texts if read(text).kind not in HARMLESS]
    assert len(wrong) <= 2, wrong


def test_silence_is_no_word(model: Model):
    talk = talk_of(model, "ru")
    silence = np.zeros(16_000, dtype=np.float32)
    assert read_over_speech(model, silence, talk).words == ()
    assert read_partly(model, silence, talk).words == ()


@pytest.mark.parametrize(
    ("language", "text", "last"),
    [("en", "no no no stop", "stop"), ("ru", "нет, стой, нет, стой", "стой")],
)
def test_what_is_said_again_and_again_and_clearly_is_heard(
    model: Model, language: str, text: str, last: str
):
    voice = next(v for v in voices(language, "dev") if v.name.startswith("espeak"))
    sound = in_a_room(sounds.at_level(trimmed(voice.say(text, 1.0)), -24), 16_000)
    found = read_over_speech(model, sound, talk_of(model, language))
    assert plain(found.text).split()[-1] == last
