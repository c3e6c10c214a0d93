"""Recordings as people send them (OGG/Opus and what else FFmpeg reads) as sound, by PyAV."""

from __future__ import annotations

import io

import av
import numpy as np
from av.audio.frame import AudioFrame
from av.audio.resampler import AudioResampler
from av.container import InputContainer

from gateway.core.errors import NoteTooLong, NoteUnreadable
from voice.core.pcm import Samples, from_pcm16


def decode(data: bytes, rate: int, longest_seconds: float) -> Samples:
    """The first audio stream of a file, in one channel. Whatever the file says of itself, no more
    than `longest_seconds` of it are decoded.

    Raises:
        NoteUnreadable: it is no recording, or breaks off before any sound.
        NoteTooLong: it is longer.
    """
    try:
        with av.open(io.BytesIO(data), mode="r") as container:
            return _decode(container, rate, longest_seconds)
    except (av.FFmpegError, ValueError, IndexError) as error:
        raise NoteUnreadable(type(error).__name__) from error


def _decode(container: InputContainer, rate: int, longest_seconds: float) -> Samples:
    if not container.streams.audio:
        raise NoteUnreadable("no audio stream")
    if container.duration is not None and container.duration / av.time_base > longest_seconds:
        raise NoteTooLong(seconds=round(longest_seconds))
    resampler = AudioResampler(format="s16", layout="mono", rate=rate)
    pieces: list[bytes] = []
    most, length = round(longest_seconds * rate), 0
    try:
        for frame in container.decode(container.streams.audio[0]):
            length += _take(resampler.resample(frame), pieces)
            if length > most:
                raise NoteTooLong(seconds=round(longest_seconds))
        _take(resampler.resample(None), pieces)
    except av.FFmpegError:
        if not pieces:
            raise  # else what came before the damage counts
    if not pieces:
        return np.zeros(0, dtype=np.float32)
    return from_pcm16(b"".join(pieces))


def _take(frames: list[AudioFrame], pieces: list[bytes]) -> int:
    pieces += [frame.to_ndarray().tobytes() for frame in frames]
    return sum(frame.samples for frame in frames)
