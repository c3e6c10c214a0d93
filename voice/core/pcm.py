"""Sound as numbers: PCM16, G.711 mu-law, sample rates, loudness and ramps.

Samples are float32 in −1…1 inside, one channel. Nothing here keeps a clock; what has to remember
(a resampler, a fader) is a value that each call returns anew.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import gcd
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Samples: TypeAlias = NDArray[np.float32]

SCALE = 32768.0
_TAPS_PER_PHASE = 24
_CLIP = 32635
_BIAS = 132


def from_pcm16(data: bytes) -> Samples:
    """Samples of little-endian 16-bit PCM.

    Raises:
        ValueError: an odd number of bytes is no 16-bit sound.
    """
    if len(data) % 2:
        raise ValueError(f"{len(data)} bytes are no 16-bit samples")
    return (np.frombuffer(data, dtype="<i2") / SCALE).astype(np.float32)


def to_pcm16(samples: Samples) -> bytes:
    """Little-endian 16-bit PCM; what is too loud is clipped, what is no number is silence."""
    data: bytes = _integers(samples).astype("<i2").tobytes()
    return data


def _integers(samples: Samples) -> NDArray[np.int32]:
    finite = np.nan_to_num(samples, nan=0.0, posinf=1.0, neginf=-1.0)
    scaled = np.rint(finite.astype(np.float64) * SCALE)
    return np.clip(scaled, -32768, 32767).astype(np.int32)


@lru_cache(maxsize=1)
def _decoded() -> Samples:
    codes = ~np.arange(256, dtype=np.int32) & 0xFF
    magnitude = (((codes & 0x0F) << 3) + _BIAS << ((codes & 0x70) >> 4)) - _BIAS
    return (np.where(codes & 0x80, -magnitude, magnitude) / SCALE).astype(np.float32)


def from_mulaw(data: bytes) -> Samples:
    """Samples of G.711 mu-law bytes."""
    return _decoded()[np.frombuffer(data, dtype=np.uint8)]


def to_mulaw(samples: Samples) -> bytes:
    """G.711 mu-law bytes of samples."""
    whole = _integers(samples)
    magnitude = np.minimum(np.abs(whole), _CLIP) + _BIAS
    exponent = np.frexp(magnitude.astype(np.float64))[1] - 8
    mantissa = (magnitude >> (exponent + 3)) & 0x0F
    code = np.where(whole < 0, 0x80, 0) | (exponent << 4) | mantissa
    return bytes((~code & 0xFF).astype(np.uint8))


def gain_of(decibels: float) -> float:
    """What samples are multiplied by to be that much louder (−15 dB is 0.178)."""
    return float(10.0 ** (decibels / 20.0))


def louder(samples: Samples, decibels: float) -> Samples:
    """The samples, that much louder or, below 0, quieter."""
    return (samples * np.float32(gain_of(decibels))).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Fader:
    """A loudness that moves to its target in a straight line, so that no step is heard.

    From silence to full takes `ramp_ms`; shorter ways take less.
    """

    rate: int
    gain: float = 1.0
    target: float = 1.0
    ramp_ms: int = 10

    def to(self, gain: float) -> Fader:
        """Move towards `gain` (1 is as it came, 0 silence) from where it is now."""
        return replace(self, target=gain)

    @property
    def settled(self) -> bool:
        """Whether the target is reached."""
        return self.gain == self.target

    def apply(self, samples: Samples) -> tuple[Fader, Samples]:
        """The samples at their loudness, and the fader after them."""
        if self.settled or not len(samples):
            return self, (samples * np.float32(self.gain)).astype(np.float32)
        step = 1000.0 / (self.rate * self.ramp_ms)
        way = self.target - self.gain
        line = self.gain + np.sign(way) * step * np.arange(1, len(samples) + 1)
        low, high = sorted((self.gain, self.target))
        gains = np.clip(line, low, high)
        reached = abs(way) <= step * len(samples)
        last = self.target if reached else float(gains[-1])
        return replace(self, gain=last), (samples * gains).astype(np.float32)


@lru_cache(maxsize=32)
def _phases(up: int, down: int) -> NDArray[np.float64]:
    """A windowed-sinc low-pass, one row of taps for each of the `up` phases."""
    count = _TAPS_PER_PHASE * up
    cutoff = 0.92 / max(up, down)
    middle = (count - 1) / 2
    at = np.arange(count) - middle
    taps = np.sinc(cutoff * at) * cutoff * np.kaiser(count, 6.0)
    rows = taps.reshape(_TAPS_PER_PHASE, up).T[:, ::-1]
    return np.ascontiguousarray(rows / rows.sum(axis=1, keepdims=True))


@dataclass(frozen=True, slots=True, eq=False)
class Resampler:
    """Another sample rate for a stream that comes in pieces of any size.

    Whatever the pieces, the output is that of the whole: after n samples in, ⌈n × to ÷ from⌉ are
    out. It delays by half its taps, 12 samples of the source (1.5 ms at 8 kHz).
    """

    source_rate: int
    target_rate: int
    taken: int = 0
    tail: Samples | None = None

    def apply(self, samples: Samples) -> tuple[Resampler, Samples]:
        """The next samples at the target rate, and the resampler after them."""
        if self.source_rate == self.target_rate:
            return self, samples
        shared = gcd(self.source_rate, self.target_rate)
        up, down = self.target_rate // shared, self.source_rate // shared
        rows = _phases(up, down)
        keep = rows.shape[1] - 1
        tail = self.tail if self.tail is not None else np.zeros(keep, dtype=np.float32)
        line = np.concatenate([tail, samples]).astype(np.float32)
        taken = self.taken + len(samples)
        first, last = -(-self.taken * up // down), -(-taken * up // down)
        clock = np.arange(first, last, dtype=np.int64) * down
        after = replace(self, taken=taken, tail=line[len(line) - keep :])
        if not len(clock):
            return after, np.zeros(0, dtype=np.float32)
        windows = np.lib.stride_tricks.sliding_window_view(line, keep + 1)
        chosen = windows[clock // up - self.taken]
        out = np.einsum("ij,ij->i", chosen, rows[clock % up])
        return after, out.astype(np.float32)
