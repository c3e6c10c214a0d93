"""A turn of a conversation, as a protocol without streams of its own follows it: from what was said
or answered to where its run ends or asks.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gateway.api.auth import Caller
from gateway.api.door import Door, Saying
from gateway.api.feed import Follow
from gateway.api.rest import models
from gateway.api.rest.stored import StoredRun
from gateway.api.runlog import Line, Reader, RunLog, Said
from gateway.core.interrupts import Interrupt
from gateway.ports.rows import InputKind
from gateway.resuming import Response

LOOK_SECONDS: Final = 30.0
"""How often it is looked whether its person still may look at it."""
ENDS: Final = frozenset({"completed", "interrupted", "failed", "paused"})


@dataclass(frozen=True, slots=True)
class Rest:
    """Where a turn came to. `status` is the run's, or the message's outcome where it has no run.
    `asked` are the open questions that its person may answer.
    """

    status: str
    run: str = ""
    text: str = ""
    reason: str = ""
    error_id: str = ""
    asked: tuple[Interrupt, ...] = ()
    waits_for_others: bool = False


class Turn:
    """One turn: of a message, or of the run that it names from now on."""

    def __init__(
        self,
        door: Door,
        caller: Caller,
        thread: str,
        *,
        run: str = "",
        follow: Follow | None = None,
    ) -> None:
        self.thread = thread
        self.run = run
        self._door = door
        self._caller = caller
        self._follow = follow
        self._mark = door.feed.sequence.last
        self._rested: StoredRun | None = None

    @classmethod
    async def said(cls, door: Door, caller: Caller, saying: Saying) -> Turn:
        """Say something.

        Raises:
            GatewayError: as `Door.say`.
        """
        turn = cls(door, caller, saying.thread)
        follow = await door.say(caller, saying)
        turn._begun(follow)
        return turn

    @classmethod
    async def answered(
        cls, door: Door, caller: Caller, thread: str, responses: Mapping[str, Response]
    ) -> Turn:
        """Answer questions.

        Raises:
            GatewayError: as `Door.resume`.
        """
        turn = cls(door, caller, thread)
        turn.run = await door.resume(caller, thread, responses)
        return turn

    def goes_on(self) -> Turn:
        """Its run, from where the events of this turn came to."""
        turn = Turn(self._door, self._caller, self.thread, run=self.run)
        turn._mark = self._mark
        return turn

    def _begun(self, follow: Follow) -> None:
        self._follow, self.run = follow, follow.run

    def close(self) -> None:
        """Follow it no more. Idempotent."""
        if self._follow is not None:
            self._door.feed.unfollow(self._follow)

    async def stop(self) -> None:
        """Stop it as its person would; returns once that is stored."""
        saying = Saying(thread=self.thread, text="", kind=InputKind.STOP, run=self.run or None)
        await self._door.command(self._caller, saying)

    async def moves_on(self, seconds: float) -> None:
        """Return once a run that asks does so no more: it was answered, or has ended."""
        log = self._source().log
        await log.until(lambda: not log.resting or log.over, seconds)

    async def events(self, *, shown: bool = True) -> AsyncGenerator[Line | Said, None]:
        """What happens, until its run ends or asks. With `shown` a text counts as such once the
        next event is asked for.
        """
        follow = self._follow
        while follow is not None and not (follow.run or follow.outcome):
            await follow.until(lambda: bool(follow.run or follow.outcome), LOOK_SECONDS)
        if follow is not None:
            self.run = self.run or follow.run
        if not self.run:
            return
        source = self._source()
        reader = self._reader(source.log)
        try:
            async for item in _read(reader, source, shown):
                if isinstance(item, Line) and item.last:
                    self._mark = item.seq
                yield item
        finally:
            reader.close()

    async def rest(self) -> Rest:
        """Where it came to.

        Raises:
            NotFound, AccessDenied: its person may not look at it any more.
        """
        if not self.run:
            return self._without_run()
        self._rested = source = self._source()
        view = await source.view()
        asked = await self._asked(view) if view.status == "paused" else ()
        return Rest(
            status=view.status,
            run=self.run,
            text=view.text or "",
            reason=view.error or view.reason or "",
            error_id=view.error_id or "",
            asked=asked,
            waits_for_others=view.status == "paused" and not asked,
        )

    def wrote(self, questions: Iterable[Interrupt]) -> None:
        """Its person is being written these of what `rest` gave."""
        if self._rested is not None:
            self._rested.wrote([question.id for question in questions])

    # -- inside --------------------------------------------------------------------------------

    def _source(self) -> StoredRun:
        return StoredRun(self._door, self._caller, self.run, self.thread)

    def _reader(self, log: RunLog) -> Reader:
        return Reader(log, "" if log.begun > self._mark else str(self._mark))

    def _without_run(self) -> Rest:
        follow = self._follow
        if follow is None:
            return Rest("completed")
        given_back = follow.outcome in ("returned", "interrupted")
        status = "interrupted" if given_back else follow.outcome or "completed"
        return Rest(status, reason=follow.detail)

    async def _asked(self, view: models.Run) -> tuple[Interrupt, ...]:
        """The questions of this moment, whatever was decided since."""
        open_then = {question.id for question in view.interrupts}
        found = await self._door.router.wiring.store.questions(run=self.run)
        return tuple(q for q in found if q.id in open_then and self._caller.principal in q.asked)


async def _read(
    reader: Reader, source: StoredRun, shown: bool
) -> AsyncGenerator[Line | Said, None]:
    while True:
        if reader.missed:
            reader.skip()
            if (await source.view()).status in ENDS:
                return
        item = reader.next()
        if item is None:
            if source.log.over:
                return
            if not await reader.wait(LOOK_SECONDS):
                await source.check()
            continue
        yield item
        if isinstance(item, Said):
            if shown:
                reader.took(item)
        elif item.last:
            return


async def first_of(one: asyncio.Task[Any], other: asyncio.Task[Any]) -> bool:
    """Wait for either; whether it was the first. The other one is cancelled."""
    try:
        await asyncio.wait({one, other}, return_when=asyncio.FIRST_COMPLETED)
        return one.done()
    finally:
        for task in (one, other):
            if not task.done():
                task.cancel()
