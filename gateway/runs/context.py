"""What a tool sees of its run: `ToolContext` for async tools, `SyncToolContext` for plain ones."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine, Mapping
from datetime import timedelta
from typing import Any, TypeAlias, TypeVar, overload

from gateway.core.cancellation import CancellationSignal
from gateway.core.errors import RunEnded
from gateway.core.messages import Json
from gateway.runs.coordinator import NEVER, Registrar
from gateway.runs.result import RunResult
from gateway.runs.scope import CallScope, PauseRequested

T = TypeVar("T")
Hop: TypeAlias = Callable[[Coroutine[Any, Any, Any], float], Any]
HOP_SECONDS = 30.0
"""How long a plain tool waits for the loop to store a value."""
CHILD_SECONDS = 24 * 3600.0
"""How long a plain tool waits at most for a child run; its own deadline is shorter."""


class Ask:
    """Asks a person: calling it gives their answer, checked by the question's form.

    The first time it pauses the run: the tool unwinds, and runs again from its start once the
    answer is there. So what a tool does before it asks must be safe to do twice, or stand in
    `context.once`. Questions are told apart by their order inside the call.

    `response_schema`: a pydantic model or another type (the answer is its instance), or a JSON
    Schema (the answer is plain data); without one a text, or `{"approved": bool, "reason": str}`
    for kind approval and plan, whose form may be another one that such an answer fits.
    `expires_in`: seconds from delivery, 24 hours by default. `to="approvers"` asks them instead of
    the run's own persons.

    Raises:
        ValidationFailed: `response_schema` is no JSON Schema, or takes no decision where the kind
            asks for one.
        ValueError: `expires_in` is over, `to` is nobody, or `reason` is the host's own "tool_call".
        CancelledExecutionError: the run was stopped.
    """

    def __init__(self, scope: CallScope) -> None:
        self._scope = scope

    @overload
    async def __call__(
        self,
        *,
        message: str,
        response_schema: type[T],
        reason: str = ...,
        kind: str = ...,
        expires_in: timedelta | float | None = ...,
        to: str | None = ...,
        details: Mapping[str, Json] | None = ...,
    ) -> T: ...

    @overload
    async def __call__(
        self,
        *,
        message: str,
        response_schema: object = ...,
        reason: str = ...,
        kind: str = ...,
        expires_in: timedelta | float | None = ...,
        to: str | None = ...,
        details: Mapping[str, Json] | None = ...,
    ) -> Any: ...

    async def __call__(self, *, message: str, response_schema: object = None, **rest: Any) -> Any:
        return _ask(self._scope, message, response_schema, **rest)


class SyncAsk:
    """`Ask` without await."""

    def __init__(self, scope: CallScope, hop: Hop) -> None:
        self._scope = scope
        self._hop = hop

    @overload
    def __call__(
        self,
        *,
        message: str,
        response_schema: type[T],
        reason: str = ...,
        kind: str = ...,
        expires_in: timedelta | float | None = ...,
        to: str | None = ...,
        details: Mapping[str, Json] | None = ...,
    ) -> T: ...

    @overload
    def __call__(
        self,
        *,
        message: str,
        response_schema: object = ...,
        reason: str = ...,
        kind: str = ...,
        expires_in: timedelta | float | None = ...,
        to: str | None = ...,
        details: Mapping[str, Json] | None = ...,
    ) -> Any: ...

    def __call__(self, *, message: str, response_schema: object = None, **rest: Any) -> Any:
        async def ask() -> Any:
            try:
                return _ask(self._scope, message, response_schema, **rest)
            except PauseRequested as pause:
                return pause

        answer = self._hop(ask(), HOP_SECONDS)
        if isinstance(answer, PauseRequested):
            raise answer
        return answer


def _ask(
    scope: CallScope,
    message: str,
    response_schema: object,
    *,
    reason: str = "",
    kind: str = "input",
    expires_in: timedelta | float | None = None,
    to: str | None = None,
    details: Mapping[str, Json] | None = None,
) -> Any:
    return scope.ask(
        message=message,
        response_schema=response_schema,
        reason=reason,
        kind=kind,
        expires_in=expires_in,
        to=to,
        details=details,
    )


class _Context:
    """What both kinds of context share. Without a scope it stands outside any run."""

    def __init__(self, scope: CallScope | None = None) -> None:
        self._scope = scope

    @property
    def signal(self) -> CancellationSignal:
        """The run's stopping; outside a run one that nobody trips. Never None."""
        return NEVER if self._scope is None else self._scope.shared.signal

    @property
    def registrar(self) -> Registrar | None:
        """For THREAD_INTERRUPT and EXTERNALLY_TERMINATED tools: takes terminators. Else None."""
        return None if self._scope is None else self._scope.registrar

    @property
    def run(self) -> str:
        """The run's id, "" outside a run."""
        return "" if self._scope is None else self._scope.shared.run

    @property
    def thread(self) -> str:
        """The thread's id, "" without one."""
        return "" if self._scope is None else self._scope.shared.thread

    @property
    def call_id(self) -> str:
        """The call's id, unique in its run; "" outside a run."""
        return "" if self._scope is None else self._scope.call.id

    @property
    def principals(self) -> tuple[str, ...]:
        """The persons whose run this is."""
        return () if self._scope is None else self._scope.shared.principals

    @property
    def language(self) -> str:
        """The person's language (en, ru), "en" outside a run."""
        return "en" if self._scope is None else self._scope.shared.language

    def _asking(self) -> CallScope:
        if self._scope is None or not self._scope.can_ask:
            raise AttributeError("interrupt is there for tools in a run that are not sandboxed")
        return self._scope

    def _inside(self) -> CallScope:
        if self._scope is None:
            raise RunEnded("there is no run around this tool")
        return self._scope


