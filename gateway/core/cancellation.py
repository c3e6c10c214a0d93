"""Why and how a run is stopped: reasons, behaviours, and what a tool sees of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable


class InterruptReason(StrEnum):
    """Why a run was stopped. `UNKNOWN` is a name another version wrote: read, never raised."""

    USER_SIGINT = "USER_SIGINT"
    NOW_PRIORITY_INPUT = "NOW_PRIORITY_INPUT"
    BUDGET_EXCEEDED = "BUDGET_EXCEEDED"
    PARENT_CANCELLED = "PARENT_CANCELLED"
    TASK_CANCELLED = "TASK_CANCELLED"
    SYSTEM_SHUTDOWN = "SYSTEM_SHUTDOWN"
    LEASE_LOST = "LEASE_LOST"
    SESSION_RELEASED = "SESSION_RELEASED"
    HOLDER_LOST = "HOLDER_LOST"
    UNKNOWN = "UNKNOWN"


def parse_reason(name: str) -> InterruptReason:
    """The reason of that name; `UNKNOWN` for a name this version doesn't have. Never fails."""
    try:
        return InterruptReason(name)
    except ValueError:
        return InterruptReason.UNKNOWN


class InterruptBehavior(StrEnum):
    """What a stop does to a tool call that is running."""

    NON_INTERRUPTIBLE = "NON_INTERRUPTIBLE"
    COOPERATIVE = "COOPERATIVE"
    THREAD_INTERRUPT = "THREAD_INTERRUPT"
    EXTERNALLY_TERMINATED = "EXTERNALLY_TERMINATED"

    @property
    def has_registrar(self) -> bool:
        """Whether a tool of this behaviour may register terminators."""
        return self in (
            InterruptBehavior.THREAD_INTERRUPT,
            InterruptBehavior.EXTERNALLY_TERMINATED,
        )


class CancelledExecutionError(Exception):
    """Raised by `checkpoint()` in a run that was stopped; the message names the reason."""

    def __init__(self, reason: InterruptReason) -> None:
        self.reason = reason
        super().__init__(f"Interrupted: {reason.value}")


class Registration(Protocol):
    """A listener's place on a signal."""

    def remove(self) -> None:
        """Take the listener off; idempotent, safe after the trip."""


@runtime_checkable
class CancellationSignal(Protocol):
    """What a tool sees of its run's stopping. Single-shot; any thread may call any method."""

    @property
    def cancelled(self) -> bool:
        """Whether the run was stopped."""

    @property
    def reason(self) -> InterruptReason | None:
        """The first reason, or None while nothing was stopped."""

    def checkpoint(self) -> None:
        """Raise `CancelledExecutionError` if the run was stopped."""

    def on_cancel(self, listener: Callable[[], object]) -> Registration:
        """Run `listener` once on the trip, in order; at once, here, if it has tripped."""

    async def wait(self) -> InterruptReason:
        """Return when the run is stopped."""


@dataclass(frozen=True, slots=True)
class Graces:
    """How long a stopped run may take to settle, in milliseconds, by cause."""

    grace_ms: int = 500
    now_grace_ms: int = 10_000
    shutdown_ms: int = 8_000

    def of(self, reason: InterruptReason, running: Iterable[InterruptBehavior]) -> int:
        """The grace of a stop for `reason` while calls of these behaviours run."""
        match reason:
            case InterruptReason.LEASE_LOST | InterruptReason.HOLDER_LOST:
                return 0
            case InterruptReason.SYSTEM_SHUTDOWN:
                return self.shutdown_ms
            case InterruptReason.NOW_PRIORITY_INPUT if InterruptBehavior.NON_INTERRUPTIBLE in tuple(
                running
            ):
                return self.now_grace_ms
            case _:
                return self.grace_ms
