"""A run on a thread, as one caller may see it and act on it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Final

from gateway.api.auth import Caller
from gateway.api.door import Door, Saying, Sight
from gateway.api.feed import ARMING_SECONDS
from gateway.api.rest import models, requests, views
from gateway.api.runlog import RunLog
from gateway.core.errors import NotFound, RunNotPaused, ValidationFailed
from gateway.core.messages import Attachment
from gateway.core.queueing import Mode, Priority
from gateway.ports.rows import InputKind, RunRow
from gateway.resuming import Typed
from gateway.state import ThreadState

STOPPED_SECONDS: Final = 15.0
"""The longest that a stop waits for its run to settle; a call that can't be cut has its grace."""
ENDS: Final = ("completed", "interrupted", "failed")


class StoredRun:
    """One run, for one caller. `log` is made when somebody reads it."""

    def __init__(
        self, door: Door, caller: Caller, run: str, thread: str, *, ended: bool = False
    ) -> None:
        self.thread = thread
        self._door = door
        self._caller = caller
        self._id = run
        self._ended = ended
        self._log: RunLog | None = None
        self._sight: Sight | None = None
        self._written: frozenset[str] = frozenset()
        self._asked: frozenset[str] = frozenset()

    @classmethod
    def of(cls, door: Door, caller: Caller, row: RunRow) -> StoredRun:
        """The run of a row."""
        return cls(door, caller, row.id, row.thread, ended=row.end is not None)

    @property
    def log(self) -> RunLog:
        """The run's events; where it has ended and they are not kept, none are to come. A whole log
        is told of the end itself, a moment after the store.
        """
        if self._log is None:
            known = self._door.feed.known(self._id)
            self._log = known or self._door.feed.log(self._id, self.thread)
            if self._ended and not (self._log.over or self._log.whole):
                self._door.feed.end(self._log)
        return self._log

    async def told(self) -> None:
        """Return once the log of a run that is stored as ended was told so too, where it is told of
        that: another reader follows it.
        """
        log, router = self._door.feed.known(self._id), self._door.router
        untold = self._ended and log is not None and not (log.over or log.whole)
        if untold and router.is_on(self.thread):
            await router.ask(self.thread, lambda state, work: None)

    # -- looking -------------------------------------------------------------------------------

    async def check(self) -> None:
        try:
            await self._door.thread(self._caller, self.thread)
        except NotFound:
            return  # it was deleted: its run's end is still to be told

    async def ended(self, data: Mapping[str, Any]) -> models.Run:
        log = self.log
        return views.ended_run(log, data) if log.whole else await self.view()

    async def view(self) -> models.Run:
        row = await self._row()
        self._ended = row.end is not None
        made, self._sight = await views.run(self._door, self._caller, row)
        return made

    async def _row(self) -> RunRow:
        row = await self._door.router.wiring.store.run(self._id)
        if row is None:
            raise NotFound(f"no run {self._id}", run=self._id)
        return row

    async def interrupts(self, questions: list[str]) -> list[models.Interrupt]:
        language = (await self._row()).language
        store, who = self._door.router.wiring.store, self._caller.principal
        found = await store.questions(run=self._id)
        made = [
            views.interrupt(question, language)
            for question in found
            if question.id in questions and views.may_see(question, who)
        ]
        still = await store.questions(thread=self.thread, open_only=True)
        self._written = frozenset(question.id for question in made)
        self._asked = frozenset(question.id for question in still if who in question.asked)
        return made

    def saw(self, upto: int) -> None:
        self._door.saw(self._caller, Sight(self.thread, upto, self._written, self._asked))

    def wrote(self, questions: Collection[str] | None = None) -> None:
        if self._sight is not None:
            written = self._sight.written if questions is None else frozenset(questions)
            self._door.saw(self._caller, replace(self._sight, written=written))

    # -- acting --------------------------------------------------------------------------------

    async def say(
        self, how: str, text: str, key: str, attachments: tuple[Attachment, ...] = ()
    ) -> models.Input:
        """Say something to the run: steer, followUp or inject.

        Raises:
            RunEnded: it takes none any more. AgentRunPausedError: not before it is answered.
            AccessDenied: it is somebody else's.
        """
        saying = Saying(
            thread=self.thread,
            text=text,
            key=key,
            run=self._id,
            mode=Mode.STEER,
            priority=Priority.NEXT,
            queued=how,
            attachments=attachments,
        )
        follow = await self._door.command(self._caller, saying)
        return views.input_(follow.input)

    async def stop(self, key: str, child: str | None = None) -> models.Stopped:
        """Stop the run, or one of its child runs alone; what was given back."""
        saying = Saying(
            thread=self.thread, text="", key=key, kind=InputKind.STOP, run=child or self._id
        )
        follow = await self._door.command(self._caller, saying)
        if child is None:
            await self.settled(STOPPED_SECONDS)
        mine = views.given_back(follow, self._caller)
        return models.Stopped(
            run=await self.view(), undelivered=[one.text for one in mine], returned=mine
        )

    async def settled(self, seconds: float) -> None:
        """Wait for the run to end or to ask."""
        if self._ended:
            return
        log = self.log
        now = await self.view()
        if now.status == "paused":
            await log.until(lambda: log.resting, ARMING_SECONDS if log.whole else 0)
        elif now.status not in ENDS:
            await log.until(lambda: log.resting, seconds)

    async def for_approver(self) -> models.Run:
        """What somebody sees of it who may only answer: how it stands, and what they are asked."""
        view, language = await self.view(), (await self._row()).language
        who = self._caller.principal
        found = await self._door.router.wiring.store.questions(run=self._id, open_only=True)
        asked = [views.interrupt(q, language) for q in found if who in q.asked]
        return models.Run(
            id=view.id,
            thread=self.thread,
            agent=view.agent,
            status=view.status,
            interrupts=asked,
        )

    async def after(self, wait_seconds: float) -> models.Run:
        """The run, once it has ended or asks, or after so long."""
        if wait_seconds:
            await self.settled(wait_seconds)
        return await self.view()


async def resume(
    door: Door, caller: Caller, thread: str, body: requests.Resume, of: RunRow | None = None
) -> str:
    """Answer questions of a thread, or of one run of it; the run they belong to.

    Raises:
        GatewayError: as `resuming.resume`.
    """
    if of is not None:
        await _check(door, caller, of, [*body.responses, *body.texts])
    words = {id_: Typed(text, body.language) for id_, text in body.texts.items()}
    run = await door.resume(caller, thread, {**body.responses, **words})
    log = door.feed.known(run)
    if log is not None:
        still = await door.router.ask(thread, lambda state, work: _open(state, run))
        if still:
            door.feed.paused(log, still)
    return run


async def _check(door: Door, caller: Caller, of: RunRow, questions: list[str]) -> None:
    """Whether these are questions of that run, and the caller one who may look at it or is asked.

    Raises:
        AccessDenied: they are neither.
        ValidationFailed: one is not. RunNotPaused: the run never asked anything.
    """
    found = await door.router.wiring.store.questions(run=of.id)
    if not any(caller.principal in question.asked for question in found):
        await door.thread(caller, of.thread)
    own = {question.id for question in found}
    if not own:
        raise RunNotPaused(f"run {of.id} waits on nothing", run=of.id)
    for question in questions:
        if question not in own:
            raise ValidationFailed(
                f"it doesn't wait on {question}", interruptId=question, run=of.id
            )


def _open(state: ThreadState, run: str) -> list[str]:
    """The questions that a run still waits on."""
    return [question.id for question in state.open_questions() if question.run == run]
