"""What a sound is like, told by Whisper's encoder: with voices and noises that it never learnt."""

import numpy as np
import pytest

from tests.corpus.stimuli import BACKCHANNEL, INTERRUPTION, NOISE, stimuli
from tests.voice.engines.sounds import in_a_room
from voice.core.pcm import Samples
from voice.core.words import Kind, read
from voice.engines.whisper_features import RATE
from voice.engines.whisper_gate import voiced_ms
from voice.engines.whisper_model import GLANCE_SECONDS, Model
from voice.engines.whisper_sounds import Likeness, likeness
from voice.engines.whisper_talk import NOISY, SPOKEN, read_over_speech, read_partly, talk_of


def of(model: Model, samples: Samples) -> Likeness:
    sound = in_a_room(samples, RATE)
    span = voiced_ms(sound, RATE)
    assert span is not None
    return likeness(model.encode(sound, GLANCE_SECONDS), span)


def test_the_three_are_one(model: Model):
    (one,) = stimuli(NOISE, "en", "held", 1, 4)
    found = of(model, one.samples)
    assert found.speech + found.hum + found.noise == pytest.approx(1)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_noise_is_one(model: Model, language: str):
    """A sneeze, a throat, scraping and music were not among the noises that it learnt."""
    found = list(stimuli(NOISE, language, "held", 14, 4))
    told = {one.name: of(model, one.samples) for one in found if one.text != "babble"}
    wrong = {name: like for name, like in told.items() if like.noise < NOISY}
    assert not wrong


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_voice_is_none(model: Model, language: str):
    found = list(stimuli(INTERRUPTION, language, "held", 14, 4))
    told = [of(model, one.samples) for one in found]
    assert max(like.noise for like in told) < NOISY
    assert np.mean([like.speech >= SPOKEN for like in told]) >= 0.7


def test_speech_that_the_decoder_doubts_is_heard(model: Model):
    """Two seconds of espeak's Russian on a noisy line: the decoder thinks that nobody spoke."""
    found = [
        in_a_room(one.samples, RATE, 400, 350)
        for one in stimuli(INTERRUPTION, "ru", "dev", 60, 5)
        if "Париж' espeak:ru x1.15 noisy -24" in one.name
    ]
    talk = talk_of(model, "ru")
    assert max(len(read_over_speech(model, one, talk).words) for one in found) >= 2


def test_a_hum_asks_for_nobody(model: Model):
    """The decoder writes "Hello." for it, and who says that stops the speech."""
    talk = talk_of(model, "en")
    found = [
        read_over_speech(model, in_a_room(one.samples, RATE, 350, 300), talk).text
        for one in stimuli(BACKCHANNEL, "en", "dev", 60, 8)
        if "'uh-huh' hibari" in one.name
    ]
    kinds = {read(text).kind for text in found}
    assert kinds <= {Kind.BACKCHANNEL, Kind.NOTHING}, found


def test_people_behind_a_wall_are_no_words(model: Model):
    """The decoder makes sentences of them, and doubts none of these."""
    found = [one for one in stimuli(NOISE, "ru", "dev", 40, 7) if one.text == "babble"]
    talk = talk_of(model, "ru")
    heard = [in_a_room(one.samples, RATE, 400, 350) for one in found]
    assert [read_over_speech(model, sound, talk).text for sound in heard] == [""] * 5
    partly = [in_a_room(one.samples[: RATE * 9 // 10], RATE, 400, 0) for one in found]
    assert sum(bool(read_partly(model, sound, talk).words) for sound in partly) <= 1
