"""Sound as the files that people send."""

from __future__ import annotations

import io
import wave
from fractions import Fraction

import av
import numpy as np

from tests.corpus.voices import RATE
from voice.core.pcm import Samples, to_pcm16

OPUS_RATE = 48_000
FRAME = 960


def wav(samples: Samples, rate: int = RATE) -> bytes:
    """PCM, nothing lost."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        file.writeframes(to_pcm16(samples))
    return out.getvalue()


def ogg(samples: Samples, rate: int = RATE) -> bytes:
    """OGG/Opus, as Telegram's clients record it."""
    out = io.BytesIO()
    with av.open(out, "w", format="ogg") as container:
        stream = container.add_stream("libopus", rate=OPUS_RATE, layout="mono")
        stream.bit_rate = 24_000
        resampler = av.AudioResampler("s16", "mono", OPUS_RATE, frame_size=FRAME)
        data = np.frombuffer(to_pcm16(samples), dtype=np.int16).reshape(1, -1)
        frame = av.AudioFrame.from_ndarray(data, format="s16", layout="mono")
        frame.sample_rate, frame.time_base, frame.pts = rate, Fraction(1, rate), 0
        for piece in [*resampler.resample(frame), *resampler.resample(None), None]:
            for packet in stream.encode(piece):
                container.mux(packet)
    return out.getvalue()
