"""espeak-ng by ctypes: the default voice, with the exact sample at which each word begins.

The library keeps one state a process and is not thread safe: a single thread speaks for all calls,
a clause at a time. What it makes of a clause is thousands of times faster than speech.
"""

from __future__ import annotations

import asyncio
import ctypes
import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import espeakng_loader
import numpy as np

from gateway.core.errors import EngineFailed
from gateway.supervise import Supervisor
from voice.core.clauses import Clause
from voice.core.pcm import SCALE, Samples
from voice.core.playout import Mark
from voice.engines.worker import Worker
from voice.ports import Speech

RATE = 22_050
VOICES: Mapping[str, bytes] = {"en": b"en", "ru": b"ru"}
_PREPARE_SECONDS = 10.0
_CLAUSE_SECONDS = 5.0
# Of espeak-ng's speak_lib.h.
_AUDIO_OUTPUT_SYNCHRONOUS = 2
_INITIALIZE_DONT_EXIT = 0x8000
_CHARS_UTF8 = 1
_POS_CHARACTER = 1
_EVENT_LIST_TERMINATED = 0
_EVENT_WORD = 1
_GO_ON, _STOP = 0, 1


class _Id(ctypes.Union):
    _fields_ = (
        ("number", ctypes.c_int),
        ("name", ctypes.c_char_p),
        ("string", ctypes.c_char * 8),
    )


class _Event(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", _Id),
    )


_Block = ctypes.POINTER(ctypes.c_short)
_Events = ctypes.POINTER(_Event)
_Callback = ctypes.CFUNCTYPE(ctypes.c_int, _Block, ctypes.c_int, _Events)


@dataclass(slots=True)
class Spoken:
    """What was made of a text up to now; `stopped` ends it after the block in hand."""

    blocks: list[bytes] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    stopped: bool = False

    @property
    def samples(self) -> Samples:
        """All blocks in one."""
        whole = np.frombuffer(b"".join(self.blocks), dtype=np.int16)
        return (whole / SCALE).astype(np.float32)


_copies = count()


def _fresh_copy() -> Any:
    """The library with a state that nobody else in this process has.

    The same file opened twice is the same state, and a thread that hung may still be in it; so the
    second and later ones are opened as files of their own.
    """
    library = espeakng_loader.get_library_path()
    if next(_copies) == 0:
        return ctypes.CDLL(library)
    with tempfile.TemporaryDirectory(prefix="bargein-espeak-") as own:
        return ctypes.CDLL(shutil.copy(library, own))


class Library:
    """One copy of the library with a state of its own. Only one thread may use it.

    Raises:
        EngineFailed: it doesn't load, or speaks at another rate than expected.
    """

    def __init__(self) -> None:
        self._library: Any = _fresh_copy()
        data = espeakng_loader.get_data_path().encode()
        rate = self._library.espeak_Initialize(
            _AUDIO_OUTPUT_SYNCHRONOUS, 0, data, _INITIALIZE_DONT_EXIT
        )
        if rate != RATE:
            raise EngineFailed(f"espeak-ng doesn't start: {rate} instead of {RATE} Hz")
        self._spoken = Spoken()
        self._callback = _Callback(self._take)
        self._library.espeak_SetSynthCallback(self._callback)

    def speak(self, text: str, voice: bytes, into: Spoken) -> Spoken:
        """The text as sound, with a mark for each word event.

        Raises:
            EngineFailed: there is no such voice, or the library refused.
        """
        self._spoken = into
        if self._library.espeak_SetVoiceByName(voice):
            raise EngineFailed(f"espeak-ng has no voice {voice.decode()!r}")
        data = text.encode()
        failed = self._library.espeak_Synth(
            data, len(data) + 1, 0, _POS_CHARACTER, 0, _CHARS_UTF8, None, None
        )
        if failed:
            raise EngineFailed(f"espeak-ng failed with {failed}")
        return into

    def _take(self, block: Any, length: int, events: Any) -> int:
        """Called by the library for each block of about 50 ms, with the events that lie in it."""
        spoken, at = self._spoken, 0
        while events[at].type != _EVENT_LIST_TERMINATED:
            event = events[at]
            if event.type == _EVENT_WORD:
                spoken.marks.append(Mark(event.text_position - 1, event.sample))
            at += 1
        if block and length > 0:
            spoken.blocks.append(ctypes.string_at(block, 2 * length))
        return _STOP if spoken.stopped else _GO_ON


class EspeakVoice:
    """The voice for both languages."""

    name = "espeak"
    rate = RATE
    word_times = True

    def __init__(self, supervisor: Supervisor) -> None:
        self._worker = Worker(self.name, Library, supervisor, prepare_seconds=_PREPARE_SECONDS)

    async def load(self) -> None:
        await self._worker.load()

    async def stop(self, seconds: float) -> None:
        """The end of its thread, once the work in hand is done."""
        await self._worker.stop(seconds)

    async def speak(self, clause: Clause, language: str) -> AsyncIterator[Speech]:
        text = clause.spoken.text
        if not text:
            return
        voice = VOICES.get(language, VOICES["en"])
        spoken = Spoken()
        try:
            await self._worker.run(
                lambda library: library.speak(text, voice, spoken), seconds=_CLAUSE_SECONDS
            )
        except asyncio.CancelledError:
            spoken.stopped = True
            raise
        yield Speech(spoken.samples, in_order(spoken.marks))


def in_order(marks: list[Mark]) -> tuple[Mark, ...]:
    """The marks by their places, one for each place, none of them earlier than the one before.

    A number has several events, some at one place: the first of them is where it begins.
    """
    kept: list[Mark] = []
    for mark in marks:
        if mark.place >= 0 and (not kept or mark.place > kept[-1].place):
            kept.append(mark)
    return tuple(kept)
