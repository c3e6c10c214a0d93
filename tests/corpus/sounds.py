"""Sounds that are no words, and what rooms and lines do to sound. All from a given chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.random import Generator

from tests.corpus.voices import RATE, at_rate
from voice.core.pcm import Samples, from_mulaw, to_mulaw

PHONE = 8_000


def decibels(level: float) -> float:
    """As a factor."""
    return float(10 ** (level / 20))


def at_level(samples: Samples, level: float) -> Samples:
    """As loud as `level` dBFS where it is loudest (50 ms)."""
    size = min(len(samples), RATE // 20)
    smooth = np.convolve(samples.astype(np.float64) ** 2, np.ones(size) / size, mode="valid")
    loudest = float(np.sqrt(smooth.max()))
    return (samples * (decibels(level) / max(loudest, 1e-9))).astype(np.float32)


def band(chance: Generator, ms: float, low: float, high: float, slope: float = 0.0) -> Samples:
    """Noise between two frequencies; `slope` in dB an octave."""
    count = int(RATE * ms / 1000)
    spectrum = np.fft.rfft(chance.normal(size=count))
    frequencies = np.fft.rfftfreq(count, 1 / RATE)
    octaves = np.log2(np.maximum(frequencies, 20.0) / 1000)
    shape = np.where((frequencies >= low) & (frequencies <= high), 10 ** (slope * octaves / 20), 0)
    found = np.fft.irfft(spectrum * shape, count)
    return (found / max(np.abs(found).max(), 1e-9)).astype(np.float32)


def falling(samples: Samples, ms: float, rise_ms: float = 3.0) -> Samples:
    """It rises at once and falls to a third in so long."""
    at = np.arange(len(samples)) * 1000 / RATE
    return (samples * np.minimum(at / rise_ms, 1) * np.exp(-at / ms)).astype(np.float32)


def _silence(ms: float) -> Samples:
    return np.zeros(int(RATE * ms / 1000), dtype=np.float32)


def _tone(chance: Generator, ms: float, pitches: list[float], partials: int = 1) -> Samples:
    at = np.arange(int(RATE * ms / 1000)) / RATE
    parts = [
        np.sin(2 * np.pi * pitch * n * at + chance.uniform(0, 6)) / n
        for pitch in pitches
        for n in range(1, partials + 1)
        if pitch * n < RATE / 2
    ]
    return np.sum(parts, axis=0).astype(np.float32)


def cough(chance: Generator) -> Samples:
    """One to three bursts: an explosion, a hiss, sometimes a little voice."""
    parts = []
    for _ in range(int(chance.integers(1, 4))):
        burst = falling(band(chance, 260, 350, 4_500, -3), chance.uniform(45, 80))
        voiced = falling(_tone(chance, 260, [chance.uniform(110, 260)], 12), 60, 60)
        parts += [burst + chance.uniform(0, 0.25) * voiced, _silence(chance.uniform(60, 200))]
    return np.concatenate(parts)


def sneeze(chance: Generator) -> Samples:
    breath = 0.15 * band(chance, 350, 800, 5_000) * np.linspace(0, 1, int(RATE * 0.35))
    burst = falling(band(chance, 400, 1_200, 7_500), 110)
    return np.concatenate([breath, _silence(40), burst]).astype(np.float32)


def throat(chance: Generator) -> Samples:
    rough = band(chance, 500, 200, 2_500, -4)
    at = np.arange(len(rough)) / RATE
    beats = 0.5 + 0.5 * np.sign(np.sin(2 * np.pi * chance.uniform(25, 45) * at))
    return (rough * beats * np.hanning(len(rough))).astype(np.float32)


def breath(chance: Generator) -> Samples:
    air = band(chance, chance.uniform(500, 900), 400, 6_000, -3)
    return (air * np.hanning(len(air))).astype(np.float32)


def keyboard(chance: Generator) -> Samples:
    parts = []
    for _ in range(int(chance.integers(4, 11))):
        parts += [falling(band(chance, 30, 1_500, 7_000), 6, 0.5) * chance.uniform(0.4, 1)]
        parts += [_silence(chance.uniform(60, 180))]
    return np.concatenate(parts)


def knock(chance: Generator) -> Samples:
    parts = []
    for _ in range(int(chance.integers(2, 5))):
        body = falling(_tone(chance, 150, [chance.uniform(90, 220)], 3), 25, 1)
        parts += [body + 0.4 * falling(band(chance, 150, 200, 2_000), 15, 1), _silence(120)]
    return np.concatenate(parts)


def scrape(chance: Generator) -> Samples:
    low = chance.uniform(300, 900)
    parts = [band(chance, 90, low * (1 + n / 4), low * (2 + n / 4)) for n in range(6)]
    return np.concatenate(parts)


def traffic(chance: Generator) -> Samples:
    rumble = band(chance, 1_600, 30, 1_200, -6)
    return (rumble * np.hanning(len(rumble))).astype(np.float32)


def hiss(chance: Generator) -> Samples:
    return band(chance, chance.uniform(400, 1_200), 50, 7_800)


def hum(chance: Generator) -> Samples:
    return _tone(chance, 1_000, [50.0 * chance.integers(1, 3)], 8)


def ringing(chance: Generator) -> Samples:
    return _tone(chance, 900, [440.0, 480.0]) * np.float32(0.5)


def music(chance: Generator) -> Samples:
    root = chance.uniform(180, 300)
    chords = ([1, 1.25, 1.5], [1.33, 1.67, 2], [1.5, 1.875, 2.25], [1, 1.25, 1.5])
    parts = [
        falling(_tone(chance, 350, [root * ratio for ratio in chord], 6), 250, 8)
        for chord in chords
    ]
    return np.concatenate(parts)


def nasal(chance: Generator, syllables: int = 2) -> Samples:
    """A hum with the mouth closed, "mm-hm": the backchannel that has no word."""
    pitch = chance.uniform(95, 220)
    parts = []
    for number in range(syllables):
        ms = chance.uniform(130, 230)
        at = np.arange(int(RATE * ms / 1000)) / RATE
        glide = pitch * (1 + 0.12 * number + 0.25 * at * (number + 1))
        phase = 2 * np.pi * np.cumsum(glide) / RATE
        voice = np.sum([np.sin(phase * n) / n**2 for n in range(1, 9)], axis=0)
        parts += [voice * np.hanning(len(voice)) ** 0.5]
        parts += [0.03 * band(chance, 45, 300, 2_000)]
    return np.concatenate(parts[:-1]).astype(np.float32)


NOISES: Mapping[str, Mapping[str, Callable[[Generator], Samples]]] = {
    "dev": {
        "cough": cough,
        "hiss": hiss,
        "keyboard": keyboard,
        "knock": knock,
        "breath": breath,
        "hum": hum,
        "ringing": ringing,
    },
    "held": {
        "cough": cough,
        "sneeze": sneeze,
        "throat": throat,
        "keyboard": keyboard,
        "scrape": scrape,
        "traffic": traffic,
        "music": music,
        "breath": breath,
    },
}
"""Kinds of the two halves; what is in both is made with other chances."""


def mixed(parts: list[Samples]) -> Samples:
    """All at once, as long as the longest."""
    whole = np.zeros(max(map(len, parts)), dtype=np.float32)
    for part in parts:
        whole[: len(part)] += part
    return whole


def through_wall(samples: Samples) -> Samples:
    """Somebody in another room: nothing above 1,200 Hz."""
    spectrum = np.fft.rfft(samples)
    spectrum[np.fft.rfftfreq(len(samples), 1 / RATE) > 1_200] *= 0.05
    return np.fft.irfft(spectrum, len(samples)).astype(np.float32)


def phone(samples: Samples) -> Samples:
    """8 kHz, 300 to 3,400 Hz, mu-law; at `RATE` again."""
    narrow = at_rate(samples, RATE, PHONE)
    spectrum = np.fft.rfft(narrow)
    frequencies = np.fft.rfftfreq(len(narrow), 1 / PHONE)
    spectrum[(frequencies < 250) | (frequencies > 3_500)] *= 0.03
    narrow = np.fft.irfft(spectrum, len(narrow)).astype(np.float32)
    return at_rate(from_mulaw(to_mulaw(narrow)), PHONE, RATE)


def echo(samples: Samples, late_ms: float, level: float) -> Samples:
    """What a microphone hears of a loudspeaker: later, quieter, with a little of the room."""
    late = _silence(late_ms)
    room = np.zeros(int(RATE * 0.08), dtype=np.float32)
    room[[0, 311, 733, 1_129]] = (1.0, 0.35, 0.2, 0.1)
    heard = np.convolve(samples, room)[: len(samples)].astype(np.float32)
    return np.concatenate([late, heard * np.float32(decibels(level))])


def noisy(samples: Samples, chance: Generator, below_decibels: float) -> Samples:
    """With noise so far below it."""
    level = float(np.sqrt(np.mean(samples.astype(np.float64) ** 2)))
    noise = band(chance, len(samples) * 1000 / RATE + 1, 60, 7_000, -3)[: len(samples)]
    noise *= level * decibels(-below_decibels) / max(float(np.sqrt(np.mean(noise**2))), 1e-9)
    return (samples + noise).astype(np.float32)
