"""From probabilities of speech to a voice that begins and ends.

The detector gives one probability a window; the gate here makes edges of them. Time is the
caller's: each window says when its last sample was taken, so that late bursts count where they
belong.
"""

from __future__ import annotations

from dataclasses import dataclass

from voice.core.changing import replace


@dataclass(frozen=True, slots=True)
class VoiceStarted:
    """A voice is there since `at_ms`, the start of its first window."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class VoiceEnded:
    """The voice was last there at `at_ms`."""

    at_ms: int


Edge = VoiceStarted | VoiceEnded


@dataclass(frozen=True, slots=True)
class Gating:
    """When a voice counts as begun and as over."""

    onset_probability: float = 0.5
    """A window speaks from here on."""
    release_probability: float = 0.35
    """A window is silent below; between the two it is what it was."""
    onset_ms: int = 30
    """So long it has to speak without a gap; one window of 32 ms is enough."""
    foot_probability: float = 0.1
    foot_ms: int = 160
    """A voice began with the windows in a row, no longer than this, of so much that led up to its
    onset: the detector is slow to believe in a soft beginning.
    """
    release_ms: int = 90
    """So long it has to be silent without a gap."""
    watchdog_ms: int = 800
    """A voice is over when no window came for so long."""


@dataclass(frozen=True, slots=True)
class Gate:
    """What the gate remembers between windows. `last_ms` is the end of the last window taken."""

    gating: Gating = Gating()
    speaking: bool = False
    run_since_ms: int | None = None
    foot_since_ms: int | None = None
    voiced_until_ms: int = 0
    last_ms: int | None = None

    def window(self, probability: float, window_ms: int, end_ms: int) -> tuple[Gate, Edge | None]:
        """The gate after one window that ended at `end_ms`, and the edge it made.

        A window that is no later than the last one is dropped: it came twice or out of order.
        What is no number is silence.
        """
        if self.last_ms is not None and end_ms <= self.last_ms:
            return self, None
        start_ms = end_ms - window_ms
        if self.speaking:
            return self._while_speaking(probability, start_ms, end_ms)
        return self._while_silent(probability, start_ms, end_ms)

    def _while_silent(self, probability: float, start: int, end: int) -> tuple[Gate, Edge | None]:
        gap = self.last_ms is not None and start > self.last_ms
        foot, since = (None, None) if gap else (self.foot_since_ms, self.run_since_ms)
        rises = probability >= self.gating.foot_probability
        foot = (start if foot is None else foot) if rises else None
        if not probability >= self.gating.onset_probability:
            return replace(self, run_since_ms=None, foot_since_ms=foot, last_ms=end), None
        since = start if since is None else since
        if end - since < self.gating.onset_ms:
            return replace(self, run_since_ms=since, foot_since_ms=foot, last_ms=end), None
        began = max(since if foot is None else foot, since - self.gating.foot_ms)
        opened = Gate(self.gating, speaking=True, voiced_until_ms=end, last_ms=end)
        return opened, VoiceStarted(began)

    def _while_speaking(self, probability: float, start: int, end: int) -> tuple[Gate, Edge | None]:
        if probability >= self.gating.release_probability:
            return replace(self, run_since_ms=None, voiced_until_ms=end, last_ms=end), None
        since = start if self.run_since_ms is None else self.run_since_ms
        if end - since < self.gating.release_ms:
            return replace(self, run_since_ms=since, last_ms=end), None
        return self._closed(end)

    def watch(self, now_ms: int) -> tuple[Gate, Edge | None]:
        """The gate at `now_ms`: a voice whose windows stopped coming is over."""
        late = self.last_ms is not None and now_ms - self.last_ms >= self.gating.watchdog_ms
        return self._closed(self.last_ms or 0) if self.speaking and late else (self, None)

    def _closed(self, end: int) -> tuple[Gate, Edge]:
        closed = replace(self, speaking=False, run_since_ms=None, last_ms=end)
        return closed, VoiceEnded(self.voiced_until_ms)
