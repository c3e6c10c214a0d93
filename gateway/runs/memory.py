"""Runs without a thread: a host in memory, with the same table, graces and log as a stored run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from gateway.core.cancellation import InterruptReason
from gateway.core.errors import AgentRunPausedError, AnswerInvalid, NotFound, RunEnded, RunNotPaused
from gateway.core.events import Decided, Event, GraceOver, Launched, Run, State, StopRequested
from gateway.core.interrupts import Interrupt, Way
from gateway.core.messages import Json, Message
from gateway.core.run import step
from gateway.core.run_effects import (
    Abandon,
    CloseQuestions,
    Effect,
    Refuse,
    Resume,
    SaveEnd,
    SaveNote,
    SaveQuestions,
    SaveResult,
    SaveShown,
    SaveStarted,
    SaveStep,
    StartGrace,
    StoreReply,
    Trip,
)
from gateway.ports.agent import (
    CallFacts,
    Check,
    Joined,
    Leave,
    RunEvent,
    RunHost,
    RunOptions,
    RunStart,
)
from gateway.runs.coordinator import on_loop
from gateway.runs.handle import InProcessHandle
from gateway.runs.record import RunRecord, decision_of
from gateway.runs.result import RunResult
from gateway.runs.runtime import Runtime
from gateway.runs.schema import check_json

MayRun = Callable[[CallFacts], Any]


class MemoryAgent(Protocol):
    """An agent that a `MemoryHost` can run."""

    name: str
    timeout_seconds: float
    runtime: Runtime

    def start(self, start: RunStart, host: RunHost) -> InProcessHandle: ...


class MemoryHost:
    """Hosts one run in memory: what a thread's actor does for a stored one.

    `shown` is what `say` was given: whoever holds the host is its only reader. `may_run` decides
    about calls (None: those that need an approval ask). `record` is the run's log and journal.
    """

    def __init__(
        self,
        agent: MemoryAgent,
        text: str = "",
        *,
        history: Sequence[Message] = (),
        record: RunRecord | None = None,
        run: str | None = None,
        thread: str = "",
        principals: tuple[str, ...] = (),
        language: str = "en",
        options: RunOptions | None = None,
        saves_history: bool = True,
        may_run: MayRun | None = None,
        on_show: Callable[[int, str], object] | None = None,
        on_progress: Callable[[str, str, float | None], object] | None = None,
        on_child: Callable[[str, str, bool], object] | None = None,
        on_spent: Callable[[int, float], object] | None = None,
    ) -> None:
        self.agent = agent
        self.record = record or RunRecord(run or agent.runtime.ids.uuid(), tuple(history), text)
        self.state = Run(self.record.run)
        self._about = (thread, principals, language, options or RunOptions())
        self._saves_history = saves_history
        self._may_run, self._on_show, self._on_progress = may_run, on_show, on_progress
        self._on_child, self._on_spent = on_child, on_spent
        self._handle: InProcessHandle | None = None
        self._timers: dict[str, asyncio.TimerHandle] = {}

    async def emit(self, event: RunEvent) -> None:
        self._apply(event)

    def waits_for_end(self) -> bool:
        return False

    async def take(self, check: Check, *, ending: bool = False) -> Sequence[Joined]:
        self._alive()
        return ()

    async def refuse(self, own: Mapping[int, str]) -> None:
        self._alive()
        self.record.refused(own)

    async def keep(self, joined: Joined) -> bool:
        self._alive()
        self.record.joined(joined)
        return self._saves_history

    def say(self, step: int, more: str) -> None:
        if self.state.state is not State.RUNNING:
            return
        text = self.record.said(step, more)
        if self._on_show is not None:
            self._on_show(step, text.text)

    def progress(self, call_id: str, text: str, fraction: float | None) -> None:
        self._alive()
        if self._on_progress is not None:
            self._on_progress(call_id, text, fraction)

    def child(self, call_id: str, run: str, agent: str, on: bool) -> None:
        if self._on_child is not None:
            self._on_child(run, agent, on)

    def spent(self, tokens: int, cost_usd: float, *, over: bool) -> None:
        if self._on_spent is not None:
            self._on_spent(tokens, cost_usd)
        if over:
            self.stop(InterruptReason.BUDGET_EXCEEDED)

    async def tell(self, code: str, **params: Json) -> None:
        """Nobody is told: the program sees what is sent to the agent."""

    async def may_run(self, facts: CallFacts) -> Leave:
        self._alive()
        if self._may_run is not None:
            leave: Leave = await self._may_run(facts)
            return leave
        return Leave.ASK if facts.needs_approval and facts.approval is None else Leave.RUN

    # What the outside asks of the run.

    @property
    def handle(self) -> InProcessHandle:
        """The handle of the run's last task."""
        if self._handle is None:
            raise RunNotPaused(f"run {self.record.run} was not started")
        return self._handle

    def start(self) -> InProcessHandle:
        """Start the run, or go on with it after its pause."""
        thread, principals, language, options = self._about
        handle = self.agent.start(
            RunStart(
                run=self.record.run,
                thread=thread,
                principals=principals,
                history=tuple(self.record.messages()),
                language=language,
                options=options,
                checkpoint=self.record.checkpoint,
                questions=tuple(self.record.questions.values()),
                journal=tuple(self.record.journal),
                own=self.record.own,
            ),
            self,
        )
        self._apply(Launched())
        loop = asyncio.get_running_loop()
        handle.signal.lever(lambda: on_loop(loop, lambda: self._tripped(handle)))
        self._handle = handle
        seconds = options.timeout_seconds or self.agent.timeout_seconds
        self._later("deadline", seconds, lambda: self.stop(InterruptReason.BUDGET_EXCEEDED))
        return handle

    def stop(self, reason: InterruptReason) -> None:
        """Stop the run, with its grace. Returns at once; on the run's loop."""
        grace_ms = self.agent.runtime.graces.of(reason, self.state.running.values())
        self._apply(StopRequested(reason, grace_ms))

    def _tripped(self, handle: InProcessHandle) -> None:
        """Whoever trips the signal stops the run, with its grace."""
        if handle.signal.reason is not None and handle is self._handle:
            self.stop(handle.signal.reason)

    def decide(self, answers: Mapping[str, Json], how: Way = Way.API) -> None:
        """Record answers to open questions, by id; a decision is `{"approved": …, "reason": …}`.

        Raises:
            RunNotPaused: the run waits for no answer.
            NotFound: there is no such question.
            AnswerInvalid, AlreadyDecided, InterruptExpired: as `Interrupt.decide`; nothing of
                `answers` was recorded.
        """
        if self.state.state is not State.ASKING:
            raise RunNotPaused(f"run {self.record.run} waits for no answer")
        now = self.agent.runtime.clock.now()
        decided = []
        for question_id, value in answers.items():
            question = self.record.questions.get(question_id)
            if question is None:
                raise NotFound(f"there is no question {question_id}")
            try:
                check_json(value, question.schema)
            except AnswerInvalid as error:
                raise AnswerInvalid(str(error), interruptId=question_id) from error
            decided.append(question.decide(decision_of(question, value, how), now))
        for question in decided:
            self.settle(question)

    def settle(self, question: Interrupt) -> None:
        """Record a question that was decided, here or elsewhere."""
        self.record.questions[question.id] = question
        self._apply(Decided(question.id))

    # Effects.

    def _apply(self, event: Event) -> None:
        before = self.state.state
        if before is State.ENDED and isinstance(event, StopRequested | GraceOver):
            return
        self.state, effects = step(self.state, event)
        for effect in effects:
            self._do(effect)
        if self.state.state in (State.ENDED, State.ASKING):
            self._cancel_timers()

    def _do(self, effect: Effect) -> None:
        match effect:
            case Refuse():
                raise RunEnded(f"run {self.record.run} is {self.state.state}")
            case Trip(reason) if self._handle is not None:
                self._handle.stop(reason)
            case StartGrace(grace_ms):
                self._later("grace", grace_ms / 1000, lambda: self._apply(GraceOver()))
            case Abandon() if self._handle is not None:
                self._handle.abandon()
            case Resume():
                self.start()
            case _:
                self._save(effect)

    def _save(self, effect: Effect) -> None:
        """What goes into the record; prompts, slots and cuts are for channels."""
        match effect:
            case SaveStarted(event) | SaveResult(event) | SaveStep(event) | SaveQuestions(event):
                self.record.save(event)
            case SaveNote(event) | StoreReply(event):
                self.record.save(event)
            case SaveShown():
                self.record.save_shown(self.state.reason)
            case SaveEnd() as end:
                self.record.save_end(end)
            case CloseQuestions(moved_on):
                self.record.close_questions(moved_on, self.agent.runtime.clock.now())

    def _alive(self) -> None:
        if self.state.state is State.ENDED:
            raise RunEnded(f"run {self.record.run} has ended")

    def _later(self, name: str, seconds: float, call: Callable[[], None]) -> None:
        """One timer a name; a shorter one that runs stays."""
        loop = asyncio.get_running_loop()
        known = self._timers.get(name)
        if known is not None:
            if known.when() <= loop.time() + seconds:
                return
            known.cancel()
        self._timers[name] = loop.call_later(seconds, call)

    def _cancel_timers(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()


def start(agent: MemoryAgent, text: str, **about: Any) -> MemoryHost:
    """Start a run without a thread; `about` as `MemoryHost`. Its `handle` has the result."""
    host = MemoryHost(agent, text, **about)
    host.start()
    return host


def resume(host: MemoryHost, answers: Mapping[str, Json]) -> InProcessHandle:
    """Answer a paused run's questions, by id. It goes on once the last is decided.

    Raises:
        RunNotPaused, NotFound, AnswerInvalid, AlreadyDecided, InterruptExpired: nothing changed.
    """
    host.decide(answers)
    return host.handle


async def run(agent: MemoryAgent, text: str, **about: Any) -> RunResult:
    """Run an agent to its end. Cancelling the caller stops the run, as TASK_CANCELLED.

    Raises:
        AgentRunPausedError: the run asks, and nobody is there to answer; it was stopped.
    """
    host = start(agent, text, **about)
    try:
        result = await host.handle.result
    except asyncio.CancelledError:
        host.stop(InterruptReason.TASK_CANCELLED)
        raise
    if result.end is None:
        host.stop(InterruptReason.TASK_CANCELLED)
        asked = "; ".join(question.message for question in result.questions)
        raise AgentRunPausedError(f"the run asks: {asked}", interrupts=result.questions)
    return result
