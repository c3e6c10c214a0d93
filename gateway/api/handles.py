"""The handles of runs that a program started: on a thread, or in memory without one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from gateway.api.library import ASKING, ENDED, LibraryChannel, Watch
from gateway.api.refusals import error_of
from gateway.api.run_messages import RunMessages
from gateway.core.cancellation import InterruptReason
from gateway.core.errors import NotFound, RunEnded, ValidationFailed
from gateway.core.events import State
from gateway.core.interrupts import Interrupt
from gateway.core.messages import Json, UserMessage
from gateway.ports.rows import Outcome
from gateway.resuming import last_of
from gateway.router import Router
from gateway.runs.handle import InProcessHandle
from gateway.runs.memory import MemoryHost
from gateway.runs.queue import Attach
from gateway.state import ThreadState

TAKEN_SECONDS = 10.0
"""The longest that `start` waits to know whether the message runs, waits or is refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """How a run stands: `status` is completed, paused, interrupted, failed, or cancelled (stopped
    without a thread). `text` is the last that was shown. A paused run lists its open `interrupts`;
    `undelivered` are messages of the handle that never reached the model, `returned` the same with
    their files. `entry` is the run's last in the thread's log, from which another can go on
    (`start(branch=…)`).
    """

    status: str
    thread: str
    run: str
    text: str = ""
    entry: int = 0
    interrupts: tuple[Interrupt, ...] = ()
    undelivered: tuple[str, ...] = ()
    returned: tuple[UserMessage, ...] = ()
    reason: str | None = None
    error: str | None = None
    error_id: str | None = None


class Door(Protocol):
    """Stops a run as its person would."""

    async def __call__(self, thread: str, principal: str, run: str | None) -> None: ...


class ThreadHandle(RunMessages):
    """A run of a thread, from its message on; what is said to it by others counts as ever."""

    def __init__(
        self,
        engine: Router,
        watch: Watch,
        principal: str,
        stop: Door,
        attach: Attach | None = None,
    ) -> None:
        super().__init__(attach)
        self._engine = engine
        self._watch = watch
        self._principal = principal
        self._stop = stop
        watch.begun = self._begun

    @property
    def thread(self) -> str:
        """The run's thread."""
        return self._watch.thread

    @property
    def run(self) -> str:
        """The run's id, "" while the message waits for its turn."""
        return self._watch.run

    def _begun(self, run: str) -> None:
        handle = self._engine.run_handle(self.thread, run)
        if isinstance(handle, InProcessHandle):
            self._inner = handle

    async def stop(self) -> None:
        """Stop the run as its person would (USER_SIGINT); returns once that is stored."""
        await self._stop(self.thread, self._principal, self.run or None)

    async def stop_child(self, run: str) -> None:
        """Stop one child run (USER_SIGINT), which its tool is told; the run around it goes on."""
        await self._stop(self.thread, self._principal, run)

    async def abort(self) -> list[str]:
        """Stop for good; the messages that were never delivered, which no method takes after."""
        texts = self._drain()
        await self.stop()
        return texts

    async def taken(self) -> None:
        """Return once it is known what becomes of the message: it runs, waits, or was refused.

        Raises:
            GatewayError: with the code of the refusal.
        """
        watch = self._watch
        try:
            async with asyncio.timeout(TAKEN_SECONDS):
                while not watch.input:
                    watch.changed.clear()
                    await watch.changed.wait()
        except TimeoutError:
            return
        if watch.outcome in ("refused", "dropped"):
            raise error_of(str(watch.input["detail"]))

    def done_as(self, outcome: Outcome) -> str:
        """The detail of the message's outcome, "" unless it is this one."""
        same = self._watch.outcome == outcome.value
        return str(self._watch.input["detail"]) if same else ""

    def let_go(self, channel: LibraryChannel) -> None:
        """Watch nothing: the message was not taken."""
        channel.unwatch(self._watch)

    async def attach(self, run: str) -> None:
        """Be the handle of a run that is there already."""
        self._watch.follow(run)
        _, _, state = await self._look(run)
        self._watch.state = {"run": run, "state": state}
        self._begun(run)

    async def result(self) -> RunOutcome:
        """How the run came out: at its end, or where it pauses. Cancelling this stops nothing. A
        run whose thread is deleted meanwhile is interrupted, SESSION_RELEASED.
        """
        watch = self._watch
        while True:
            watch.changed.clear()
            outcome = await self._outcome()
            if outcome is not None:
                return outcome
            await watch.changed.wait()

    async def _outcome(self) -> RunOutcome | None:
        watch = self._watch
        if not watch.run:
            return self._without_run() if watch.outcome else None
        if watch.at not in (ASKING, ENDED):
            return None
        try:
            asked, last, state = await self._look(watch.run)
        except RunEnded:
            ended = await self._ended()
            if ended is None:
                raise
            return ended
        if watch.at == ASKING:
            return self._made("paused", last, interrupts=asked) if state == ASKING else None
        return await self._ended(last)

    async def _ended(self, last: tuple[str, int] | None = None) -> RunOutcome | None:
        """How the run is stored to have ended, None if it has not. Of one whose thread was deleted
        only its end is known, without a text.

        Raises:
            NotFound: not even that.
        """
        watch, store = self._watch, self._engine.wiring.store
        row = await store.run(watch.run)
        if row is None:
            said = watch.state
            if said.get("end") is None:
                raise NotFound(f"no run {self.run}", run=self.run)
            why = {"reason": said["reason"], "error": said["error"], "error_id": said["errorId"]}
            return self._made(str(said["end"]), **why)
        if row.end is None:
            return None
        if row.beside or last is None:
            last = last_of(await store.run_entries(watch.run), watch.run)
        return self._made(row.end, last, reason=row.reason, error=row.error, error_id=row.error_id)

    async def _look(self, run: str) -> _Looked:
        found: _Looked = await self._engine.ask(self.thread, lambda state, work: _look(state, run))
        return found

    def _without_run(self) -> RunOutcome:
        """A message that needed no run, or was given back."""
        if self._watch.outcome == "returned":
            return self._made("interrupted", reason=str(self._watch.input["detail"]))
        return self._made("completed")

    def _made(self, status: str, last: tuple[str, int] = ("", 0), **more: Any) -> RunOutcome:
        return RunOutcome(
            status=status,
            thread=self.thread,
            run=self.run,
            text=last[0],
            entry=last[1],
            undelivered=self.undelivered,
            returned=self.returned,
            **more,
        )


