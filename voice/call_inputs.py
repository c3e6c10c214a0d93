"""What a caller said or pressed, handed to the engine: one after the other, in their order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from gateway.entering import Receipt
from gateway.supervise import Caught, Supervisor, guarded, guarded_await

TAKEN_UP_SECONDS = 12.0
"""An input of which the engine draws nothing for so long is waited for no more."""


@dataclass(frozen=True, slots=True)
class Handed:
    """Something that is handed over. `utterance` is 0 for what was not said."""

    dedup: str
    send: Callable[[], Awaitable[Receipt]]
    utterance: int = 0


@dataclass(slots=True, eq=False)
class Inputs:
    """`done` is told of each: with a code where it was refused, else once the engine has taken it
    up, which is when it has stopped what it stops.
    """

    supervisor: Supervisor
    failed: Callable[[str, BaseException], str]
    done: Callable[[Handed, str], None] = lambda handed, code: None
    waiting: dict[str, Handed] = field(default_factory=dict)
    closed: bool = False
    _queue: deque[Handed] = field(default_factory=deque)
    _sending: bool = False

    def hand(self, handed: Handed) -> None:
        """Send it behind what is on its way."""
        if self.closed:
            self._tell(handed, "")
            return
        self.waiting[handed.dedup] = handed
        self._queue.append(handed)
        if not self._sending:
            self._sending = True
            self.supervisor.spawn(self._send(), name="inputs of a call")

    def close(self) -> None:
        """Send nothing more."""
        self.closed = True
        for handed in [*self._queue]:
            self._finish(handed.dedup, "")
        self._queue.clear()

    def taken_up(self, dedup: str) -> None:
        """The engine has drawn it."""
        self._finish(dedup, "")

    @property
    def idle(self) -> bool:
        """Whether nothing is on its way."""
        return not self.waiting

    async def _send(self) -> None:
        while self._queue:
            handed = self._queue.popleft()
            receipt = await guarded_await(handed.send())
            if isinstance(receipt, Caught):
                self.failed("an input of a call", receipt.error)
                self._finish(handed.dedup, "INTERNAL")
            elif receipt.code:
                self._finish(handed.dedup, receipt.code)
            else:
                later = asyncio.get_running_loop().call_later
                later(TAKEN_UP_SECONDS, self._finish, handed.dedup, "")
        self._sending = False

    def _finish(self, dedup: str, code: str) -> None:
        handed = self.waiting.pop(dedup, None)
        if handed is not None:
            self._tell(handed, code)

    def _tell(self, handed: Handed, code: str) -> None:
        """What breaks on hearing of one holds up no other."""
        told = guarded(self.done, handed, code)
        if isinstance(told, Caught):
            self.failed("an input of a call", told.error)
