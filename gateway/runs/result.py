"""How a run came out, for whoever awaits it."""

from __future__ import annotations

from dataclasses import dataclass

from gateway.core.cancellation import InterruptReason
from gateway.core.events import End
from gateway.core.interrupts import Interrupt
from gateway.core.messages import UserMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """A run's outcome; `end` is None while it waits for the answers to `questions`.

    `text` is its last text. `undelivered` are the texts of the messages that it gave back,
    `returned` these with what they attach. `error` is a code, `error_id` what an operator finds it
    by. `abandoned`: it did not settle within its grace, and calls of it may still be running.
    """

    run: str
    end: End | None
    text: str = ""
    reason: InterruptReason | None = None
    error: str | None = None
    error_id: str | None = None
    questions: tuple[Interrupt, ...] = ()
    undelivered: tuple[str, ...] = ()
    returned: tuple[UserMessage, ...] = ()
    abandoned: bool = False

    @property
    def status(self) -> str:
        """completed, interrupted, cancelled (TASK_CANCELLED), failed or paused."""
        if self.end is None:
            return "paused"
        if self.end is End.INTERRUPTED and self.reason is InterruptReason.TASK_CANCELLED:
            return "cancelled"
        return self.end.value
