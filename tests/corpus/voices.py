"""Voices that speak the corpus: synthetic ones of four kinds, and people recorded by Debian.

Each belongs to one half: `dev`, on which thresholds may be set, or `held`, on which figures are
taken. What is not installed is left out and named in `missing()`.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
import wave
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

import numpy as np

from gateway.core.errors import EngineFailed
from tests.corpus.texts import RECORDED
from voice.core.pcm import Resampler, Samples, from_pcm16
from voice.engines.espeak import Library, Spoken

RATE = 16_000
DEV, HELD = "dev", "held"
PROMPTS = Path("/usr/share/asterisk/sounds")
FOLDERS = {"en": "en_US_f_Allison", "ru": "ru_RU_f_IvrvoiceRU"}
_ESPEAK_RATE, _ESPEAK_PITCH = 1, 3
_WORDS_A_MINUTE = 165
_DELAY = 12
_SEED = 1
"""espeak's voices breathe by chance."""
_SECONDS = 60


@dataclass(frozen=True)
class Voice:
    """A voice of one language and half. `say(text, pace)`: 1 is its own pace, 1.2 a fifth faster.
    A recorded one has `prompts`, what it says by name, and one pace.
    """

    name: str
    language: str
    half: str
    say: Callable[[str, float], Samples]
    package: str = ""
    prompts: tuple[str, ...] = ()


def at_rate(samples: Samples, source: int, target: int) -> Samples:
    """The same sound at another rate."""
    if source == target:
        return samples.astype(np.float32)
    resampler, begun = Resampler(source, target).apply(samples.astype(np.float32))
    _, rest = resampler.apply(np.zeros(_DELAY, dtype=np.float32))
    return np.concatenate([begun, rest])


def trimmed(samples: Samples, below_decibels: float = -40.0) -> Samples:
    """Without the quiet before and after it, so that its first sample is its onset."""
    size = RATE // 100
    count = len(samples) // size
    if not count:
        return samples
    frames = samples[: count * size].reshape(count, size)
    loudness = np.sqrt(np.mean(frames**2, axis=1))
    loud = np.flatnonzero(loudness > loudness.max() * 10 ** (below_decibels / 20))
    return samples[loud[0] * size : (loud[-1] + 1) * size]


def _espeak(name: str, pitch: int = 50) -> Callable[[str, float], Samples]:
    """Each time with a library of its own: it keeps something of what it said before."""

    def say(text: str, pace: float) -> Samples:
        library, voice = Library(), name.encode()
        inside = library._library
        inside.espeak_ng_SetRandSeed(_SEED)
        ctypes.CDLL(None).srand(_SEED)
        inside.espeak_SetVoiceByName(voice)
        inside.espeak_SetParameter(_ESPEAK_RATE, round(_WORDS_A_MINUTE * pace), 0)
        inside.espeak_SetParameter(_ESPEAK_PITCH, pitch, 0)
        said = library.speak(text, voice, Spoken()).samples
        inside.espeak_Terminate()
        return at_rate(said, 22_050, RATE)

    return say


def _read(path: Path) -> Samples:
    with wave.open(str(path)) as file:
        samples = from_pcm16(file.readframes(file.getnframes()))
        return at_rate(samples, file.getframerate(), RATE)


def _flite(name: str) -> Callable[[str, float], Samples]:
    def say(text: str, pace: float) -> Samples:
        with tempfile.TemporaryDirectory() as own:
            path = Path(own) / "said.wav"
            stretch = f"duration_stretch={1 / pace:.2f}"
            _run("flite", "-voice", name, "--setf", stretch, "-t", text, "-o", str(path))
            return _read(path)

    return say


def _festival(name: str) -> Callable[[str, float], Samples]:
    def say(text: str, pace: float) -> Samples:
        with tempfile.TemporaryDirectory() as own:
            path = Path(own) / "said.wav"
            chosen = f"(begin (voice_{name}) (Parameter.set 'Duration_Stretch {1 / pace:.2f}))"
            _run("text2wave", "-eval", chosen, "-o", str(path), text=text)
            return _read(path)

    return say


def _run(*command: str, text: str = "") -> None:
    ended = subprocess.run(
        command, input=text.encode(), capture_output=True, timeout=_SECONDS, check=False
    )
    if ended.returncode:
        raise EngineFailed(f"{command[0]}: {ended.stderr.decode(errors='replace')}")


@cache
def _hibari_voice() -> Any:
    return import_module("hibari").Hibari(threads=1)


def _hibari(text: str, pace: float) -> Samples:
    """At its own pace only."""
    rate = import_module("hibari").SAMPLE_RATE
    return at_rate(np.concatenate(list(_hibari_voice().stream(text))), rate, RATE)


def recorded(language: str) -> Callable[[str, float], Samples]:
    """What says a prompt by its name, at its one pace."""

    def say(name: str, pace: float) -> Samples:
        return _read(PROMPTS / FOLDERS[language] / f"{name}.wav")

    return say


_FESTIVAL = Path("/usr/share/festival/voices")
ESPEAK = {
    ("en", DEV): (("en-us", 50), ("en-us+f3", 60), ("en+m3", 40)),
    ("en", HELD): (("en-gb-scotland+f2", 55), ("en-us+m7", 45), ("en+f4", 65)),
    ("ru", DEV): (("ru", 50), ("ru+f3", 60), ("ru+m3", 40)),
    ("ru", HELD): (("ru+f2", 55), ("ru+m7", 45), ("ru+f4", 65)),
}
FLITE = (("kal16", DEV), ("slt", HELD), ("rms", HELD), ("awb", HELD))
FESTIVAL = (
    ("kal_diphone", "english/kal_diphone", "en", DEV, "festvox-kallpc16k"),
    ("cmu_us_slt_arctic_hts", "us/cmu_us_slt_arctic_hts", "en", HELD, "festvox-us-slt-hts"),
    ("msu_ru_nsh_clunits", "russian/msu_ru_nsh_clunits", "ru", HELD, "festvox-ru"),
)


def _all() -> Iterator[tuple[Voice, bool]]:
    """Every voice, and whether it is here."""
    for (language, half), named in ESPEAK.items():
        for name, pitch in named:
            yield Voice(f"espeak:{name}", language, half, _espeak(name, pitch)), True
    here = find_spec("hibari") is not None
    yield Voice("hibari", "en", DEV, _hibari, "bargein[hibari]"), here
    for name, half in FLITE:
        yield Voice(f"flite:{name}", "en", half, _flite(name), "flite"), bool(which("flite"))
    for name, where, language, half, package in FESTIVAL:
        here = bool(which("text2wave")) and (_FESTIVAL / where).is_dir()
        yield Voice(f"festival:{name}", language, half, _festival(name), package), here
    for language, folder in FOLDERS.items():
        for half in (DEV, HELD):
            prompts = tuple(RECORDED[half])
            found = (PROMPTS / folder).is_dir()
            package = f"asterisk-core-sounds-{language}-wav"
            say = recorded(language)
            yield Voice(f"recorded:{half}", language, half, say, package, prompts), found


def voices(language: str, half: str) -> list[Voice]:
    """Those that are here."""
    every = [voice for voice, here in _all() if here]
    return [voice for voice in every if (voice.language, voice.half) == (language, half)]


def missing() -> list[str]:
    """What to install for the voices that are not here."""
    return sorted({voice.package for voice, here in _all() if not here})
