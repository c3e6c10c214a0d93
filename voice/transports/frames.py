"""What a call's page and server write to each other: `docs/call.md`, byte for byte."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from voice.core.pcm import Samples, from_pcm16, to_pcm16

MICROPHONE_RATE = 16_000
LONGEST_SOUND_MS = 200
LONGEST_TEXT_BYTES = 4 * 1024
"""Nothing that a page tells is longer."""

_FIRST = struct.Struct("<I")
_PLACE = struct.Struct("<III")
_LONGEST_SOUND_BYTES = 2 * MICROPHONE_RATE * LONGEST_SOUND_MS // 1000
_COUNT_LIMIT = 2**32


class Garbage(ValueError):
    """Bytes that mean nothing; the text says why."""


@dataclass(frozen=True, slots=True)
class Heard:
    """Sound of the microphone; `first` is the number of its first sample."""

    first: int
    samples: Samples


@dataclass(frozen=True, slots=True)
class Played:
    """So far this flight of a generation was played."""

    generation: int
    flight: int
    position: int


@dataclass(frozen=True, slots=True)
class Cleared:
    """The generation was dropped at this sample."""

    generation: int
    position: int


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the keypad."""

    key: str


@dataclass(frozen=True, slots=True)
class Talk:
    """Push-to-talk is held, or let go."""

    on: bool


@dataclass(frozen=True, slots=True)
class Mute:
    """The microphone is muted, or no longer."""

    on: bool


@dataclass(frozen=True, slots=True)
class Stop:
    """The button."""


@dataclass(frozen=True, slots=True)
class Bye:
    """The caller hangs up."""


Told = Played | Cleared | Key | Talk | Mute | Stop | Bye


def sound_frame(generation: int, flight: int, position: int, samples: Samples) -> bytes:
    """The agent's voice, to be played."""
    return _PLACE.pack(generation, flight, position) + to_pcm16(samples)


def text_frame(kind: str, data: Mapping[str, Any]) -> bytes:
    """Anything else that the page is told."""
    return json.dumps({"type": kind, **data}, ensure_ascii=False).encode("utf-8", "replace")


def read_sound(data: bytes) -> Heard:
    """Sound of the microphone.

    Raises:
        Garbage: without samples, with half a sample, or longer than a frame may be.
    """
    size = len(data) - _FIRST.size
    if size <= 0 or size % 2 or size > _LONGEST_SOUND_BYTES:
        raise Garbage(f"{len(data)} bytes are no sound")
    return Heard(_FIRST.unpack_from(data)[0], from_pcm16(data[_FIRST.size :]))


def read_text(text: str) -> Told:
    """What the page tells.

    Raises:
        Garbage: no JSON object of a known type, or its fields are missing or of another kind.
    """
    if len(text) > LONGEST_TEXT_BYTES:
        raise Garbage(f"{len(text)} characters")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Garbage("no JSON") from error
    if not isinstance(data, dict):
        raise Garbage("no object")
    kind = data.get("type")
    read = _READERS.get(kind) if isinstance(kind, str) else None
    if read is None:
        raise Garbage("of no known type")
    return read(data)


def _count(data: Mapping[str, Any], name: str) -> int:
    value = data.get(name)
    if type(value) is not int or not 0 <= value < _COUNT_LIMIT:
        raise Garbage(f"{name} is no count")
    return value


def _on(data: Mapping[str, Any]) -> bool:
    value = data.get("on")
    if not isinstance(value, bool):
        raise Garbage("on is neither true nor false")
    return value


def _key(data: Mapping[str, Any]) -> Key:
    key = data.get("key")
    if not isinstance(key, str) or len(key) != 1 or key not in "0123456789*#":
        raise Garbage("key is none of the keypad")
    return Key(key)


_READERS: Mapping[str, Callable[[Mapping[str, Any]], Told]] = {
    "played": lambda d: Played(_count(d, "generation"), _count(d, "flight"), _count(d, "position")),
    "cleared": lambda d: Cleared(_count(d, "generation"), _count(d, "position")),
    "key": _key,
    "talk": lambda d: Talk(_on(d)),
    "mute": lambda d: Mute(_on(d)),
    "stop": lambda _: Stop(),
    "bye": lambda _: Bye(),
}
