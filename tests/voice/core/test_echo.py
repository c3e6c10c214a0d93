"""Our own voice is known by its sound; a caller's is not, nor beside it."""

from itertools import pairwise

import numpy as np
import pytest

from tests.corpus import sounds
from tests.corpus.stimuli import BACKCHANNEL, INTERRUPTION, stimuli
from tests.corpus.texts import REPLIES
from tests.corpus.voices import RATE, voices
from voice.core.echo import bands, comes_back, likeness
from voice.core.pcm import Samples


def played(language: str) -> Samples:
    return voices(language, "dev")[0].say(REPLIES[language], 1.0)


def part(samples: Samples, first_ms: int, ms: int) -> Samples:
    return samples[16 * first_ms : 16 * (first_ms + ms)]


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("late_ms", [0, 120, 400])
@pytest.mark.parametrize("line", ["same", "room", "phone"])
def test_what_comes_back_is_known(language: str, late_ms: int, line: str):
    ours = played(language)
    heard = ours * np.float32(sounds.decibels(-15))
    if line != "same":
        heard = sounds.echo(ours, 0, -15)
    if line == "phone":
        heard = sounds.phone(heard)
    found = [
        comes_back(part(heard, at, 1_800), RATE, part(ours, max(0, at - 1_500), 3_300), RATE)
        for at in range(1_000, 4_000, 500)
    ]
    assert sum(found) >= len(found) - (line == "phone")


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("kind", [BACKCHANNEL, INTERRUPTION])
@pytest.mark.parametrize("beside", [False, True])
def test_a_caller_is_not(language: str, kind: str, beside: bool):
    """At -18 to -24 dBFS, where our own comes back at about -35."""
    ours = played(language)
    wrong = 0
    for number, one in enumerate(stimuli(kind, language, "dev", 16, 9)):
        at = 1_200 + number * 130
        heard = sounds.at_level(one.samples, -20)
        if beside:
            back = part(ours, at, one.ms + 1)[: len(heard)] * np.float32(sounds.decibels(-15))
            heard = heard[: len(back)] + back
        near = part(ours, max(0, at - 1_500), 1_500 + one.ms)
        wrong += comes_back(heard, RATE, near, RATE)
    assert wrong <= 1


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("line", ["same", "room", "phone"])
def test_what_was_held_and_went_on_quieter_is_still_ours(language: str, line: str):
    """Nothing is played while speech is held; what comes back has a gap, what was sent has none."""
    ours = played(language)
    back = sounds.echo(ours, 0, -15) if line != "same" else ours * np.float32(0.18)
    if line == "phone":
        back = sounds.phone(back)
    found, random = 0, np.random.default_rng(5)
    for _ in range(20):
        at, before, held = (
            int(random.integers(*range_)) for range_ in ((300, 3500), (380, 900), (350, 700))
        )
        heard = [part(back, at, before), np.zeros(16 * held, np.float32)]
        heard.append(part(back, at + before, 300) * np.float32(sounds.decibels(-15)))
        noise = random.normal(0, 0.0003, 16 * (before + held + 300)).astype(np.float32)
        near = part(ours, max(0, at - 1_500), 1_800 + before)
        found += comes_back(np.concatenate(heard) + noise, RATE, near, RATE)
    assert found >= (15 if line == "phone" else 19)


def test_what_is_alike_for_a_moment_is_no_echo():
    """A part of 600 ms, or what remains of less, may be like something that was played."""
    ours = played("en")
    *_, one = stimuli(INTERRUPTION, "en", "dev", 3, 3)
    assert not comes_back(one.samples, RATE, part(ours, 100, 1_500 + one.ms), RATE)


def test_at_other_rates():
    ours = played("en")
    heard = sounds.phone(ours * np.float32(0.2))
    narrow = heard[::2]
    assert comes_back(part(narrow, 500, 700), 8_000, ours, RATE)


def test_a_steady_sound_is_nobodys():
    steady = np.full(RATE, 0.3, dtype=np.float32)
    assert not comes_back(steady, RATE, np.tile(steady, 3) * np.float32(0.5), RATE)


def test_too_little_is_nothing():
    silence = np.zeros(100, dtype=np.float32)
    assert not comes_back(silence, RATE, played("en"), RATE)
    assert not comes_back(played("en"), RATE, silence, RATE)
    assert likeness(bands(silence, RATE), bands(silence, RATE)) == 0.0


def test_what_is_louder_than_any_echo_is_somebodys():
    """However alike: a short flat sound is alike to nearly everything."""
    ours = played("en")
    heard = part(ours, 1_000, 600)
    quiet = part(ours, 0, 2_000) * np.float32(0.02)
    assert comes_back(heard * np.float32(0.02), RATE, quiet, RATE)
    assert not comes_back(heard, RATE, quiet, RATE)


def test_alike_is_the_best_correlation_of_all_places():
    """As the plain formula has it, also where what was played fades to silence."""
    chance = np.random.default_rng(4)
    theirs = chance.normal(size=(90, 12)) * np.linspace(0, 3, 90)[:, None] - 12
    theirs[:20] = -25.0
    mine = theirs[40:70] + chance.normal(size=(30, 12))
    found = [np.corrcoef(*_level(theirs[at : at + 30], mine))[0, 1] for at in range(1, 61)]
    assert likeness(mine, theirs) == pytest.approx(max(found), abs=1e-9)
    assert likeness(theirs[50:80], theirs) == pytest.approx(1.0)
    still = np.full((90, 12), -27.63) + chance.normal(size=(90, 12)) * 1e-9
    assert likeness(mine, still) < 1e-3


def _level(*both):
    """Each band about its own mean, in one row."""
    return [(one - one.mean(axis=0)).ravel() for one in both]


@pytest.mark.parametrize("rate", [8_000, 16_000, 22_050, 24_000])
def test_every_band_holds_what_lies_between_its_edges(rate: int):
    edges = np.geomspace(150.0, 3_600.0, 13)
    for number, (low, high) in enumerate(pairwise(edges)):
        at = 40 * (int(high / 40) if high % 40 else int(high / 40) - 1)
        assert low <= at < high
        tone = np.sin(2 * np.pi * at * np.arange(rate) / rate).astype(np.float32)
        assert set(bands(tone, rate).argmax(axis=1)) == {number}
