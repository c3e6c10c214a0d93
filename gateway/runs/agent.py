"""`Agent`: a model with instructions and tools, run in this process."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from gateway.core.cancellation import InterruptReason
from gateway.core.errors import ToolFailed
from gateway.core.messages import Json
from gateway.ports.agent import AgentCapabilities, RunHost, RunStart
from gateway.ports.model import Model
from gateway.runs.budgets import HISTORY_TOKENS, Limits, ToolExecution, read_checkpoint
from gateway.runs.children import run_child
from gateway.runs.coordinator import Coordinator
from gateway.runs.dispatch import Dispatcher
from gateway.runs.frame import Frame
from gateway.runs.handle import Children, InProcessHandle
from gateway.runs.journal import CallJournal
from gateway.runs.loop import Loop
from gateway.runs.queue import Check, OnRefused, Queue
from gateway.runs.refusing import refuse
from gateway.runs.runtime import Runtime, default_runtime
from gateway.runs.scope import ScopeOf
from gateway.runs.tools import Tool
from gateway.supervise import Caught, guarded

MAX_ITERATIONS = 25
TIMEOUT_SECONDS = 600.0


ABORTED_IN_THREAD = InterruptReason.USER_SIGINT
"""`abort()` of a run in a thread is its person's own stop."""


MoreTools: TypeAlias = Callable[[str | None], Sequence[Tool]]
"""The tools beside the agent's own: of a thread, or of all of them."""


def _none(thread: str | None) -> Sequence[Tool]:
    return ()


def _nothing() -> None:
    """A run that was refused has nothing to abandon."""


