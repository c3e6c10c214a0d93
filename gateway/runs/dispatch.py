"""Running one tool call: task or thread, behaviour under a stop, timeout, result."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from gateway.core.cancellation import CancelledExecutionError, InterruptBehavior
from gateway.core.errors import GatewayError
from gateway.core.interrupts import Interrupt
from gateway.core.messages import (
    ABORTED_BEFORE_DISPATCH,
    ABORTED_TEXT,
    INTERRUPTED,
    ToolCall,
    ToolResult,
    interrupted_text,
)
from gateway.runs.context import SyncToolContext, ToolContext
from gateway.runs.coordinator import Coordinator, on_loop, start_apart
from gateway.runs.schema import jsonable
from gateway.runs.scope import RESULT_UNSERIALISABLE, CallScope, PauseRequested, ScopeOf
from gateway.runs.threads import CutShort, SyncCall, SyncThreads
from gateway.runs.tools import Tool
from gateway.supervise import Caught, Supervisor, guarded, guarded_await

TIMED_OUT = "TOOL_TIMED_OUT"
RAISED = "TOOL_RAISED"
SWALLOWED_PAUSE = "TOOL_SWALLOWED_PAUSE"
TIMEOUT_GRACE_SECONDS = 0.5
"""How long a call that is out of time may take to unwind."""


@dataclass(frozen=True, slots=True)
class Paused:
    """The call asks; it runs again from its start when these are decided."""

    questions: tuple[Interrupt, ...]


Outcome: TypeAlias = ToolResult | Paused


class NotStarted:
    """The run was stopped before the call began."""


class _Running:
    """A call that runs: what stops it, and what gives it up."""

    def __init__(self, tool: Tool, scope: CallScope, thread: SyncCall | None) -> None:
        self.tool = tool
        self.scope = scope
        self.thread = thread
        self.task: asyncio.Task[object] | None = None

    def cut(self, loop: asyncio.AbstractEventLoop) -> None:
        """Cancel the task, or raise in the thread; from any thread."""
        if self.thread is not None:
            self.thread.interrupt()
        elif self.task is not None:
            on_loop(loop, self.task.cancel)

    def give_up(self) -> None:
        """Nobody waits any more. NON_INTERRUPTIBLE and COOPERATIVE calls are left to run."""
        self.scope.kill()
        if self.thread is not None:
            self.thread.abandon()
        if self.tool.behavior.has_registrar and self.task is not None:
            self.task.cancel()


class Dispatcher:
    """Runs the calls of one run."""

    def __init__(
        self,
        shared: ScopeOf,
        coordinator: Coordinator,
        supervisor: Supervisor,
        threads: SyncThreads,
    ) -> None:
        self._shared = shared
        self._coordinator = coordinator
        self._supervisor = supervisor
        self._threads = threads
        self._running: set[_Running] = set()

    def abandon(self) -> None:
        """The run's grace is over: give up every call that still runs."""
        for running in tuple(self._running):
            running.give_up()

    async def run(self, tool: Tool, call: ToolCall, arguments: Mapping[str, Any]) -> Outcome:
        """Run the call to its end, its pause or its timeout.

        Raises:
            ToolFailed: TOOL_THREADS_EXHAUSTED; nothing was run.
        """
        thread = None if tool.is_async else self._threads.call()
        interruptible = tool.behavior.has_registrar
        registrar = self._coordinator.registrar_for_call() if interruptible else None
        scope = CallScope(self._shared, call, registrar=registrar, can_ask=not tool.sandboxed)
        running = _Running(tool, scope, thread)
        loop = asyncio.get_running_loop()
        running.task = self._supervisor.spawn(
            self._body(running, arguments), name=f"tool {tool.name}"
        )
        lever = None
        if tool.behavior is InterruptBehavior.THREAD_INTERRUPT:
            lever = self._shared.signal.lever(lambda: running.cut(loop))
        self._running.add(running)
        try:
            return await self._wait(running, loop)
        finally:
            self._running.discard(running)
            if lever is not None:
                lever.remove()
            if registrar is not None:
                self._coordinator.release(registrar)

    async def _wait(self, running: _Running, loop: asyncio.AbstractEventLoop) -> Outcome:
        assert running.task is not None
        tool, call = running.tool, running.scope.call
        await asyncio.wait({running.task}, timeout=tool.timeout_seconds)
        if running.task.done():
            return self._outcome(running, _value(running.task))
        running.scope.kill()
        if tool.behavior is InterruptBehavior.THREAD_INTERRUPT:
            running.cut(loop)
        elif running.scope.registrar is not None:
            start_apart(running.scope.registrar.fire)
        await asyncio.wait({running.task}, timeout=TIMEOUT_GRACE_SECONDS)
        text = f"{tool.name} did not return within {tool.timeout_seconds:g} s"
        if not running.task.done():
            running.give_up()
            text += "; it may still be running"
        return error_result(call, TIMED_OUT, text)

    async def _body(self, running: _Running, arguments: Mapping[str, Any]) -> object:
        """What came of the call, as a value: it never raises."""
        try:
            if running.thread is not None:
                return await self._threads.run(
                    running.thread, running.tool.name, self._in_thread(running, arguments)
                )
            return await guarded_await(self._call(running, arguments))
        except PauseRequested as pause:
            return pause
        except asyncio.CancelledError:
            return CutShort()
        except SystemExit as error:
            return Caught(RuntimeError(f"the tool tried to end the process ({error})"))

    async def _call(self, running: _Running, arguments: Mapping[str, Any]) -> object:
        tool = running.tool
        if self._shared.signal.cancelled:
            return NotStarted()
        return await tool.function(**_with_context(tool, arguments, ToolContext(running.scope)))

    def _in_thread(self, running: _Running, arguments: Mapping[str, Any]) -> Callable[[], object]:
        tool = running.tool
        context = SyncToolContext(running.scope, asyncio.get_running_loop())

        def call() -> object:
            if self._shared.signal.cancelled:
                return NotStarted()
            try:
                return tool.function(**_with_context(tool, arguments, context))
            except PauseRequested as pause:
                return pause

        return call

    def _outcome(self, running: _Running, value: object) -> Outcome:
        call, pause = running.scope.call, running.scope.pause
        if pause is not None:
            if value is pause:
                return Paused(pause.questions)
            text = f"{call.name} caught the pause of its own question; nothing was asked"
            return error_result(call, SWALLOWED_PAUSE, text)
        if isinstance(value, NotStarted):
            return error_result(call, ABORTED_BEFORE_DISPATCH, ABORTED_TEXT)
        if isinstance(value, CutShort):
            reason = self._shared.signal.reason
            text = "Interrupted" if reason is None else interrupted_text(reason)
            return error_result(call, INTERRUPTED, text)
        if isinstance(value, Caught | BaseException):
            return _raised(call, value.error if isinstance(value, Caught) else value)
        return _returned(call, value)


