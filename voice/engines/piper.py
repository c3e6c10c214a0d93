"""piper: a voice of the operator's own, an ONNX file with its configuration beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from piper import PiperVoice

from gateway.core.errors import EngineFailed
from gateway.supervise import Supervisor
from voice.core.pcm import Samples
from voice.engines.sentences import SentenceVoice


class _Piper:
    def __init__(self, path: Path) -> None:
        self._voice = PiperVoice.load(path)

    def sentences(self, text: str) -> Iterator[Samples]:
        for chunk in self._voice.synthesize(text):
            yield chunk.audio_float_array


def piper_voice(path: Path, supervisor: Supervisor) -> SentenceVoice:
    """The voice at `path`, not loaded yet.

    Raises:
        EngineFailed: there is no such voice, or its configuration names no sample rate.
    """
    config = path.with_name(f"{path.name}.json")
    if not path.is_file():
        raise EngineFailed(f"piper: there is no voice {path}")
    try:
        rate = int(json.loads(config.read_text(encoding="utf-8"))["audio"]["sample_rate"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EngineFailed(f"piper: {config} is no voice's configuration: {error!r}") from error
    return SentenceVoice("piper", rate, lambda: _Piper(path), supervisor)
