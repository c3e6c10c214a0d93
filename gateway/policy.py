"""The operator's settings that the engine follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gateway.core.cancellation import Graces
from gateway.core.queueing import Drop, Mode


@dataclass(frozen=True, slots=True)
class Policy:
    """The operator's settings that the engine follows. Units stand in the names."""

    mode: Mode = Mode.STEER
    channel_modes: Mapping[str, Mode] = field(default_factory=dict)
    shared_mode: Mode = Mode.ENQUEUE
    cap: int = 20
    drop: Drop = Drop.REJECT_NEWEST
    debounce_ms: int = 0
    collect_ms: int = 500
    debounce_longest_ms: int = 3_000
    graces: Graces = field(default_factory=Graces)
    hold_seconds: float = 10.0
    recent_seconds: float = 10.0
    undelivered_seconds: float = 24 * 3600.0
    shown_every_ms: int = 250
    linger_seconds: float = 30.0
    max_idle_threads: int = 128
    shutdown_seconds: float = 10.0
    run_seconds: float = 600.0
    shared_threads: frozenset[str] = frozenset()
