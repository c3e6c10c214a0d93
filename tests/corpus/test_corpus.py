"""The corpus is the same each time, and its halves share no voice and no word."""

import numpy as np
import pytest

from tests.corpus.stimuli import INTERRUPTION, KINDS, LINES, NOISE, stimuli
from tests.corpus.texts import BACKCHANNELS, INTERRUPTIONS
from tests.corpus.voices import RATE, missing, voices


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_seed_makes_the_same(kind: str, language: str):
    once = list(stimuli(kind, language, "held", 4, 1))
    again = list(stimuli(kind, language, "held", 4, 1))
    assert [one.name for one in once] == [one.name for one in again]
    for one, other in zip(once, again, strict=True):
        assert np.array_equal(one.samples, other.samples)
        assert 50 <= one.ms <= 4_000
        assert 0.001 < float(np.abs(one.samples).max()) <= 1.2
        assert one.samples.dtype == np.float32


def test_another_seed_makes_others():
    one, other = (list(stimuli(NOISE, "en", "dev", 6, seed)) for seed in (1, 2))
    assert not any(np.array_equal(a.samples, b.samples) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("language", ["en", "ru"])
def test_halves_share_nothing(language: str):
    dev, held = ({voice.name for voice in voices(language, half)} for half in ("dev", "held"))
    assert dev
    assert held
    assert not dev & held
    for texts in (BACKCHANNELS[language], INTERRUPTIONS[language]):
        assert not set(texts["dev"]) & set(texts["held"])


def test_every_voice_and_line_comes():
    made = list(stimuli(INTERRUPTION, "en", "held", 24, 3))
    assert {one.voice for one in made} == {voice.name for voice in voices("en", "held")}
    assert {one.line for one in made} == set(LINES)


def test_what_is_missing_is_named():
    """Skipped aloud: a machine without Debian's voices still makes a corpus, and says of what."""
    assert all(voice.say for voice in voices("ru", "dev"))
    assert RATE == 16_000
    if names := missing():
        pytest.skip(f"voices left out: {', '.join(names)}")
