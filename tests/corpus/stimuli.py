"""What callers do over a reply: hums along, noises, interruptions. Made anew from a seed each time.

A stimulus is sound of 16 kHz whose first sample is its onset. The same seed, with the same voices
installed, makes the same sound.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from tests.corpus import sounds
from tests.corpus.texts import BACKCHANNELS, HUMMED, INTERRUPTIONS
from tests.corpus.voices import RATE, Voice, trimmed, voices
from voice.core.pcm import Samples

BACKCHANNEL, NOISE, INTERRUPTION = "backchannel", "noise", "interruption"
KINDS = (BACKCHANNEL, NOISE, INTERRUPTION)
PACES = (0.9, 1.0, 1.15)
LINES = ("room", "phone", "noisy")
"""Clean at 16 kHz; 8 kHz mu-law; with noise 15 dB below."""
LEVELS = (-18.0, -24.0, -30.0)
"""In dBFS; noise is up to 6 dB quieter."""
_TEXTS = {BACKCHANNEL: BACKCHANNELS, INTERRUPTION: INTERRUPTIONS}
_NASAL_EVERY = 6
_BABBLE_EVERY = 8
_LONGEST_MS = 3_500


@dataclass(frozen=True)
class Stimulus:
    """`name` says all that it is made of."""

    name: str
    kind: str
    language: str
    half: str
    text: str
    voice: str
    line: str
    samples: Samples = field(repr=False)

    @property
    def ms(self) -> int:
        """How long it is."""
        return len(self.samples) * 1000 // RATE


def stimuli(kind: str, language: str, half: str, amount: int, seed: int) -> Iterator[Stimulus]:
    """So many of one kind, every voice and text in turn."""
    speakers = voices(language, half)
    # One seed for each, so that a bad case can be made again alone.
    for number in range(amount):
        chance = np.random.default_rng([seed, KINDS.index(kind), len(language), number])
        if kind == NOISE:
            made = _noise(number, language, half, chance)
        else:
            made = _spoken(kind, number, speakers, _TEXTS[kind][language][half], chance)
        line = str(chance.choice(LINES))
        sound = on_line(sounds.at_level(trimmed(made.samples), made.level), line, chance)
        name = f"{kind} {language} {half}: {made.text!r} {made.voice} {made.how} {line}"
        full = f"{name} {made.level:.0f} dB"
        yield Stimulus(full, kind, language, half, made.text, made.voice, line, sound)


@dataclass(frozen=True)
class _Made:
    """Sound before its line: what it is, as it is called."""

    text: str
    voice: str
    how: str
    samples: Samples
    level: float


def _noise(number: int, language: str, half: str, chance: Generator) -> _Made:
    makers = sounds.NOISES[half]
    if number % _BABBLE_EVERY == _BABBLE_EVERY - 1:
        return _Made("babble", "", f"{number}", babble(language, half, chance), -34.0)
    name = sorted(makers)[number % len(makers)]
    level = float(chance.choice(LEVELS)) - float(chance.uniform(0, 6))
    return _Made(name, "", f"{number}", makers[name](chance), level)


def babble(language: str, half: str, chance: Generator) -> Samples:
    """Three people talking in another room."""
    speakers = [voice for voice in voices(language, half) if not voice.prompts]
    texts = INTERRUPTIONS[language][half]
    parts = []
    for _ in range(3):
        speaker = speakers[int(chance.integers(len(speakers)))]
        words = [str(chance.choice(texts)) for _ in range(2)]
        parts.append(speaker.say(", ".join(words), 1.0))
    return sounds.through_wall(sounds.mixed(parts))


def _spoken(
    kind: str, number: int, speakers: Sequence[Voice], texts: Sequence[str], chance: Generator
) -> _Made:
    level = float(chance.choice(LEVELS))
    if kind == BACKCHANNEL and number % _NASAL_EVERY == _NASAL_EVERY - 1:
        made = sounds.nasal(chance, int(chance.integers(1, 3)))
        return _Made("mm-hm", "nasal", f"{number}", made, level)
    fitting = [voice for voice in speakers if kind == INTERRUPTION or not voice.prompts]
    voice = fitting[number % len(fitting)]
    texts = voice.prompts or texts
    text = texts[(number // len(fitting) * 5 + number) % len(texts)]
    if text in HUMMED:
        return _Made(text, "nasal", f"{number}", sounds.nasal(chance, HUMMED[text]), level)
    pace = float(chance.choice(PACES))
    made = voice.say(text, pace)[: RATE * _LONGEST_MS // 1000]
    return _Made(text, voice.name, f"x{pace:g}", made, level)


def on_line(samples: Samples, line: str, chance: Generator) -> Samples:
    """The sound as one of `LINES` brings it."""
    if line == "phone":
        return sounds.phone(samples)
    return sounds.noisy(samples, chance, 15) if line == "noisy" else samples
