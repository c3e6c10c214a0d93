from statistics import median
from time import thread_time

import numpy as np
import pytest

from tests.voice.engines.sounds import espeak, in_a_room, prompt, supervisor
from voice.core.pcm import Samples
from voice.core.vad import Gate, VoiceEnded, VoiceStarted
from voice.engines.espeak import Library
from voice.engines.silero import RATES, SPARE, SileroDetector, SileroDetectors
from voice.engines.whisper_gate import voiced_ms

LEAD_MS = 500


def edges(detector: SileroDetector, samples: Samples) -> list[tuple[str, int]]:
    gate, found = Gate(), list[tuple[str, int]]()
    for first in range(0, len(samples) - detector.window + 1, detector.window):
        probability = detector.probability(samples[first : first + detector.window])
        assert 0.0 <= probability <= 1.0
        end_ms = (first + detector.window) * 1000 // detector.rate
        gate, edge = gate.window(probability, 32, end_ms)
        if isinstance(edge, VoiceStarted):
            found.append(("started", end_ms))
        elif isinstance(edge, VoiceEnded):
            found.append(("ended", end_ms))
    return found


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(
    ("language", "name"),
    [("en", "digits/7"), ("en", "please-try-again"), ("ru", "digits/7"), ("ru", "vm-goodbye")],
)
def test_a_persons_voice_has_its_edges(rate: int, language: str, name: str):
    words = prompt(language, name, rate)
    sound = in_a_room(words, rate, lead_ms=LEAD_MS, tail_ms=1_000)
    loud = voiced_ms(words, rate)
    assert loud is not None
    found = edges(SileroDetector(rate), sound)
    assert found[0][0] == "started"
    assert found[-1][0] == "ended"
    assert LEAD_MS <= found[0][1] <= LEAD_MS + loud[0] + 260
    assert found[-1][1] <= LEAD_MS + loud[1] + 350


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(("language", "text"), [("en", "Wait, stop it."), ("ru", "Подождите.")])
def test_espeaks_voice_has_its_edges(library: Library, rate: int, language: str, text: str):
    sound = in_a_room(espeak(library, text, language, rate), rate, LEAD_MS, 1_000)
    found = edges(SileroDetector(rate), sound)
    assert [kind for kind, _ in found][0 :: len(found) - 1] == ["started", "ended"]
    assert LEAD_MS <= found[0][1] <= LEAD_MS + 260


@pytest.mark.parametrize("rate", RATES)
def test_silence_noise_and_a_hum_have_none(rate: int):
    random, time = np.random.default_rng(3), np.arange(3 * rate) / rate
    detector = SileroDetector(rate)
    for noise in (
        np.zeros(3 * rate),
        random.normal(0, 0.003, 3 * rate),
        random.normal(0, 0.05, 3 * rate),
        0.1 * np.sin(2 * np.pi * 50 * time),
    ):
        detector.reset()
        assert edges(detector, noise.astype(np.float32)) == []


def test_each_call_has_a_state_of_its_own(library: Library):
    speech = in_a_room(espeak(library, "Hello, are you there?", "en"), 16_000)
    alone = SileroDetector(16_000)
    windows = [speech[at : at + 512] for at in range(0, len(speech) - 511, 512)]
    expected = [alone.probability(window) for window in windows]
    one, other = SileroDetector(16_000), SileroDetector(16_000)
    got = []
    for window in windows:
        got.append(one.probability(window))
        other.probability(window[::-1])
    assert got == expected
    one.reset()
    assert [one.probability(window) for window in windows] == expected


async def test_detectors_stand_ready_and_are_made_anew():
    detectors = SileroDetectors(supervisor())
    await detectors.load()
    made = [detectors.detector(rate) for rate in RATES for _ in range(SPARE + 1)]
    assert len({id(detector) for detector in made}) == len(made)
    assert [detector.rate for detector in made] == [16_000] * 3 + [8_000] * 3
    assert {detector.window / detector.rate for detector in made} == {0.032}
    await detectors.load()


async def test_another_rate_has_no_detector():
    with pytest.raises(ValueError, match="44100"):
        SileroDetectors(supervisor()).detector(44_100)


@pytest.mark.parametrize("rate", RATES)
def test_a_window_costs_little(rate: int):
    detector = SileroDetector(rate)
    window = np.zeros(detector.window, dtype=np.float32)
    window.flags.writeable = False
    spent = []
    for _ in range(300):
        began = thread_time()
        detector.probability(window)
        spent.append(thread_time() - began)
    assert median(spent) < 0.0005  # 0.06 ms here, without neighbours
