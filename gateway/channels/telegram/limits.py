"""Telegram's limits as sliding windows: a chat's own, a group's, and the bot's over all chats.

Every send and every edit counts. What a person waits for goes before what only refreshes a text.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from collections.abc import Callable
from itertools import count

GROUP_COUNT, GROUP_SECONDS, GROUP_KEPT = 20, 60.0, 3
"""In a group 20 a minute; refreshing leaves 3 of them for what has to be said."""
PRIVATE_COUNT, PRIVATE_SECONDS, PRIVATE_KEPT = 20, 20.0, 5
"""In private one a second on average; short bursts are allowed."""
OVERALL_COUNT, OVERALL_SECONDS = 30, 1.0
EDIT_PRIVATE_SECONDS, EDIT_GROUP_SECONDS = 1.0, 4.0


class Window:
    """At most `most` in any `seconds`; times come in as arguments."""

    def __init__(self, most: int, seconds: float, kept: int = 0) -> None:
        self.most = most
        self.seconds = seconds
        self.kept = kept
        self._times: deque[float] = deque()

    def wait(self, now: float, *, urgent: bool = True) -> float:
        """How long until one more may go; what isn't urgent leaves `kept` free."""
        while self._times and self._times[0] <= now - self.seconds:
            self._times.popleft()
        room = self.most - (0 if urgent else self.kept)
        if len(self._times) < room:
            return 0.0
        return self._times[len(self._times) - room] + self.seconds - now

    def note(self, now: float) -> None:
        """One went."""
        self._times.append(now)


def window_of(chat: int) -> Window:
    """The window of a chat: groups have negative numbers."""
    if chat < 0:
        return Window(GROUP_COUNT, GROUP_SECONDS, GROUP_KEPT)
    return Window(PRIVATE_COUNT, PRIVATE_SECONDS, PRIVATE_KEPT)


def edit_seconds(chat: int) -> float:
    """The shortest time between two refreshes of a text."""
    return EDIT_GROUP_SECONDS if chat < 0 else EDIT_PRIVATE_SECONDS


class Overall:
    """The bot's own window; those that wait go urgent ones first, then first come, first served."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._window = Window(OVERALL_COUNT, OVERALL_SECONDS)
        self._monotonic = monotonic
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._order = count()
        self._timer: asyncio.TimerHandle | None = None

    async def turn(self, *, urgent: bool) -> None:
        """Return when one more call may go; it counts."""
        now = self._monotonic()
        if not self._waiting and self._window.wait(now) <= 0:
            self._window.note(now)
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (0 if urgent else 1, next(self._order), mine))
        self._arrange()
        await mine

    def _arrange(self) -> None:
        if self._timer is None and self._waiting:
            wait = max(self._window.wait(self._monotonic()), 0.001)
            self._timer = asyncio.get_running_loop().call_later(wait, self._let_go)

    def _let_go(self) -> None:
        self._timer = None
        now = self._monotonic()
        while self._waiting and self._window.wait(now) <= 0:
            _, _, future = heapq.heappop(self._waiting)
            if not future.done():
                self._window.note(now)
                future.set_result(None)
        self._arrange()
