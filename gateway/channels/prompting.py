"""Whether a question left for somebody, and where it is shown."""

from __future__ import annotations

import asyncio

from gateway.ports.channel import Delivery
from gateway.ports.rows import PromptRow

ASK_DEADLINE_SECONDS = 10.0


class FirstWritten:
    """Whether a prompt left for one of its readers: once for the first, not before the last."""

    def __init__(self, readers: int) -> None:
        self._outcome: asyncio.Future[Delivery] = asyncio.get_running_loop().create_future()
        self._readers = readers

    def written(self, left: bool) -> None:
        """One reader's frame left this process, or never will."""
        self._readers -= 1
        if self._outcome.done():
            return
        if left:
            self._outcome.set_result(Delivery.CONFIRMED)
        elif self._readers == 0:
            self._outcome.set_result(Delivery.NOBODY)

    async def delivery(self) -> Delivery:
        """What is known at the latest after `ASK_DEADLINE_SECONDS`."""
        try:
            async with asyncio.timeout(ASK_DEADLINE_SECONDS):
                return await self._outcome
        except TimeoutError:
            return Delivery.UNKNOWN


def places(row: PromptRow) -> tuple[str, ...]:
    """The threads on which a prompt is shown: its reader's own, and the one it is about."""
    return tuple(dict.fromkeys((row.chat, row.thread)))
