"""How much one person, and all of them, may ask of the API at once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

from gateway.api.auth import Caller
from gateway.core.errors import RateLimited
from gateway.limits import Bucket
from gateway.ports.clock import Clock

PEOPLE: Final = 10_000
"""How many people's rates are kept; the one who has not called for the longest gives way."""
REQUESTS: Final = 2_000
REQUESTS_A_PERSON: Final = 256
"""How many requests may be on at once, streams among them."""
AGAIN_SECONDS: Final = 1.0


class Rates:
    """Lets each person through at a rate."""

    def __init__(self, clock: Clock, at_once: int, per_second: float) -> None:
        self._clock = clock
        self._at_once = at_once
        self._per_second = per_second
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, principal: str) -> None:
        """Count one request.

        Raises:
            RateLimited: they asked too much lately.
        """
        bucket = self._buckets.pop(principal, None)
        if bucket is None:
            bucket = Bucket(self._clock, self._at_once, self._per_second)
        self._buckets[principal] = bucket
        if len(self._buckets) > PEOPLE:
            self._buckets.popitem(last=False)
        if not bucket.take():
            again = max(AGAIN_SECONDS, 1 / self._per_second)
            raise RateLimited("too many requests", retryAfterSeconds=again)


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """One request or stream that is on; `leave` ends it at once."""

    caller: Caller
    leave: Callable[[], object]


class Places:
    """How many requests, or streams, may be on at once: of one person, and of all."""

    def __init__(self, limit: int, per_person: int, what: str) -> None:
        self._limit = limit
        self._per_person = per_person
        self._what = what
        self._taken: set[Place] = set()
        self._empty = asyncio.Event()
        self._empty.set()

    def __len__(self) -> int:
        return len(self._taken)

    @contextmanager
    def one(self, caller: Caller, leave: Callable[[], object]) -> Iterator[Place]:
        """Hold a place.

        Raises:
            RateLimited: there is none.
        """
        own = sum(place.caller.principal == caller.principal for place in self._taken)
        if len(self._taken) >= self._limit or own >= self._per_person:
            raise RateLimited(f"too many {self._what} at once", retryAfterSeconds=AGAIN_SECONDS)
        place = Place(caller, leave)
        self._taken.add(place)
        self._empty.clear()
        try:
            yield place
        finally:
            self._taken.discard(place)
            if not self._taken:
                self._empty.set()

    def revoked(self, digests: list[str]) -> None:
        """End what was let in by these tokens."""
        for place in [place for place in self._taken if place.caller.token in digests]:
            place.leave()

    async def wait(self, seconds: float) -> None:
        """Return once nothing is on, or after so long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._empty.wait()

    def stop(self) -> None:
        """End everything."""
        for place in list(self._taken):
            place.leave()
