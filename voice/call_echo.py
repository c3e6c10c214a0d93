"""What of the microphone is our own voice, come back: what was sent is kept for a moment."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from voice.core.echo import LATEST_MS, comes_back
from voice.core.pcm import Samples

KEPT_MS = 6_000


@dataclass(slots=True, eq=False)
class Echo:
    """Keeps the last seconds of what a line of `rate` Hz was sent, and hands it on to `also`."""

    rate: int
    also: Callable[[Samples, int], None] = lambda samples, now_ms: None
    _sent: deque[tuple[int, Samples]] = field(default_factory=deque)

    def sent(self, samples: Samples, now_ms: int) -> None:
        """This went out now."""
        self.also(samples, now_ms)
        self._sent.append((now_ms, samples))
        while self._sent[0][0] < now_ms - KEPT_MS:
            self._sent.popleft()

    def is_own(self, heard: Samples, rate: int, from_ms: int, to_ms: int) -> bool:
        """Whether the sound between these moments is nothing but what was sent before."""
        near = [part for at, part in self._sent if from_ms - LATEST_MS <= at <= to_ms]
        return bool(near) and comes_back(heard, rate, np.concatenate(near), self.rate)
