"""What the parts of one run's loop share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gateway.core.messages import Json
from gateway.ports.agent import RunHost, RunStart
from gateway.ports.model import Model, ToolSpec
from gateway.runs.budgets import BatchInHand, Checkpoint, Limits, ToolExecution, Used
from gateway.runs.coordinator import Coordinator, Signal
from gateway.runs.dispatch import Dispatcher
from gateway.runs.journal import CallJournal
from gateway.runs.runtime import Runtime
from gateway.runs.tools import Tool


@dataclass(slots=True, kw_only=True)
class Frame:
    """One run's task: its start, its host, where it stands. Owned by its loop."""

    start: RunStart
    host: RunHost
    model: Model
    instructions: str
    tools: Mapping[str, Tool]
    specs: tuple[ToolSpec, ...]
    runtime: Runtime
    coordinator: Coordinator
    journal: CallJournal
    dispatcher: Dispatcher
    limits: Limits
    execution: ToolExecution
    used: Used
    step: int
    began_at: float

    @property
    def signal(self) -> Signal:
        """The run's signal."""
        return self.coordinator.signal

    def checkpoint(self, batch: BatchInHand | None = None) -> Json:
        """Where the run stands now."""
        spent = self.runtime.clock.monotonic() - self.began_at
        used = Used(
            self.used.iterations, self.used.tokens, self.used.cost_usd, self.used.seconds + spent
        )
        return Checkpoint(self.step, used, self.execution, batch).to_json()
