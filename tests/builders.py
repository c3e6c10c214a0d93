"""What tests are built from: a clock that follows the loop's time, ids that count."""

import asyncio
from datetime import UTC, datetime, timedelta

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class LoopClock:
    """Time as the running loop has it, virtual or not; it begins on a Monday at nine."""

    def __init__(self, start: datetime = START) -> None:
        self.start = start
        self._began = asyncio.get_running_loop().time()

    def now(self) -> datetime:
        return self.start + timedelta(seconds=self.monotonic())

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time() - self._began


class CountingIds:
    """Ids in the form of a uuid, one after the other."""

    def __init__(self, first: int = 1) -> None:
        self._next = first

    def uuid(self) -> str:
        number, self._next = self._next, self._next + 1
        return f"00000000-0000-4000-8000-{number:012x}"