class Agent:
    """A model with instructions and tools.

    `max_iterations` counts model calls of a turn; at the limit the run fails BUDGET_EXCEEDED, or,
    with `on_iteration_limit="stop"`, ends interrupted and gives back what was not delivered.
    `timeout_seconds` is a run's whole time; thinking people don't count. `max_tokens` and
    `max_cost_usd`, used by it and its child runs, end a run BUDGET_EXCEEDED. `history_tokens` is
    about how much of a conversation the model reads; older turns are summed up.
    `parallel_tool_calls` lets the calls of a step run together where all of them are declared
    `parallel_safe`.

    `before_run` hooks see the run's input and every message that joins it, and raise to refuse one
    (`InputRefused` gives the code); `on_refused_message` hears of it at once.

    Raises:
        ValueError: two tools have the same name, or `on_iteration_limit` is neither fail nor stop.
    """

    def __init__(
        self,
        name: str,
        model: Model,
        instructions: str = "",
        tools: Sequence[Tool] = (),
        *,
        max_iterations: int = MAX_ITERATIONS,
        timeout_seconds: float = TIMEOUT_SECONDS,
        on_iteration_limit: str = "fail",
        max_tokens: int | None = None,
        max_cost_usd: float | None = None,
        history_tokens: int = HISTORY_TOKENS,
        parallel_tool_calls: bool = False,
        max_parallel_tool_calls: int | None = None,
        before_run: Sequence[Check] = (),
        on_refused_message: OnRefused | None = None,
        runtime: Runtime | None = None,
    ) -> None:
        self.name = name
        self.model = model
        self.instructions = instructions
        self.tools = {tool.name: tool for tool in tools}
        self._specs = tuple(tool.spec for tool in tools)
        self.more_tools: MoreTools = _none
        if len(self.tools) != len(tools):
            raise ValueError(f"agent {name}: two tools have the same name")
        if on_iteration_limit not in ("fail", "stop"):
            raise ValueError(f'on_iteration_limit is "fail" or "stop", not {on_iteration_limit!r}')
        self.capabilities = AgentCapabilities()
        self.timeout_seconds = timeout_seconds
        self.limits = Limits(
            max_iterations=max_iterations,
            timeout_seconds=timeout_seconds,
            on_iteration_limit=on_iteration_limit,
            max_tokens=max_tokens,
            max_cost_usd=max_cost_usd,
            history_tokens=history_tokens,
        )
        self.parallel_tool_calls = parallel_tool_calls
        self.max_parallel_tool_calls = max_parallel_tool_calls
        self.before_run = tuple(before_run)
        self.on_refused_message = on_refused_message
        self.runtime = runtime or default_runtime()

    def with_runtime(self, runtime: Runtime) -> Agent:
        """A copy that runs with this process's spawner, clock, ids and threads."""
        bound = copy.copy(self)
        bound.runtime = runtime
        return bound

    def with_model(self, model: Model) -> Agent:
        """A copy with another model, the same tools and instructions."""
        other = copy.copy(self)
        other.model = model
        return other

    def with_tools(self, more: MoreTools) -> Agent:
        """A copy that has the tools that `more` gives too; it is asked at the start of each run,
        and before each resume. Where two have the same name, the agent's own stands.
        """
        other = copy.copy(self)
        other.more_tools = more
        return other

    def _of(self, thread: str) -> dict[str, Tool]:
        """Every tool there is now on a thread."""
        return {tool.name: tool for tool in self.more_tools(thread)} | self.tools

    def _named(self, name: str) -> list[Tool]:
        """Every tool of this name, on whatever thread."""
        own = self.tools.get(name)
        return [own] if own else [tool for tool in self.more_tools(None) if tool.name == name]

    def destructive(self, tool: str) -> bool:
        """Whether a rule may never allow this tool; True for one that isn't there."""
        known = self._named(tool)
        return not known or any(one.destructive for one in known)

    def refuses(self, tool: str, arguments: Mapping[str, Json]) -> str | None:
        """Why edited arguments don't fit the tool; None where they do. The run's own tool reads
        them once more.
        """
        why = f"there is no tool {tool}"
        for known in self._named(tool):
            try:
                known.parse(arguments)
            except ToolFailed as error:
                why = str(error)
            else:
                return None
        return why

    def start(self, start: RunStart, host: RunHost) -> InProcessHandle:
        """Start or resume a run in a task of its own; returns at once.

        A checkpoint or journal that this version can't read ends the run failed (VALIDATION_ERROR),
        and leaves what is stored as it is.
        """
        runtime, coordinator = self.runtime, Coordinator(self.runtime.report)
        queue = Queue(self.before_run, self.on_refused_message, runtime.report)
        children = Children()
        made = guarded(self._loop, start, host, coordinator, queue, children)
        if isinstance(made, Caught):
            run, abandon = refuse(start, host, runtime, made.error), _nothing
        else:
            run, abandon = made.run(), made.abandon
        in_thread = bool(start.thread)
        return InProcessHandle(
            run=start.run,
            task=runtime.supervisor.spawn(run, name=f"run {start.run}"),
            coordinator=coordinator,
            queue=queue,
            children=children,
            abandon=abandon,
            abort_reason=ABORTED_IN_THREAD if in_thread else InterruptReason.TASK_CANCELLED,
        )

    def _loop(
        self,
        start: RunStart,
        host: RunHost,
        coordinator: Coordinator,
        queue: Queue,
        children: Children,
    ) -> Loop:
        stored, runtime = read_checkpoint(start.checkpoint), self.runtime
        tools = self._of(start.thread)
        more = tuple(tool.spec for name, tool in tools.items() if name not in self.tools)
        limits = self.limits.over(start.options).under(runtime.ceiling)
        journal = CallJournal(start)
        shared = ScopeOf(
            run=start.run,
            thread=start.thread,
            principals=start.principals,
            language=start.language,
            signal=coordinator.signal,
            host=host,
            journal=journal,
            runtime=runtime,
            run_child=run_child,
            children=children,
            used=stored.used,
            limits=limits,
        )
        frame = Frame(
            start=start,
            host=host,
            model=self.model,
            instructions=self.instructions,
            tools=tools,
            specs=(*self._specs, *more),
            runtime=runtime,
            coordinator=coordinator,
            journal=journal,
            dispatcher=Dispatcher(shared, coordinator, runtime.supervisor, runtime.threads),
            limits=limits,
            execution=self._execution(start, stored.execution, limits),
            used=stored.used,
            step=stored.step,
            began_at=runtime.clock.monotonic(),
        )
        return Loop(frame, queue, self.before_run, stored.batch)

    def _execution(
        self, start: RunStart, stored: ToolExecution | None, limits: Limits
    ) -> ToolExecution:
        """What the options say, else what the run began with, else the agent's own."""
        own = stored or ToolExecution(self.parallel_tool_calls, self.max_parallel_tool_calls)
        asked = start.options.parallel_tool_calls
        return ToolExecution(
            own.parallel if asked is None else asked,
            own.max_parallel,
            round(limits.timeout_seconds * 1000),
        )
