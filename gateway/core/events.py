"""A run as its machine sees it: the states, the value, the events that `run.TABLE` takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from gateway.core.cancellation import InterruptBehavior, InterruptReason
from gateway.core.interrupts import Interrupt
from gateway.core.messages import Json, ToolCall, ToolResult


class State(StrEnum):
    """Where a run stands. A thread is occupied while one of its runs has not ended."""

    STARTING = "starting"
    RUNNING = "running"
    STOPPING = "stopping"
    ASKING = "asking"
    DELIVERING = "delivering"
    ENDED = "ended"


class End(StrEnum):
    """How a run ended."""

    COMPLETED = "completed"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


CRASH_LIMIT = 3


@dataclass(frozen=True, slots=True)
class Run:
    """What the table needs to know of a run. `unsettled` are steps whose text is being delivered,
    `said` is the last step whose text was handed over.
    """

    id: str
    state: State = State.STARTING
    has_task: bool = False
    durable: bool = True
    open: frozenset[str] = frozenset()
    running: Mapping[str, InterruptBehavior] = field(default_factory=dict)
    unsettled: frozenset[int] = frozenset()
    said: int = 0
    reason: InterruptReason | None = None
    end: End | None = None


@dataclass(frozen=True, slots=True)
class Launched:
    """The run got its slot and its task was started."""


@dataclass(frozen=True, slots=True)
class Began:
    """The run's task is set up and goes to its first model call."""


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A tool call is about to be dispatched; `batch` are all calls of its step, in order."""

    step: int
    call: ToolCall
    behavior: InterruptBehavior
    batch: tuple[ToolCall, ...]
    text: str
    provider_parts: Json
    checkpoint: Json


@dataclass(frozen=True, slots=True)
class CallReturned:
    """A tool call came back; `result.error` is set where it failed."""

    step: int
    result: ToolResult
    checkpoint: Json


@dataclass(frozen=True, slots=True)
class Noted:
    """A value of a call that must survive: `once`, or a child run's result."""

    call_id: str
    key: str
    value: Json


@dataclass(frozen=True, slots=True)
class StepDone:
    """A model call and all its tools are done, and the run goes on."""

    step: int
    text: str
    provider_parts: Json
    checkpoint: Json


@dataclass(frozen=True, slots=True)
class Asked:
    """Calls of this step ask; the run's task ends with this."""

    step: int
    questions: tuple[Interrupt, ...]
    batch: tuple[ToolCall, ...]
    text: str
    provider_parts: Json
    checkpoint: Json


@dataclass(frozen=True, slots=True)
class Ended:
    """The run's task is done. `all_shown` is filled in by the actor, from the channel."""

    end: End
    step: int
    text: str = ""
    provider_parts: Json = None
    reason: InterruptReason | None = None
    error: str | None = None
    error_id: str | None = None
    undelivered: tuple[str, ...] = ()
    checkpoint: Json = None
    all_shown: bool = True


@dataclass(frozen=True, slots=True)
class StopRequested:
    """Somebody or something stops the run."""

    reason: InterruptReason
    grace_ms: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class GraceOver:
    """The run did not settle within its grace."""


@dataclass(frozen=True, slots=True)
class PromptDelivered:
    """A prompt of this question was seen to be delivered."""

    question: str


@dataclass(frozen=True, slots=True)
class Decided:
    """A question of this run was decided: by a person, by its expiry, or as undeliverable."""

    question: str


@dataclass(frozen=True, slots=True)
class MovedOn:
    """The person moved on: the pause ends without a model call."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The text of this step has been shown or heard to its end."""

    step: int


@dataclass(frozen=True, slots=True)
class Recovered:
    """The run was found in the store when the thread opened; `crashes` counts those in a row."""

    crashes: int


Event = (
    Launched
    | Began
    | CallStarted
    | CallReturned
    | Noted
    | StepDone
    | Asked
    | Ended
    | StopRequested
    | GraceOver
    | PromptDelivered
    | Decided
    | MovedOn
    | Settled
    | Recovered
)
