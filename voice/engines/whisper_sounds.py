"""What a sound is like in Whisper's encoder: speech, a hum along, or a noise. The decoder writes
words for all three; the encoder alone tells a voice from a noise where no word can be made out.

A logistic regression on the mean of the encoder's frames. `tests/corpus/likeness.py` made its
weights, from the corpus's dev half; of what was left out there, `docs/voice-engines.md` has the
figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from voice.engines.whisper_model import Encoded

FILE = Path(__file__).with_name("whisper_sounds.npz")
_FRAME_MS = 20


@dataclass(frozen=True, slots=True)
class Likeness:
    """How likely the sound is each of the three; together 1."""

    speech: float
    hum: float
    noise: float


@cache
def _weights() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    with np.load(FILE) as file:
        return file["slope"], file["bias"]


def pooled(encoded: Encoded, span_ms: tuple[int, int]) -> NDArray[np.float32]:
    """The mean of the encoder's frames of this part of the sound."""
    frames = np.asarray(encoded.features)[0]
    first = min(span_ms[0] // _FRAME_MS, len(frames) - 1)
    last = max(first + 1, -(-span_ms[1] // _FRAME_MS))
    mean: NDArray[np.float32] = frames[first:last].mean(axis=0)
    return mean


def likeness(encoded: Encoded, span_ms: tuple[int, int]) -> Likeness:
    """What the sound is like in this part of it, where it is loud."""
    slope, bias = _weights()
    scores = pooled(encoded, span_ms) @ slope + bias
    powers = np.exp(scores - scores.max())
    speech, hum, noise = (powers / powers.sum()).tolist()
    return Likeness(speech, hum, noise)
