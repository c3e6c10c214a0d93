"""Whether a microphone hears our own voice: the same sound comes back, later and quieter.

What a recogniser makes of an echo is seldom the words that were said, so words can't tell it. Sound
can: how loud each of a few bands is, every 10 ms, goes up and down as in what was played, at one
distance in time. A caller's voice doesn't, nor does it beside the echo.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from voice.core.pcm import Samples

Bands = NDArray[np.float64]

PART_MS = 600
"""An utterance is compared in parts of this length, one that is shorter as a whole: what remains of
a longer one is left out, for so short a sound is like something by chance (250 ms of a caller were
up to 0.92, 600 ms up to 0.80, 0.73 in all but one in fifty).
"""
SHORTEST_MS = 250
LATEST_MS = 1_500
"""So much later than it was sent an echo comes at most."""
ALIKE, SURELY = 0.6, 0.78
"""How alike a part that comes back is, and how much one of them has to be. Of our own voice parts
were 0.69 to 1, in a room and over a phone; of callers 0.15 to 0.66, one in fifty up to 0.78.
"""
CLEARLY, MUCH_MS = 0.84, 450
"""So alike one part has to be where as many are not, as when speech was made quieter in the middle
of one, or where there is no more of them than this: of callers 600 ms were up to 0.80, 250 to 450
up to 0.91, one in fifty 0.84; of our own 0.58 to 1.
"""
LOUDER = 1.5
"""A part that is not alike and has so many times the power of those that are is somebody's."""
LOUDEST = 2.0
"""What has on average so many times the peak of all that was played is louder than any echo."""
HELD_MS = 300
"""So long a quiet is none of a sentence: what was played was held there, and went on later."""
STEADY = 0.3
"""What changes less than this, in logarithms, is no voice and like every other steady sound."""
_HOP_MS, _WINDOW_MS = 10, 25
_LOWEST, _HIGHEST, _BANDS = 150.0, 3_600.0, 12
_QUIET, _SILENT = 10 ** (-15 / 10), 10 ** (-20 / 10)
_FLOOR = 1e-4
_STILL = 1e-6
"""What changes less in all is silence, and like nothing; sums of rows are exact to far less."""


@lru_cache(maxsize=4)
def _weights(rate: int) -> tuple[Samples, NDArray[np.intp]]:
    """The window, and at which frequency each band begins, the last one at which all end."""
    size = rate * _WINDOW_MS // 1000
    frequencies = np.fft.rfftfreq(size, 1 / rate)
    edges = np.geomspace(_LOWEST, _HIGHEST, _BANDS + 1)
    return np.hanning(size).astype(np.float32), np.searchsorted(frequencies, edges)


def bands(samples: Samples, rate: int) -> Bands:
    """How loud each band is, frame by frame, in logarithms."""
    window, begins = _weights(rate)
    if len(samples) < len(window):
        return np.zeros((0, _BANDS))
    frames = sliding_window_view(samples, len(window))[:: rate * _HOP_MS // 1000]
    parts = np.abs(np.fft.rfft(frames * window, axis=1))[:, : begins[-1]].astype(np.float64) ** 2
    # Not as a product of matrices: that waits for threads of its own, where all cores are busy.
    power = np.add.reduceat(parts, begins[:-1], axis=1)
    return np.asarray(np.log(power + power.max() * _FLOOR + 1e-12))


def likeness(heard: Bands, played: Bands) -> float:
    """How alike they are at the best distance in time: 1 the same, about 0 unlike."""
    length = len(heard)
    if not length or len(played) < length:
        return 0.0
    mine = heard - heard.mean(axis=0)
    if float(np.sqrt(np.mean(mine**2))) < STEADY:
        return 0.0
    theirs = played - played.mean(axis=0)
    together = np.add.reduce(
        [np.correlate(*pair, "valid") for pair in zip(theirs.T, mine.T, strict=True)]
    )
    spread = _sums(theirs**2, length) - _sums(theirs, length) ** 2 / length
    size = np.sqrt(np.maximum(spread.sum(axis=1), _STILL) * (mine**2).sum())
    return float((together / size).max())


def _sums(columns: Bands, length: int) -> Bands:
    """Of every `length` rows that follow each other."""
    total = np.cumsum(np.pad(columns, ((1, 0), (0, 0))), axis=0)
    return np.asarray(total[length:] - total[:-length])


def stretches(samples: Samples, rate: int) -> list[Samples]:
    """What lies between quiets of `HELD_MS`, as much quieter than its loudest as silence is."""
    hop = rate * _HOP_MS // 1000
    frames = samples[: len(samples) // hop * hop].reshape(-1, hop).astype(np.float64)
    power = (frames**2).mean(axis=1)
    sounding = np.flatnonzero(power > power.max(initial=0.0) * _SILENT)
    if not len(sounding):
        return []
    ends = np.flatnonzero(np.diff(sounding) * _HOP_MS >= HELD_MS)
    firsts = sounding[np.concatenate([[0], ends + 1])]
    lasts = sounding[np.concatenate([ends, [len(sounding) - 1]])]
    return [
        samples[first * hop : (last + 1) * hop] for first, last in zip(firsts, lasts, strict=True)
    ]


def _parts(samples: Samples, size: int, shortest: int) -> list[Samples]:
    whole = min(size, len(samples))
    ends = range(len(samples), max(whole, shortest) - 1, -size)
    return [samples[end - whole : end] for end in ends]


def comes_back(heard: Samples, heard_rate: int, played: Samples, played_rate: int) -> bool:
    """Whether all that was heard is what was played; `played` begins `LATEST_MS` before it."""
    size, shortest = heard_rate * PART_MS // 1000, heard_rate * SHORTEST_MS // 1000
    sounding = stretches(heard, heard_rate)
    parts = [part for stretch in sounding for part in _parts(stretch, size, shortest)]
    powers = [float(np.mean(part.astype(np.float64) ** 2)) for part in parts]
    if max(powers, default=0.0) > (LOUDEST * float(np.max(np.abs(played)))) ** 2:
        return False
    least = max(powers, default=0.0) * _QUIET
    around = np.zeros(played_rate * PART_MS // 1000, dtype=np.float32)
    known = bands(np.concatenate([around, played, around]), played_rate)
    found = [
        (likeness(bands(part, heard_rate), known), power, len(part) * 1000 // heard_rate)
        for part, power in zip(parts, powers, strict=True)
        if power >= least
    ]
    ours = [(power, ms) for alike, power, ms in found if alike >= ALIKE]
    others = [power for alike, power, _ in found if alike < ALIKE]
    if len(ours) < len(others):
        return False
    much = len(ours) > len(others) and sum(ms for _, ms in ours) >= MUCH_MS
    surely = any(alike >= (SURELY if much else CLEARLY) for alike, _, _ in found)
    # What is held or made quieter in the middle of a part is not alike, and is no louder either.
    return surely and max(others, default=0) <= LOUDER * max(power for power, _ in ours)
