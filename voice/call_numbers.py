"""What every call tells of itself: how soon it answered, how soon it stopped, what was heard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import median

from gateway.core.messages import Json
from gateway.ports.channel import Shown


@dataclass(slots=True, eq=False)
class Numbers:
    """The figures of one call, in milliseconds; each is also counted where metrics are kept."""

    metrics: Callable[[str, Mapping[str, str], float], None]
    ends: list[int] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)
    stops: list[int] = field(default_factory=list)
    heard_ms: int = 0
    total_ms: int = 0
    _turn_ms: int | None = None
    _stopped_ms: dict[int, int] = field(default_factory=dict)

    def turn_ended(self, voice_ended_ms: int, now_ms: int) -> None:
        """What was said is known, so long after the voice's end; a reply is awaited."""
        self._turn_ms = now_ms
        self._note(self.ends, "call_turn_seconds", now_ms - voice_ended_ms)

    def sounded(self, now_ms: int) -> None:
        """The first sound after a turn."""
        if self._turn_ms is not None:
            self._note(self.firsts, "call_first_sound_seconds", now_ms - self._turn_ms)
            self._turn_ms = None

    def stopped(self, generation: int, now_ms: int) -> None:
        """Speech has to stop."""
        self._stopped_ms[generation] = now_ms

    def silent(self, generation: int, now_ms: int) -> None:
        """It has stopped at the caller's end."""
        since = self._stopped_ms.pop(generation, None)
        if since is not None:
            self._note(self.stops, "call_stop_seconds", now_ms - since)

    def reply(self, shown: Shown) -> None:
        """A reply is over; so much of it was heard."""
        if shown.total_ms:
            self.heard_ms += shown.heard_ms or 0
            self.total_ms += shown.total_ms

    def told(self) -> dict[str, Json]:
        """At the call's end: the median of each, None where there was nothing to measure."""
        ratio = self.heard_ms / self.total_ms if self.total_ms else None
        if ratio is not None:
            self.metrics("call_heard_ratio", {}, ratio)
        return {
            "endOfTurnMs": _median(self.ends),
            "firstSoundMs": _median(self.firsts),
            "stopMs": _median(self.stops),
            "heardRatio": None if ratio is None else round(ratio, 3),
        }

    def _note(self, into: list[int], name: str, span_ms: int) -> None:
        into.append(span_ms)
        self.metrics(name, {}, span_ms / 1000)


def _median(spans: list[int]) -> int | None:
    return round(median(spans)) if spans else None