class ToolContext(_Context):
    """The context of an async tool's call. `ToolContext()` is one outside any run."""

    @property
    def interrupt(self) -> Ask:
        """Ask a person; see `Ask`. Absent (AttributeError) outside a run and in sandboxed tools."""
        return Ask(self._asking())

    async def once(self, key: str, fn: Callable[[], Any]) -> Any:
        """Run `fn` (sync or async) once over pauses, resumes and restarts; its JSON value after.

        Raises:
            ToolFailed: TOOL_RESULT_UNSERIALISABLE, the value is not JSON.
        """
        kept = None if self._scope is None else self._scope.noted(f"once:{key}")
        if kept is not None:
            return kept[0]
        value = fn()
        if inspect.isawaitable(value):
            value = await value
        return value if self._scope is None else await self._scope.note(f"once:{key}", value)

    async def progress(self, text: str, fraction: float | None = None) -> None:
        """Tell the person how it goes; `fraction` from 0 to 1."""
        if self._scope is not None:
            self._scope.progress(text, fraction)

    async def run_child(self, agent: Any, text: str) -> RunResult:
        """Run another agent inside this call; it is stopped when this run is.

        Its questions are asked in this run's thread. When the call runs again, a child that has
        finished is not run again, one that waited goes on.

        Raises:
            AgentRunPausedError: it asks, and this call can't (a sandboxed tool).
            CancelledExecutionError: this run was stopped.
        """
        return await self._inside().child(agent, text)


class SyncToolContext(_Context):
    """The context of a plain tool's call, in its own thread."""

    def __init__(
        self, scope: CallScope | None = None, loop: asyncio.AbstractEventLoop | None = None
    ) -> None:
        super().__init__(scope)
        self._loop = loop

    @property
    def interrupt(self) -> SyncAsk:
        """As `ToolContext.interrupt`."""
        return SyncAsk(self._asking(), self._hop)

    def once(self, key: str, fn: Callable[[], Any]) -> Any:
        """As `ToolContext.once`; `fn` runs in this thread."""
        kept = None if self._scope is None else self._scope.noted(f"once:{key}")
        if kept is not None:
            return kept[0]
        value = fn()
        if self._scope is None:
            return value
        return self._hop(self._scope.note(f"once:{key}", value), HOP_SECONDS)

    def progress(self, text: str, fraction: float | None = None) -> None:
        """As `ToolContext.progress`."""
        scope, loop = self._scope, self._loop
        if scope is not None and loop is not None:
            scope.check()
            loop.call_soon_threadsafe(scope.progress, text, fraction)

    def run_child(self, agent: Any, text: str) -> RunResult:
        """As `ToolContext.run_child`."""
        return self._hop(self._inside().child(agent, text), CHILD_SECONDS)

    def _hop(self, coroutine: Coroutine[Any, Any, T], seconds: float) -> T:
        if self._loop is None:
            coroutine.close()
            raise RunEnded("there is no run around this tool")
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result(seconds)
        except TimeoutError as error:
            future.cancel()
            raise RunEnded(f"the run did not answer within {seconds:g} s") from error
