"""What one tool call may do while it runs: ask, note, report, start child runs."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol

from gateway.core.canonical import digest
from gateway.core.errors import AnswerInvalid, RunEnded, ToolFailed, ValidationFailed
from gateway.core.events import Noted
from gateway.core.interrupts import (
    APPROVERS,
    DEFAULT_EXPIRY_SECONDS,
    TOOL_CALL,
    Interrupt,
    QuestionKind,
)
from gateway.core.messages import Json, ToolCall
from gateway.ports.agent import RunHost
from gateway.runs.budgets import Limits, Used
from gateway.runs.coordinator import Registrar, Signal
from gateway.runs.handle import Children
from gateway.runs.journal import CallJournal, closing_text
from gateway.runs.result import RunResult
from gateway.runs.runtime import Runtime
from gateway.runs.schema import answer_form, jsonable

RESULT_UNSERIALISABLE = "TOOL_RESULT_UNSERIALISABLE"


class PauseRequested(BaseException):
    """Unwinds a tool call that asks; never to be caught by a tool."""

    def __init__(self, questions: tuple[Interrupt, ...]) -> None:
        self.questions = questions
        super().__init__("the run pauses for an answer")


class RunChild(Protocol):
    """Runs an agent inside a tool call."""

    def __call__(
        self, scope: CallScope, ordinal: int, agent: Any, text: str
    ) -> Awaitable[RunResult]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeOf:
    """What all calls of a run share."""

    run: str
    thread: str
    principals: tuple[str, ...]
    signal: Signal
    host: RunHost
    journal: CallJournal
    language: str
    runtime: Runtime
    run_child: RunChild
    children: Children
    used: Used
    limits: Limits


class CallScope:
    """One call's side of its context; dead once the call was given up."""

    def __init__(
        self, shared: ScopeOf, call: ToolCall, *, registrar: Registrar | None, can_ask: bool
    ) -> None:
        self.shared = shared
        self.call = call
        self.registrar = registrar
        self.can_ask = can_ask
        self.pause: PauseRequested | None = None
        self._dead = False
        self._ordinal = 0
        self._child_ordinal = 0

    def kill(self) -> None:
        """The call was given up: results, progress, questions and child runs are refused."""
        self._dead = True

    def check(self) -> None:
        """Raises RunEnded once the call was given up."""
        if self._dead:
            raise RunEnded(f"call {self.call.id} was given up")

    def ask(
        self,
        *,
        message: str,
        response_schema: object,
        reason: str,
        kind: str,
        expires_in: timedelta | float | None,
        to: str | None,
        details: Mapping[str, Json] | None,
    ) -> Any:
        """The answer given to this question earlier, else unwind by `PauseRequested`.

        Raises:
            RunEnded, CancelledExecutionError: the call was given up, the run was stopped.
            ToolFailed: the question was closed without an answer.
            ValidationFailed: the form is no JSON Schema, or takes no decision where one is asked.
        """
        self.check()
        self.shared.signal.checkpoint()
        if to not in (None, APPROVERS):
            raise ValueError(f'to must be None or "{APPROVERS}", not {to!r}')
        if reason == TOOL_CALL:
            raise ValueError(f"{TOOL_CALL!r} is the reason of the host's own questions")
        form = answer_form(response_schema, QuestionKind(kind))
        question = Interrupt(
            id=self.shared.runtime.ids.uuid(),
            run=self.shared.run,
            kind=QuestionKind(kind),
            ordinal=self._ordinal,
            message=message,
            schema=form.schema,
            tool_call_id=self.call.id,
            tool_name=self.call.name,
            arguments_digest=digest(self.call.arguments),
            principals=self.shared.principals,
            created_at=self.shared.runtime.clock.now(),
            reason=reason,
            details=details or {},
            approvers=(APPROVERS,) if to == APPROVERS else (),
            expires_in_seconds=_seconds(expires_in),
        )
        self._ordinal += 1
        earlier = self.shared.journal.question(self.call.id, question.ordinal)
        if earlier is not None and earlier.decision is not None and earlier.asks_same(question):
            closed = closing_text(earlier)
            if closed is not None:
                raise ToolFailed("QUESTION_CLOSED", closed)
            try:
                return form.parse(earlier.decision.value)
            except AnswerInvalid:
                pass  # the live check is stricter than its JSON Schema: ask again
        raise self.pausing((question,))

    def pausing(self, questions: tuple[Interrupt, ...]) -> PauseRequested:
        """The pause to raise; the call is over with it, whatever it does then."""
        self.pause = PauseRequested(questions)
        return self.pause

    def noted(self, key: str) -> tuple[Json] | None:
        """The value noted under `key`, in a tuple, or None."""
        self.check()
        journal = self.shared.journal
        return (journal.note(self.call.id, key),) if journal.has_note(self.call.id, key) else None

    async def note(self, key: str, value: object) -> Json:
        """Keep a value over pauses and restarts; returns it as JSON, once it is stored."""
        try:
            plain = jsonable(value)
        except (ValueError, ValidationFailed) as error:
            raise ToolFailed(RESULT_UNSERIALISABLE, f"{key} is not JSON: {error}") from error
        self.check()
        await self.shared.host.emit(Noted(self.call.id, key, plain))
        self.shared.journal.noted(self.call.id, key, plain)
        return plain

    def progress(self, text: str, fraction: float | None) -> None:
        """Tell the person; never waits."""
        self.check()
        self.shared.host.progress(self.call.id, text, fraction)

    async def child(self, agent: Any, text: str) -> RunResult:
        """Run an agent inside this call."""
        self.check()
        ordinal = self._child_ordinal
        self._child_ordinal += 1
        return await self.shared.run_child(self, ordinal, agent, text)


def _seconds(expires_in: timedelta | float | None) -> float:
    if expires_in is None:
        return DEFAULT_EXPIRY_SECONDS
    seconds = expires_in.total_seconds() if isinstance(expires_in, timedelta) else expires_in
    if seconds <= 0:
        raise ValueError("expires_in must be later than now")
    return seconds
