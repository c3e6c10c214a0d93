"""An agent, and the two ports between a run and its host: `RunHost` and `RunHandle`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, TypeAlias

from gateway.core.cancellation import InterruptReason
from gateway.core.events import Asked, Began, CallReturned, CallStarted, Ended, Noted, StepDone
from gateway.core.interrupts import Interrupt
from gateway.core.messages import Attachment, Json, Message, ToolCall, UserMessage


class Leave(StrEnum):
    """Whether a call may run now."""

    RUN = "run"
    ASK = "ask"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class CallFacts:
    """What the host needs to know to give leave. `approval` is the decided question, if one was."""

    call: ToolCall
    needs_approval: bool
    destructive: bool
    approval: Interrupt | None = None


@dataclass(frozen=True, slots=True)
class Joined:
    """A message that joins a run; `queued` is steer, followUp or inject."""

    message: UserMessage
    queued: str
    input_seq: int | None = None


@dataclass(frozen=True, slots=True)
class JournalRecord:
    """A line of a call's journal: asked, started, result or note (`key` and `value`)."""

    call_id: str
    record: str
    key: str = ""
    value: Json = None


RunEvent: TypeAlias = Began | CallStarted | CallReturned | Noted | StepDone | Asked | Ended


Check: TypeAlias = Callable[[str], Awaitable[str | None]]
"""An input check: the code of its refusal, or None."""


class RunHost(Protocol):
    """What a run asks of whoever hosts it. Every method raises `RunEnded` once the run is dead."""

    async def emit(self, event: RunEvent) -> None:
        """Return when the event is stored.

        Raises:
            RunEnded: it is not taken (the run was stopped, ended or abandoned).
        """

    def waits_for_end(self) -> bool:
        """Whether messages wait to join when the run would end."""

    async def take(self, check: Check, *, ending: bool = False) -> Sequence[Joined]:
        """The inputs that join before the next model call, or with `ending` when the run would end:
        checked first, then stored as entries. One that is refused ends with its code.
        """

    async def refuse(self, own: Mapping[int, str]) -> None:
        """Some of the run's own inputs were refused: their codes by their place in `RunStart.own`.
        No model reads them, now or later.
        """

    async def keep(self, joined: Joined) -> bool:
        """Store a message that joined by the handle (steer, follow_up, inject) as an entry after
        the last step; False where the thread saves no history. Returns when it is stored.
        """

    def say(self, step: int, more: str) -> None:
        """The step's text goes on with this. Never waits."""

    def progress(self, call_id: str, text: str, fraction: float | None) -> None:
        """Tell the person how a call goes on. Never waits."""

    def child(self, call_id: str, run: str, agent: str, on: bool) -> None:
        """A child run of a call has begun, or settled (`on` False): this is its address for people.
        Never waits.
        """

    def spent(self, tokens: int, cost_usd: float, *, over: bool) -> None:
        """A model call was paid, by the run or a child run of it; the cost in US dollars. `over`: a
        budget of the run is used up, and what it is doing has to stop. Never waits.
        """

    async def tell(self, code: str, **params: Json) -> None:
        """Tell the run's persons something, by the code of its sentence."""

    async def may_run(self, facts: CallFacts) -> Leave:
        """Whether this call may run for this run's persons, asked right before it runs."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """A run's limits, None where the agent's own stand. Times in seconds, cost in US dollars."""

    max_iterations: int | None = None
    max_tokens: int | None = None
    max_cost_usd: float | None = None
    timeout_seconds: float | None = None
    parallel_tool_calls: bool | None = None
    on_iteration_limit: str | None = None
    queue_steering: str = "one-at-a-time"
    queue_follow_up: str = "one-at-a-time"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStart:
    """Everything a run is started or resumed with.

    `checkpoint` is None for a new run; `step` is the last step that anything was shown or stored
    of, so that a new one counts on from it. `questions` are the run's decided questions, in order
    asked; `journal` its calls' records; `history` ends with the run's own input, calls and results
    so far. `own` are the texts of its own input, the last of `history`, where no step was made yet.
    `branch` numbers the log's branch that `history` is of: it changes when the conversation goes on
    from an earlier place. `since` is when the thread was made: one of the same name that is made
    after its end is another conversation.
    """

    run: str
    thread: str
    principals: tuple[str, ...]
    history: tuple[Message, ...]
    language: str = "en"
    options: RunOptions = field(default_factory=RunOptions)
    checkpoint: Json = None
    step: int = 0
    questions: tuple[Interrupt, ...] = ()
    journal: tuple[JournalRecord, ...] = ()
    own: tuple[str, ...] = ()
    branch: int = 0
    since: str = ""


class RunHandle(Protocol):
    """A run that goes on. Methods that queue return False once the run takes no more."""

    def stop(self, reason: InterruptReason) -> None:
        """Trip the run's signal; the first reason wins. Returns at once."""

    def stop_child(self, run: str, reason: InterruptReason) -> bool:
        """Stop one child run, at any depth, and nothing else; False where none of that id is on."""

    def abandon(self) -> None:
        """The grace is over: cancel the task and every call that may be cancelled."""

    def steer(self, text: str, attachments: tuple[Attachment, ...] = ()) -> bool:
        """Join before the next model call."""

    def follow_up(self, text: str, attachments: tuple[Attachment, ...] = ()) -> bool:
        """Start a new turn when the run would end."""

    def inject(self, text: str, attachments: tuple[Attachment, ...] = ()) -> bool:
        """Join the next model call, start none."""

    def abort(self) -> list[str]:
        """Stop for good; the messages that were never delivered."""


@dataclass(frozen=True, slots=True)
class AgentCapabilities:
    """What an agent can do beyond running."""

    steer: bool = True
    ask: bool = True


class AgentPort(Protocol):
    """An agent, in this process or elsewhere."""

    name: str
    capabilities: AgentCapabilities
    timeout_seconds: float

    def start(self, start: RunStart, host: RunHost) -> RunHandle:
        """Start or resume a run in a task of its own; returns at once."""

    def destructive(self, tool: str) -> bool:
        """Whether a rule may never allow this tool."""

    def refuses(self, tool: str, arguments: Mapping[str, Json]) -> str | None:
        """Why edited arguments don't fit the tool; None where they do."""