def _value(task: asyncio.Task[object]) -> object:
    """What the call's task ended with; one that was cancelled before its first step ran nothing."""
    if task.cancelled():
        return NotStarted()
    error = task.exception()
    return task.result() if error is None else error


def _with_context(tool: Tool, arguments: Mapping[str, Any], context: object) -> dict[str, Any]:
    if tool.context_parameter is None:
        return dict(arguments)
    return {**arguments, tool.context_parameter: context}


def _raised(call: ToolCall, error: BaseException) -> ToolResult:
    if isinstance(error, CancelledExecutionError):
        return error_result(call, INTERRUPTED, str(error))
    if isinstance(error, GatewayError):
        return error_result(call, error.code, str(error))
    return error_result(call, RAISED, f"{type(error).__name__}: {error}")


def _returned(call: ToolCall, value: object) -> ToolResult:
    if isinstance(value, str):
        return ToolResult(call.id, call.name, value)

    def dump() -> str:
        return json.dumps(jsonable(value), ensure_ascii=False, allow_nan=False)

    text = guarded(dump)
    if isinstance(text, Caught):
        kind = type(value).__name__
        return error_result(call, RESULT_UNSERIALISABLE, f"{call.name} returned a {kind}: no JSON")
    return ToolResult(call.id, call.name, text)


def error_result(call: ToolCall, code: str, text: str) -> ToolResult:
    """A result that the model reads as an error."""
    return ToolResult(call.id, call.name, text, code)
