"""What a run may use and has used, and its checkpoint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gateway.core.errors import ValidationFailed
from gateway.core.messages import Json, ToolCall
from gateway.ports.agent import RunOptions

VERSION = 1


HISTORY_TOKENS = 100_000
"""What a model reads of a conversation unless something else is said: fits one of 128 000."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """A run's limits, resolved: its options over its agent's own, none above the `Ceiling`."""

    max_iterations: int
    timeout_seconds: float
    on_iteration_limit: str
    max_tokens: int | None = None
    max_cost_usd: float | None = None
    history_tokens: int = HISTORY_TOKENS

    def over(self, options: RunOptions) -> Limits:
        """These with what the run's options say instead."""
        return Limits(
            max_iterations=_first(options.max_iterations, self.max_iterations),
            timeout_seconds=_first(options.timeout_seconds, self.timeout_seconds),
            on_iteration_limit=_first(options.on_iteration_limit, self.on_iteration_limit),
            max_tokens=_first(options.max_tokens, self.max_tokens),
            max_cost_usd=_first(options.max_cost_usd, self.max_cost_usd),
            history_tokens=self.history_tokens,
        )

    def under(self, ceiling: Ceiling) -> Limits:
        """These, no higher than the ceiling."""
        return replace(
            self,
            max_tokens=_lower(self.max_tokens, ceiling.max_tokens),
            max_cost_usd=_lower(self.max_cost_usd, ceiling.max_cost_usd),
            history_tokens=_first(ceiling.history_tokens, self.history_tokens),
        )


@dataclass(frozen=True, slots=True)
class Ceiling:
    """What the operator allows every run: tokens, cost in US dollars; None where nothing is said.
    `history_tokens` stands instead of the agent's own.
    """

    max_tokens: int | None = None
    max_cost_usd: float | None = None
    history_tokens: int | None = None


def _lower(one: Any, other: Any) -> Any:
    known = [value for value in (one, other) if value is not None]
    return min(known, default=None)


def _first(value: Any, otherwise: Any) -> Any:
    return otherwise if value is None else value


@dataclass(slots=True)
class Used:
    """What a run has used: iterations of its turn, tokens, cost and seconds of all its tasks."""

    iterations: int = 0
    tokens: int = 0
    cost_usd: float = 0.0
    seconds: float = 0.0

    def add(self, tokens: int, cost_usd: float) -> None:
        """A model call was made, by the run or a child run of it."""
        self.tokens += tokens
        self.cost_usd += cost_usd

    def exceeded(self, limits: Limits) -> str | None:
        """The first budget that is used up: iterations, tokens or cost."""
        if self.iterations >= limits.max_iterations:
            return "iterations"
        return self.overspent(limits)

    def overspent(self, limits: Limits) -> str | None:
        """The first budget that is used up of those that child runs use too: tokens or cost."""
        if limits.max_tokens is not None and self.tokens >= limits.max_tokens:
            return "tokens"
        if limits.max_cost_usd is not None and self.cost_usd >= limits.max_cost_usd:
            return "cost"
        return None


@dataclass(frozen=True, slots=True)
class ToolExecution:
    """How a run runs the calls of a step. `total_ms` is its whole time, for whoever resumes it."""

    parallel: bool = False
    max_parallel: int | None = None
    total_ms: int | None = None


@dataclass(frozen=True, slots=True)
class BatchInHand:
    """The calls of a step that is not done; `problems` of calls whose arguments can't be read."""

    calls: tuple[ToolCall, ...]
    problems: Mapping[str, str] = field(default_factory=dict)
    provider_parts: Json = None


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where a run stands, never what was said. `step` is done unless a batch is in hand."""

    step: int = 0
    used: Used = field(default_factory=Used)
    execution: ToolExecution | None = None
    batch: BatchInHand | None = None

    def to_json(self) -> dict[str, Json]:
        """The stored form, version 1."""
        execution, batch = self.execution or ToolExecution(), self.batch
        return {
            "version": VERSION,
            "step": self.step,
            "budgets": {
                "iterations": self.used.iterations,
                "tokens": self.used.tokens,
                "costUsd": self.used.cost_usd,
                "seconds": self.used.seconds,
            },
            "toolExecution": {
                "parallelToolCalls": execution.parallel,
                "maxParallelToolCalls": execution.max_parallel,
                "timeouts": {"totalMs": execution.total_ms},
            },
            "batch": None
            if batch is None
            else {
                "calls": calls_json(batch.calls),
                "problems": dict(batch.problems),
                "providerParts": batch.provider_parts,
            },
        }


def read_checkpoint(stored: Json) -> Checkpoint:
    """The checkpoint in what was stored; the start of a run for None.

    Raises:
        ValidationFailed: a newer version wrote it, or it is damaged.
    """
    if stored is None:
        return Checkpoint()
    if not isinstance(stored, dict):
        raise ValidationFailed("the run's checkpoint is damaged: no object")
    version = stored.get("version")
    if not isinstance(version, int) or version > VERSION:
        text = f"the run's checkpoint has version {version}; this program reads up to {VERSION}"
        raise ValidationFailed(text, version=version)
    try:
        return _read(stored)
    except (KeyError, TypeError, ValueError) as error:
        raise ValidationFailed(f"the run's checkpoint is damaged: {error!r}") from error


def _read(stored: Mapping[str, Any]) -> Checkpoint:
    budgets = stored["budgets"]
    execution, batch = stored.get("toolExecution"), stored.get("batch")
    return Checkpoint(
        step=int(stored["step"]),
        used=Used(
            iterations=int(budgets["iterations"]),
            tokens=int(budgets["tokens"]),
            cost_usd=float(budgets["costUsd"]),
            seconds=float(budgets["seconds"]),
        ),
        execution=None
        if execution is None
        else ToolExecution(
            parallel=bool(execution.get("parallelToolCalls", False)),
            max_parallel=execution.get("maxParallelToolCalls"),
            total_ms=execution.get("timeouts", {}).get("totalMs"),
        ),
        batch=None
        if batch is None
        else BatchInHand(
            tuple(ToolCall(c["id"], c["name"], c["arguments"]) for c in batch["calls"]),
            batch.get("problems", {}),
            batch.get("providerParts"),
        ),
    )


def calls_json(calls: Sequence[ToolCall]) -> list[Json]:
    """Calls as JSON."""
    return [{"id": c.id, "name": c.name, "arguments": dict(c.arguments)} for c in calls]