_Looked: TypeAlias = tuple[tuple[Interrupt, ...], tuple[str, int], str]


def _look(state: ThreadState, run: str) -> _Looked:
    """A run's open questions, its last text and entry, and where it stands."""
    asked = tuple(question for question in state.open_questions() if question.run == run)
    live = state.runs.get(run)
    at = State.ENDED if live is None else live.machine.state
    return asked, last_of(state.chain_of(run), run), at.value


class MemoryHandle(RunMessages):
    """A run without a thread: nothing of it outlives the program."""

    thread = ""

    def __init__(self, host: MemoryHost) -> None:
        super().__init__()
        self._host = host
        self._inner = host.start()

    @property
    def run(self) -> str:
        """The run's id."""
        return self._host.record.run

    async def stop(self) -> None:
        """Stop the run (TASK_CANCELLED)."""
        self._host.stop(InterruptReason.TASK_CANCELLED)

    async def stop_child(self, run: str) -> None:
        """Stop one child run (TASK_CANCELLED); the run around it goes on."""
        self._host.handle.stop_child(run, InterruptReason.TASK_CANCELLED)

    async def abort(self) -> list[str]:
        """Stop for good; the messages that were never delivered."""
        texts = self._drain()
        await self.stop()
        return texts

    def resume(self, responses: Mapping[str, Json]) -> None:
        """Answer open questions by id; the run goes on once the last is decided.

        Raises:
            RunNotPaused, ValidationFailed, AnswerInvalid, AlreadyDecided, InterruptExpired: none is
                taken.
        """
        for question in responses.keys() - self._host.record.questions.keys():
            raise ValidationFailed(f"it doesn't wait on {question}", interruptId=question)
        self._host.decide(responses)
        self._inner = self._host.handle

    async def result(self) -> RunOutcome:
        """How the run came out, or its questions where it pauses."""
        result = await self._host.handle.result
        still_open = tuple(
            question
            for question in self._host.record.questions.values()
            if question.decision is None
        )
        return RunOutcome(
            status=result.status,
            thread="",
            run=result.run,
            text=result.text,
            interrupts=still_open if result.status == "paused" else (),
            undelivered=result.undelivered,
            returned=result.returned,
            reason=None if result.reason is None else result.reason.value,
            error=result.error,
            error_id=result.error_id,
        )
