"""A desk whose callers are heard by the real detector and recogniser, in virtual time."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np

from gateway.supervise import Supervisor
from tests.acceptance.calling import CallDesk, Caller
from tests.corpus.voices import trimmed
from tests.fakes.voice import RATE, FakeEngines
from tests.voice.engines.sounds import prompt
from voice.core.pcm import Samples
from voice.engines.silero import SileroDetector
from voice.engines.whisper import WhisperSpeechToText

QUIET = 3e-4


def report(name: str, error: BaseException) -> None:
    raise AssertionError(f"{name}: {error!r}")


class RealEars(FakeEngines):
    """Silero and Whisper; the voice that answers is the fake one."""

    def __init__(self, cache: Path) -> None:
        super().__init__()
        self.whisper = WhisperSpeechToText(cache, Supervisor(report))

    @property
    def hearing(self) -> Any:
        return self.whisper

    def detector(self, rate: int) -> Any:
        return SileroDetector(rate)

    async def load(self) -> None:
        await self.whisper.load()

    async def stop(self, seconds: float) -> None:
        await self.whisper.stop(seconds)


def room(ms: int, seed: int = 1) -> Samples:
    """What a microphone hears where nobody speaks."""
    noise = np.random.default_rng(seed).normal(0, QUIET, ms * RATE // 1000)
    return noise.astype(np.float32)


def recorded(language: str, *names: str, pause_ms: int = 80) -> Samples:
    """Recordings one behind the other, in a room; skips the test where they are not installed."""
    parts = [part for name in names for part in (trimmed(prompt(language, name)), room(pause_ms))]
    sound = np.concatenate([room(200), *parts])
    return sound + room(len(sound) * 1000 // RATE + 1)[: len(sound)]


async def says(caller: Caller, sound: Samples, within: float = 15.0) -> dict[str, Any]:
    """Say it, and wait until it is settled: the `caller` frame with its outcome."""
    before = len(caller.outcomes())
    caller.make(sound)
    await caller.until(lambda: len(caller.outcomes()) > before, within, "it is settled")
    return caller.outcomes()[-1]


async def desk(tmp_path: Path, agent: Any, cache: Path) -> CallDesk:
    engines = RealEars(cache)
    await engines.load()
    await asyncio.sleep(0)
    return CallDesk(tmp_path, agent, engines=engines)
