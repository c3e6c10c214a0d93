"""Learns what speech, a hum along and a noise look like in Whisper's encoder, from the corpus's dev
half: `python -m tests.corpus.likeness <weights' cache>` writes what `voice/engines/whisper_sounds`
reads. Takes a quarter of an hour.

Speech is what the dev voices say (sentences of the product's own, words that stop and hold) and
what people recorded for Debian say; hums are a talk's small words and hummed ones. No word and no
voice of the held-out half is among them. Each is cut off at some moments too, for partials.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from babel.messages.pofile import read_po
from numpy.random import Generator
from numpy.typing import NDArray

from gateway.core.answers import small_talk
from tests.corpus import sounds
from tests.corpus.stimuli import KINDS, LEVELS, LINES, babble, on_line, stimuli
from tests.corpus.texts import BACKCHANNELS, INTERRUPTIONS, RECORDED
from tests.corpus.voices import (
    DEV,
    FOLDERS,
    HELD,
    PROMPTS,
    RATE,
    Voice,
    recorded,
    trimmed,
    voices,
)
from voice.core.pcm import Samples
from voice.core.words import Kind, plain, read
from voice.engines import whisper_weights
from voice.engines.whisper_gate import voiced_ms
from voice.engines.whisper_model import GLANCE_SECONDS, Model
from voice.engines.whisper_sounds import FILE, pooled

SPEECH, HUM, NOISE = range(3)
AMOUNT, TRIED, SEED = 2_000, 50, 1
"""Sounds of a language, before they are cut; of each kind, to see what came of it."""
SHARES = (0.5, 0.25, 0.25)
CUTS_MS = (450, 650, 850)
_LONGEST_MS, _LEAST_MORE_MS, _BEFORE_MS = 3_000, 50, 250
_BEFORE_DECIBELS = -62.0
_PROMPTED, _ACTING = 0.3, 0.2
_NASAL, _BABBLE = 0.2, 0.12
_MOST_WORDS = 6
PENALTY, STEPS = 100.0, 2_000

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Says:
    """What is said in a language, by whom."""

    speakers: list[Voice]
    prompts: list[str]
    sentences: list[list[str]]
    acting: list[str]
    hums: list[str]


@cache
def says(language: str) -> Says:
    held = {*BACKCHANNELS[language][HELD], *INTERRUPTIONS[language][HELD]}
    small = [text for text in small_talk((language,)) if text not in held]
    kinds = (Kind.STOP, Kind.HOLD, Kind.PRESENCE)
    prompts = sorted(path.stem for path in (PROMPTS / FOLDERS[language]).glob("*.wav"))
    return Says(
        [voice for voice in voices(language, DEV) if not voice.prompts],
        [name for name in prompts if name not in RECORDED[HELD]],
        _sentences(language),
        [text for text in small if read(text).kind in kinds] + [*INTERRUPTIONS[language][DEV]],
        [text for text in small if read(text).kind is Kind.BACKCHANNEL],
    )


def _sentences(language: str) -> list[list[str]]:
    """The words of everything that the product tells people."""
    with Path(f"locales/{language}/LC_MESSAGES/messages.po").open("rb") as file:
        texts = [entry.string or entry.id for entry in read_po(file) if entry.id]
    found = [plain(text).split() for text in texts if isinstance(text, str) and "%" not in text]
    return [words for words in found if len(words) > 1]


def made(kind: int, language: str, chance: Generator) -> Samples:
    """One sound, as it leaves a mouth or a thing."""
    if kind == NOISE:
        if chance.random() < _BABBLE:
            return babble(language, DEV, chance)
        makers = sounds.NOISES[DEV]
        return makers[str(chance.choice(sorted(makers)))](chance)
    there = says(language)
    if kind == HUM and chance.random() < _NASAL:
        return sounds.nasal(chance, int(chance.integers(1, 3)))
    if kind == SPEECH and chance.random() < _PROMPTED:
        prompt = recorded(language)(str(chance.choice(there.prompts)), 1.0)
        return prompt[int(chance.integers(0, max(1, len(prompt) - RATE))) :]
    speaker = there.speakers[int(chance.integers(len(there.speakers)))]
    text = str(chance.choice(there.hums)) if kind == HUM else _text(there, chance)
    return speaker.say(text, float(chance.uniform(0.9, 1.15)))


def _text(there: Says, chance: Generator) -> str:
    if chance.random() < _ACTING:
        return str(chance.choice(there.acting))
    while True:
        words = there.sentences[int(chance.integers(len(there.sentences)))]
        first = int(chance.integers(len(words)))
        text = " ".join(words[first : first + int(chance.integers(1, _MOST_WORDS + 1))])
        if read(text).kind is not Kind.BACKCHANNEL and len(text) > 2:
            return text


def heard(language: str, chance: Generator, amount: int) -> Iterator[tuple[int, Samples]]:
    """Sounds as a recogniser gets them: on a line, behind a little silence, some not over yet."""
    before = RATE * _BEFORE_MS // 1000
    for _ in range(amount):
        kind = int(chance.choice(3, p=SHARES))
        sound = trimmed(made(kind, language, chance)[: RATE * _LONGEST_MS // 1000])
        level, line = float(chance.choice(LEVELS)), str(chance.choice(LINES))
        sound = on_line(sounds.at_level(sound, level), line, chance)
        ends = [RATE * cut // 1000 for cut in CUTS_MS]
        more = RATE * _LEAST_MORE_MS // 1000
        for end in [end for end in ends if end + more < len(sound)] + [len(sound)]:
            silence = chance.normal(0, sounds.decibels(_BEFORE_DECIBELS), before)
            yield kind, np.concatenate([silence, sound[:end]]).astype(np.float32)


def fitted(x: Array, kinds: NDArray[np.int64]) -> tuple[Array, Array]:
    """Multinomial logistic regression, every kind of the same weight: by Nesterov's gradient."""
    share = np.bincount(kinds, minlength=3) / len(kinds)
    weight = (1 / share[kinds] / 3)[:, None]
    truth = np.eye(3)[kinds]
    slope, bias = np.zeros((x.shape[1], 3)), np.zeros(3)
    ahead, ahead_bias = slope, bias
    rate = 1 / (0.5 * float(np.linalg.norm(x, 2)) ** 2 * float(weight.max()) + PENALTY)
    for step in range(STEPS):
        wrong = (_softmax(x @ ahead + ahead_bias) - truth) * weight
        new = ahead - rate * (x.T @ wrong + PENALTY * ahead)
        new_bias = ahead_bias - rate * wrong.sum(axis=0)
        momentum = step / (step + 3)
        ahead, ahead_bias = new + momentum * (new - slope), new_bias + momentum * (new_bias - bias)
        slope, bias = new, new_bias
    return slope, bias


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def main() -> None:
    """Learn, and say what voices and noises that were not learnt are taken for."""
    cache_path = Path(sys.argv[1])
    model = Model(whisper_weights.ready(cache_path, whisper_weights.installed()), 1)
    found: list[tuple[int, Array]] = []
    for number, language in enumerate(FOLDERS):
        chance = np.random.default_rng([SEED, number])
        found += [(kind, _pooled(model, one)) for kind, one in heard(language, chance, AMOUNT)]
    kinds = np.array([kind for kind, _ in found])
    x = np.stack([features for _, features in found])
    mean, deviation = x.mean(axis=0), x.std(axis=0)
    slope, bias = fitted((x - mean) / deviation, kinds)
    slope = slope / deviation[:, None]
    bias = bias - mean @ slope
    np.savez(FILE, slope=slope.astype(np.float32), bias=bias.astype(np.float32))
    print(f"learnt from {len(x)} sounds; of the held-out half, taken for speech, hum, noise:")
    for language in FOLDERS:
        for kind in KINDS:
            sounds_ = [one.samples for one in stimuli(kind, language, HELD, TRIED, SEED)]
            scores = np.stack([_pooled(model, one) for one in sounds_]) @ slope + bias
            taken = np.bincount(scores.argmax(axis=1), minlength=3).tolist()
            print(f"{language} {kind}: {taken}")


def _pooled(model: Model, samples: Samples) -> Array:
    span = voiced_ms(samples, RATE) or (0, len(samples) * 1000 // RATE)
    return pooled(model.encode(samples, GLANCE_SECONDS), span).astype(np.float64)


if __name__ == "__main__":
    main()
