"""How much a client may send."""

from __future__ import annotations

from gateway.ports.clock import Clock


class Bucket:
    """Lets `burst` through at once, and `rate_per_second` in the long run."""

    def __init__(self, clock: Clock, burst: float, rate_per_second: float) -> None:
        self._clock = clock
        self._burst = burst
        self._rate = rate_per_second
        self._left = float(burst)
        self._at = clock.monotonic()

    def take(self, cost: float = 1) -> bool:
        """Whether something of this cost may pass now."""
        now = self._clock.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < cost:
            return False
        self._left -= cost
        return True
