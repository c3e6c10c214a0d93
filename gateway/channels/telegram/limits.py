"""Telegram's limits as sliding windows: a chat's own, a group's, and the bot's over all chats.

Every send and every edit counts. What a person waits for goes before what only refreshes a text.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

GROUP_COUNT, GROUP_SECONDS, GROUP_KEPT = 20, 60.0, 3
"""In a group 20 a minute; refreshing leaves 3 of them for what has to be said."""
PRIVATE_COUNT, PRIVATE_SECONDS, PRIVATE_KEPT = 20, 20.0, 5
"""In private one a second on average; short bursts are allowed."""
OVERALL_COUNT, OVERALL_SECONDS, OVERALL_KEPT = 30, 1.0, 10
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
    """The bot's own window. What is urgent goes first, and finds a third of the window free."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._window = Window(OVERALL_COUNT, OVERALL_SECONDS, OVERALL_KEPT)
        self._monotonic = monotonic
        self._urgent: deque[asyncio.Future[None]] = deque()
        self._other: deque[asyncio.Future[None]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def ask(self, *, urgent: bool) -> asyncio.Future[None]:
        """Done when one more call may go, which counts; cancel it to step out of the line."""
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        (self._urgent if urgent else self._other).append(mine)
        self._let_go()
        return mine

    async def turn(self, *, urgent: bool) -> None:
        """Return when one more call may go; it counts."""
        await self.ask(urgent=urgent)

    def _let_go(self) -> None:
        now = self._monotonic()
        for line, urgent in ((self._urgent, True), (self._other, False)):
            while line and (line[0].done() or self._window.wait(now, urgent=urgent) <= 0):
                future = line.popleft()
                if not future.done():
                    self._window.note(now)
                    future.set_result(None)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._urgent or self._other:
            wait = self._window.wait(now, urgent=bool(self._urgent))
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(max(wait, 0.001), self._let_go)
