"""Speech for the engines' tests: recorded people where Debian's prompts are there, espeak else."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
import pytest

from gateway.supervise import Supervisor
from voice.core.clauses import Clause
from voice.core.pcm import Resampler, Samples, from_pcm16
from voice.core.speakable import speakable
from voice.engines.espeak import VOICES, Library, Spoken

PROMPTS = Path("/usr/share/asterisk/sounds")
FOLDERS = {"en": "en_US_f_Allison", "ru": "ru_RU_f_IvrvoiceRU"}
DELAY = 12
QUIET = 3e-4


def supervisor() -> Supervisor:
    """One that lets no error pass."""

    def report(name: str, error: BaseException) -> None:
        raise AssertionError(f"{name}: {error!r}")

    return Supervisor(report)


def clause(text: str, language: str = "en", start: int = 0) -> Clause:
    return Clause(start, text, speakable(text, language, start))


def at_rate(samples: Samples, source: int, target: int) -> Samples:
    resampler, begun = Resampler(source, target).apply(samples)
    _, rest = resampler.apply(np.zeros(DELAY, dtype=np.float32))
    return np.concatenate([begun, rest])


def in_a_room(samples: Samples, rate: int, lead_ms: int = 300, tail_ms: int = 300) -> Samples:
    """With the little noise of a microphone before, under and after it."""
    lead, tail = lead_ms * rate // 1000, tail_ms * rate // 1000
    line = np.concatenate([np.zeros(lead), samples, np.zeros(tail)])
    noise = np.random.default_rng(1).normal(0, QUIET, len(line))
    return (line + noise).astype(np.float32)


def prompt(language: str, name: str, rate: int = 16_000) -> Samples:
    """A recorded prompt; skips the test where Debian's package is not installed."""
    path = PROMPTS / FOLDERS[language] / f"{name}.wav"
    if not path.is_file():
        pytest.skip(f"needs Debian's asterisk-core-sounds-{language}-wav")
    with wave.open(str(path)) as file:
        samples = from_pcm16(file.readframes(file.getnframes()))
        return at_rate(samples, file.getframerate(), rate)


def espeak(library: Library, text: str, language: str, rate: int = 16_000) -> Samples:
    spoken = library.speak(text, VOICES[language], Spoken())
    return at_rate(spoken.samples, 22_050, rate)
