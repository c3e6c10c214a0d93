"""Runs without a thread: in memory, one person's, gone with the process."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from gateway import reading
from gateway.api.auth import Caller
from gateway.api.feed import ENDED, Feed
from gateway.api.rest import models, requests, views
from gateway.api.runlog import RunLog
from gateway.core.cancellation import InterruptReason
from gateway.core.errors import (
    AgentRunPausedError,
    AnswerInvalid,
    RateLimited,
    RunEnded,
    RunNotPaused,
    ValidationFailed,
)
from gateway.core.events import End, State
from gateway.core.interrupts import Decision, Interrupt, QuestionKind, Status, Way, iso
from gateway.core.messages import Json
from gateway.core.queueing import Reading
from gateway.ports.rows import InputRow, NewInput
from gateway.runs.handle import InProcessHandle
from gateway.runs.memory import MemoryHost
from gateway.runs.record import decision_of
from gateway.runs.result import RunResult
from gateway.state import Wiring

STOPPED_SECONDS: Final = 15.0
"""The longest that a stop waits for its run to settle."""
AGAIN_SECONDS: Final = 1.0
HOW: Final = {"steer": "steer", "followUp": "follow_up", "inject": "inject"}


class LooseRun:
    """One run, which its own caller alone may see and act on."""

    thread = ""

    def __init__(
        self, caller: Caller, host: MemoryHost, log: RunLog, wiring: Wiring, feed: Feed
    ) -> None:
        self.caller = caller
        self.log = log
        self._host = host
        self._wiring = wiring
        self._feed = feed
        self._began = wiring.clock.now()
        self._expiry: asyncio.TimerHandle | None = None
        self.result: RunResult | None = None

    @property
    def id(self) -> str:
        """The run's id."""
        return self._host.record.run

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.result is not None and self.result.end is not None

    # -- looking -------------------------------------------------------------------------------

    async def check(self) -> None:
        """It is its caller's for as long as it is kept."""

    async def view(self) -> models.Run:
        return self.now()

    async def ended(self, data: Mapping[str, Any]) -> models.Run:
        return self.now()

    def saw(self, upto: int) -> None:
        """Its questions are answered by their ids only."""

    def wrote(self) -> None:
        """The same."""

    async def interrupts(self, questions: list[str]) -> list[models.Interrupt]:
        asked = self._host.record.questions
        return [views.interrupt(asked[id_]) for id_ in questions if id_ in asked]

    def now(self) -> models.Run:
        """The run as it stands."""
        handle, result = self._host.handle, self.result
        status: Any = "running" if result is None else result.status
        return models.Run(
            id=self.id,
            agent=self._host.agent.name,
            status=status,
            text=self.log.last_shown if result is None else result.text,
            interrupts=[views.interrupt(question) for question in self._open()],
            queued=handle.queued,
            undelivered=list(handle.undelivered),
            refused=[models.RefusedMessage(text=r.text, code=r.code) for r in handle.refused],
            reason=None if result is None or result.reason is None else result.reason.value,
            error=None if result is None else result.error,
            error_id=None if result is None else result.error_id,
            started_at=iso(self._began),
        )

    def _open(self) -> list[Interrupt]:
        if self.result is None or self.result.end is not None:
            return []
        return [q for q in self._host.record.questions.values() if q.decision is None]

    async def after(self, wait_seconds: float) -> models.Run:
        """The run, once it has ended or asks, or after so long."""
        if wait_seconds and self.result is None:
            await self.log.until(lambda: self.log.resting, wait_seconds)
        return self.now()

    # -- acting --------------------------------------------------------------------------------

    def say(self, how: str, text: str) -> None:
        """Say something to the run: steer, followUp or inject.

        Raises:
            RunEnded, AgentRunPausedError: it takes none.
        """
        if not getattr(self._host.handle, HOW[how])(text):
            if self._open():
                raise AgentRunPausedError("the run asks: answer it first")
            raise RunEnded(f"run {self.id} takes nothing more", run=self.id)

    async def stop(self) -> list[str]:
        """Stop the run (TASK_CANCELLED); the messages that were never delivered."""
        if self.over:
            return []
        asked = bool(self._open())
        texts = self._host.handle.abort()
        self._end(InterruptReason.TASK_CANCELLED, asked=asked)
        await self.log.until(lambda: self.over, STOPPED_SECONDS)
        return texts

    def shut_down(self) -> None:
        """The process ends."""
        if not self.over:
            self._end(InterruptReason.SYSTEM_SHUTDOWN, asked=bool(self._open()))

    def _end(self, reason: InterruptReason, *, asked: bool) -> None:
        text = self.now().text
        self._host.stop(reason)
        if asked:  # no task is on that would tell
            ended = RunResult(run=self.id, end=End.INTERRUPTED, text=text, reason=reason)
            self._settle(ended)

    async def resume(self, body: requests.Resume) -> models.Run:
        """Answer its questions, all of them or none.

        Raises:
            RunNotPaused, ValidationFailed, AnswerInvalid, AlreadyDecided, InterruptExpired.
        """
        now = self._wiring.clock.now()
        if any(self._read(id_, t, body.language, now) is None for id_, t in body.texts.items()):
            await self.stop()
            return self.now()
        words = {id_: self._read(id_, t, body.language, now) for id_, t in body.texts.items()}
        given: dict[str, Json] = {**body.responses, **words}
        fresh = {id_: value for id_, value in given.items() if not self._replayed(id_, value)}
        if not given:
            raise ValidationFailed("responses: none are given")
        if fresh:
            if self.result is None or self.result.end is not None:
                raise RunNotPaused(f"run {self.id} waits for no answer", run=self.id)
            if not self._wiring.slots.take(self.id, granted, resume=True):
                self._wiring.slots.give_back(self.id)
                raise RateLimited("as many runs are on as may be", retryAfterSeconds=AGAIN_SECONDS)
            self._decide(fresh)
        return await self.after(body.wait_seconds)

    def _decide(self, answers: dict[str, Json]) -> None:
        try:
            self._host.decide(answers)
        finally:
            self._went_on()
        if self._open():
            self._feed.paused(self.log, [question.id for question in self._open()])

    def _question(self, id_: str) -> Interrupt:
        question = self._host.record.questions.get(id_)
        if question is None:
            raise ValidationFailed(f"it doesn't wait on {id_}", interruptId=id_)
        return question

    def _replayed(self, id_: str, value: Json) -> bool:
        stored = self._question(id_).decision
        return stored is not None and stored.same_as(
            decision_of(self._question(id_), value, Way.API)
        )

    def _read(self, id_: str, text: str, language: str, now: datetime) -> Json:
        """The value of an answer in words, None where it is a cancel."""
        question = self._question(id_)
        new = NewInput(dedup="", thread="", channel="", principal="", text=text, language=language)
        row = InputRow(seq=0, new=new, accepted_at=now)
        found = reading.read_one(row, question, text)
        if found.reading is Reading.DECLINE:
            return None
        if found.reading is not Reading.VALUE:
            wrong = reading.ask_again_text(found, language)
            raise AnswerInvalid(wrong or views.interrupt(question, language).form, interruptId=id_)
        return found.value if question.kind is QuestionKind.INPUT else {"approved": found.value}

    # -- its tasks -----------------------------------------------------------------------------

    def begin(self) -> None:
        """Wait for its task to end or to ask."""
        leg = self._leg(self._host.handle)
        self._wiring.supervisor.spawn(leg, name=f"run {self.id} over HTTP")

    async def _leg(self, handle: InProcessHandle) -> None:
        self._settle(await handle.result)

    def _settle(self, result: RunResult) -> None:
        self.result = result
        self.log.text = result.text
        self._wiring.slots.give_back(self.id)
        if result.end is None:
            self._armed()
        else:
            self.log.add("finish", {"run": self.id, "state": ENDED}, last=True)
            self._feed.end(self.log)

    def _armed(self) -> None:
        """Its questions can be answered from now on, until they expire. Nobody can be asked for
        somebody else.
        """
        now, asked = self._wiring.clock.now(), self._host.record.questions
        for question in self._open():
            asked[question.id] = question.arm(now)
        for question in [question for question in self._open() if question.approvers]:
            self._close(question, Status.CANCELLED, Way.UNDELIVERABLE)
        if self._open():
            self._feed.paused(self.log, [question.id for question in self._open()])
            first = min(question.expires_at or now for question in self._open())
            seconds = max((first - now).total_seconds(), 0.0)
            self._expiry = asyncio.get_running_loop().call_later(seconds, self._expire)

    def _expire(self) -> None:
        now = self._wiring.clock.now()
        for question in [question for question in self._open() if question.expired(now)]:
            self._close(question, Status.EXPIRED, Way.EXPIRED)
        if self._open() and self._host.state.state is State.ASKING:
            self._armed()

    def _close(self, question: Interrupt, status: Status, how: Way) -> None:
        now = self._wiring.clock.now()
        decided = question.decide(Decision(status=status, how=how), now)
        self._wiring.slots.take(self.id, granted, resume=True)
        self._host.settle(decided)
        self._went_on()

    def _went_on(self) -> None:
        """A question was decided: the run goes on once the last is."""
        if self._host.state.state is State.ASKING:
            self._wiring.slots.give_back(self.id)
            return
        if self._expiry is not None:
            self._expiry.cancel()
        self.result = None
        self.log.resting = False
        self.begin()


def granted() -> None:
    """A run that goes on doesn't wait for its slot: it was let in when it began."""
