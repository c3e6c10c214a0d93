"""What Whisper sees of a sound: its log-mel spectrogram, as OpenAI's code defines it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from voice.core.pcm import Samples

RATE = 16_000
HOP = 160
FRAMES_PER_SECOND = RATE // HOP
MELS = 80
_FFT = 400
_FLOOR = 1e-10
_RANGE = 8.0


@lru_cache(maxsize=1)
def _window() -> NDArray[np.float32]:
    return np.hanning(_FFT + 1)[:-1].astype(np.float32)


def _hertz(mel: NDArray[np.float64]) -> NDArray[np.float64]:
    """Slaney's scale: 200/3 Hz a mel below 1,000 Hz, logarithmic above."""
    above = 1_000.0 * np.exp(np.log(6.4) / 27.0 * (mel - 15.0))
    return np.where(mel < 15.0, mel * 200.0 / 3.0, above)


@lru_cache(maxsize=1)
def _filters() -> NDArray[np.float32]:
    """Triangles over the FFT's frequencies, each of the same area."""
    highest = 15.0 + np.log(RATE / 2 / 1_000.0) * 27.0 / np.log(6.4)
    edges = _hertz(np.linspace(0.0, highest, MELS + 2))
    frequencies = np.fft.rfftfreq(_FFT, 1 / RATE)
    widths = np.diff(edges)
    ramps = edges[:, None] - frequencies[None, :]
    rising = -ramps[:-2] / widths[:-1, None]
    falling = ramps[2:] / widths[1:, None]
    triangles = np.maximum(0.0, np.minimum(rising, falling))
    return (triangles * (2.0 / (edges[2:] - edges[:-2]))[:, None]).astype(np.float32)


def log_mel(samples: Samples, frames: int) -> NDArray[np.float32]:
    """`MELS` rows of `frames` columns, one each 10 ms, for samples of 16,000 Hz.

    What is too long is cut off. What is missing is true silence, the spectrogram's minimum: padding
    the sound with zeros instead makes short answers worse.
    """
    line = samples[: frames * HOP]
    padded = np.pad(line, _FFT // 2, mode="reflect" if len(line) > _FFT // 2 else "constant")
    pieces = np.lib.stride_tricks.sliding_window_view(padded, _FFT)[::HOP][: len(line) // HOP]
    power = np.abs(np.fft.rfft(pieces * _window(), axis=1)).astype(np.float32) ** 2
    mel = np.log10(np.maximum(_filters() @ power.T, _FLOOR))
    if not mel.size:
        return np.zeros((MELS, frames), dtype=np.float32)
    scaled = (np.maximum(mel, mel.max() - _RANGE) + 4.0) / 4.0
    whole = np.full((MELS, frames), scaled.min(), dtype=np.float32)
    whole[:, : scaled.shape[1]] = scaled
    return whole
