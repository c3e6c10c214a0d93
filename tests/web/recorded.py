"""Recorded people as a microphone: Debian's asterisk-core-sounds, one woman a language."""

from __future__ import annotations

import json
import struct
import wave
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from voice.core.pcm import Resampler, Samples, from_pcm16, to_pcm16

SOUNDS = Path("/usr/share/asterisk/sounds")
VOICES = {"en": "en_US_f_Allison", "ru": "ru_RU_f_IvrvoiceRU"}
RATE = 48_000


def there(language: str) -> bool:
    """Whether the recordings of a language are installed."""
    return (SOUNDS / VOICES[language]).is_dir()


def recording(language: str, name: str) -> Samples:
    with wave.open(str(SOUNDS / VOICES[language] / f"{name}.wav")) as file:
        samples = from_pcm16(file.readframes(file.getnframes()))
        _, made = Resampler(file.getframerate(), RATE).apply(samples)
    return made


def microphone(target: Path, language: str, said: Iterable[str | float]) -> float:
    """A file with recordings, by name, and silences, in seconds; how long it is."""
    parts = [
        np.zeros(int(one * RATE), dtype=np.float32)
        if isinstance(one, float)
        else recording(language, one)
        for one in said
    ]
    sound = np.concatenate(parts)
    with wave.open(str(target), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(to_pcm16(sound))
    return len(sound) / RATE


@dataclass
class Wire:
    """What went over a call's WebSocket, as the browser saw it."""

    heard: list[dict[str, Any]] = field(default_factory=list)
    """Text frames of the server."""
    told: list[dict[str, Any]] = field(default_factory=list)
    """Text frames of the page."""
    sound: dict[int, dict[int, Samples]] = field(default_factory=dict)
    """By generation and position: the agent's voice."""

    def watch(self, page: Any) -> None:
        page.on("websocket", self._opened)

    def _opened(self, socket: Any) -> None:
        if "/call?" in socket.url:
            socket.on("framereceived", self._came)
            socket.on("framesent", self._left)

    def _came(self, frame: bytes | str) -> None:
        if isinstance(frame, str):
            self.heard.append(json.loads(frame))
            return
        generation, _, position = struct.unpack_from("<III", frame)
        self.sound.setdefault(generation, {})[position] = from_pcm16(frame[12:])

    def _left(self, frame: bytes | str) -> None:
        if isinstance(frame, str):
            self.told.append(json.loads(frame))

    def pcm(self, generation: int) -> Samples:
        """The voice of a generation from its first sample on, as far as it came."""
        pieces = self.sound[generation]
        made: list[Samples] = []
        end = 0
        for position in sorted(pieces):
            assert position <= end, f"a gap before {position}"
            made.append(pieces[position][end - position :])
            end = max(end, position + len(pieces[position]))
        return np.concatenate(made)
