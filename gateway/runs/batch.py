"""The tool calls of one step: in order or together, up to the first question or the stop."""

from __future__ import annotations

import asyncio

from gateway.core.cancellation import InterruptBehavior
from gateway.core.errors import RunEnded, ToolFailed
from gateway.core.events import Asked, CallReturned, CallStarted
from gateway.core.interrupts import Interrupt
from gateway.core.messages import (
    INTERRUPTED,
    OUTCOME_UNKNOWN,
    OUTCOME_UNKNOWN_TEXT,
    ToolCall,
    ToolResult,
    interrupted_text,
)
from gateway.runs.budgets import BatchInHand
from gateway.runs.dispatch import Outcome, Paused, error_result
from gateway.runs.frame import Frame
from gateway.runs.journal import Record, closing_text
from gateway.runs.leave import Go, leave
from gateway.runs.tools import ARGUMENTS_INVALID, Tool
from gateway.supervise import guarded

UNKNOWN_TOOL = "TOOL_UNKNOWN"
CLOSED_QUESTION = "QUESTION_CLOSED"


class Batch:
    """Runs a step's calls. `results` by call id, `questions` that were asked, in call order.

    `announced`: the host has stored the step's calls already.
    """

    def __init__(self, frame: Frame, hand: BatchInHand, text: str, *, announced: bool) -> None:
        self._frame = frame
        self._hand = hand
        self._text = text
        self._announced = announced
        self._refused: RunEnded | None = None
        self._asked: dict[str, tuple[Interrupt, ...]] = {}
        self._started: set[str] = set()
        self.results: dict[str, ToolResult] = {}

    @property
    def questions(self) -> tuple[Interrupt, ...]:
        """The open questions of the step."""
        return tuple(q for call in self._hand.calls for q in self._asked.get(call.id, ()))

    @property
    def complete(self) -> bool:
        """Whether every call has its result."""
        return len(self.results) == len(self._hand.calls)

    async def run(self) -> None:
        """Run what may run.

        Raises:
            RunEnded: the host takes nothing more; calls that ran have returned.
        """
        again, fresh = self._sort_past()
        together = self._frame.execution.parallel and all(
            tool is not None and tool.runs_beside
            for tool in (self._frame.tools.get(call.name) for call in self._hand.calls)
        )
        for calls in (again, fresh):
            if self._closed(calls):
                continue
            await (self._together(calls) if together else self._in_order(calls))
        if self._refused is not None:
            raise self._refused

    def asked_event(self) -> Asked:
        """The event that ends the task on the step's questions."""
        return Asked(
            self._frame.step,
            self.questions,
            self._hand.calls,
            self._text,
            self._hand.provider_parts,
            self._frame.checkpoint(self._hand),
        )

    async def refuse_questions(self) -> None:
        """The pause was refused because the run is being stopped: calls that ran read the abort."""
        reason = self._frame.signal.reason
        for call in self._hand.calls:
            if call.id in self._asked and call.id in self._started and reason is not None:
                await self._return(error_result(call, INTERRUPTED, interrupted_text(reason)))

    def _sort_past(self) -> tuple[list[ToolCall], list[ToolCall]]:
        """Calls to run again with their answers, and calls that never got as far."""
        again: list[ToolCall] = []
        fresh: list[ToolCall] = []
        journal = self._frame.journal
        for call in self._hand.calls:
            match journal.last(call.id):
                case Record.RESULT:
                    self.results[call.id] = journal.result(call.id) or _unknown(call)
                case Record.STARTED:
                    self.results[call.id] = _unknown(call)
                case Record.ASKED:
                    open_questions = journal.open_questions(call.id)
                    if open_questions:
                        self._asked[call.id] = open_questions
                    else:
                        again.append(call)
                case _:
                    fresh.append(call)
        return again, fresh

    def _closed(self, calls: list[ToolCall]) -> bool:
        """Whether no further call may start: stopped, or a question waits that they didn't ask."""
        waits = bool(self._asked) and not all(
            self._frame.journal.last(call.id) is Record.ASKED for call in calls
        )
        return waits or self._stopped()

    def _stopped(self) -> bool:
        return self._frame.signal.cancelled or self._refused is not None

    async def _in_order(self, calls: list[ToolCall]) -> None:
        for call in calls:
            asked = len(self._asked)
            await self._one(call)
            if len(self._asked) > asked or self._stopped():
                return

    async def _together(self, calls: list[ToolCall]) -> None:
        left, limit = list(calls), self._frame.execution.max_parallel or len(calls)
        running: set[asyncio.Task[None]] = set()
        asked = len(self._asked)
        try:
            while left or running:
                while left and len(running) < limit and not self._stopped():
                    if len(self._asked) > asked:
                        break
                    call = left.pop(0)
                    task = self._frame.runtime.supervisor.spawn(
                        self._one(call), name=f"call {call.name}"
                    )
                    running.add(task)
                if not running:
                    return
                done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
        finally:
            for task in running:
                task.cancel()

    async def _one(self, call: ToolCall) -> None:
        try:
            outcome = await self._outcome(call)
            if isinstance(outcome, Paused):
                self._asked[call.id] = outcome.questions
            elif outcome is not None:
                await self._return(outcome)
        except RunEnded as error:
            self._refused = error

    async def _outcome(self, call: ToolCall) -> Outcome | None:
        """The call's result or pause; None if the run was stopped before the call started."""
        frame = self._frame
        if frame.signal.cancelled:
            return None
        tool = frame.tools.get(call.name)
        refused = self._refusal(call, tool)
        if refused is None and tool is not None:
            try:
                answer = await leave(frame, tool, call)
                if isinstance(answer, Go):
                    await self._announce(answer.call, tool.behavior)
                    return await frame.dispatcher.run(tool, answer.call, answer.arguments)
            except ToolFailed as error:
                answer = error_result(call, error.code, str(error))
            if not isinstance(answer, ToolResult):
                return answer
            refused = answer
        if refused is not None and not self._announced:
            await self._announce(call, InterruptBehavior.NON_INTERRUPTIBLE)
        return refused

    def _refusal(self, call: ToolCall, tool: Tool | None) -> ToolResult | None:
        """The result of a call that is not run at all."""
        problem = self._hand.problems.get(call.id)
        if problem is not None:
            return error_result(call, ARGUMENTS_INVALID, problem)
        if tool is None:
            known = ", ".join(sorted(self._frame.tools)) or "none"
            text = f"There is no tool {call.name!r}. The tools: {known}"
            return error_result(call, UNKNOWN_TOOL, text)
        own = self._frame.journal.own_questions(call.id)
        closed = closing_text(own[-1]) if own else None
        if closed is None:
            return None
        if tool.let_go is not None:
            guarded(tool.let_go, self._frame.start.run, call.id)
        return error_result(call, CLOSED_QUESTION, closed)

    async def _announce(self, call: ToolCall, behavior: InterruptBehavior) -> None:
        """The call is started, once this is stored."""
        frame = self._frame
        await frame.host.emit(
            CallStarted(
                frame.step,
                call,
                behavior,
                self._hand.calls,
                self._text,
                self._hand.provider_parts,
                frame.checkpoint(self._hand),
            )
        )
        self._announced = True
        self._started.add(call.id)

    async def _return(self, result: ToolResult) -> None:
        self.results[result.call_id] = result
        await self._frame.host.emit(
            CallReturned(self._frame.step, result, self._frame.checkpoint(self._hand))
        )


def _unknown(call: ToolCall) -> ToolResult:
    return error_result(call, OUTCOME_UNKNOWN, OUTCOME_UNKNOWN_TEXT)
