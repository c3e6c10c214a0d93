"""What a thread's actor is told: the messages of its mailbox."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gateway.core.cancellation import InterruptReason
from gateway.ports.agent import Joined
from gateway.ports.rows import InputRow


@dataclass(frozen=True, slots=True)
class InputArrived:
    """An input was stored."""

    row: InputRow


@dataclass(frozen=True, slots=True)
class FromRun:
    """A run's event; the future is done once it is stored, or refused."""

    run: str
    epoch: int
    event: object
    done: asyncio.Future[None]


@dataclass(frozen=True, slots=True)
class TakeJoins:
    """A run asks for the inputs that join it: `checked` are their texts as they passed or failed
    its checks, `refused` the codes of those that failed; `ending`: the run would end.
    """

    run: str
    epoch: int
    checked: Mapping[int, str]
    refused: Mapping[int, str]
    done: asyncio.Future[object]
    ending: bool = False


@dataclass(frozen=True, slots=True)
class RefuseOwn:
    """A run's checks refused some of its own inputs: codes by their place."""

    run: str
    epoch: int
    codes: Mapping[int, str]
    done: asyncio.Future[Any]


@dataclass(frozen=True, slots=True)
class KeepJoined:
    """A message that joined by the handle is to be stored."""

    run: str
    epoch: int
    joined: Joined
    done: asyncio.Future[Any]


@dataclass(frozen=True, slots=True)
class Happened:
    """A timer, a slot or a channel: an event for one run's machine."""

    run: str
    event: object


@dataclass(frozen=True, slots=True)
class PromptSent:
    """What became of a prompt's sending."""

    token: str
    delivery: str
    message_ref: str
    seq: int


@dataclass(frozen=True, slots=True)
class SlotGranted:
    """A run may go on."""

    run: str


@dataclass(frozen=True, slots=True)
class SaveShownNow:
    """What was shown of a run's text is to be stored (every 250 ms)."""

    run: str


@dataclass(frozen=True, slots=True)
class DeadlineOver:
    """A run used up its time."""

    run: str


@dataclass(frozen=True, slots=True)
class Pump:
    """Look whether something may start."""


@dataclass(frozen=True, slots=True)
class ExpiryDue:
    """A question's time may be over."""


@dataclass(frozen=True, slots=True)
class ClientCame:
    """Somebody can be asked now who could not before."""

    principal: str


@dataclass(frozen=True, slots=True)
class Release:
    """Stop every run and leave the thread, unless `wanted` is cancelled by then."""

    reason: InterruptReason
    wanted: asyncio.Future[None] | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """A question of the API to the actor: `fn` runs in the actor, its result fills the future."""

    fn: Callable[[Any, Any], object]
    done: asyncio.Future[Any]


@dataclass(frozen=True, slots=True)
class Heed:
    """What a channel has learned: `fn` runs in the actor. It is kept where the storage fails."""

    fn: Callable[[Any, Any], object]


@dataclass(frozen=True, slots=True)
class Held:
    """An input that waits for a prompt's delivery has waited long enough."""

    seq: int


def fulfil(done: asyncio.Future[Any], result: object) -> None:
    """Answer whoever waits; nothing where they wait no more."""
    if not done.done():
        done.set_result(result)


def fail(done: asyncio.Future[Any], error: BaseException) -> None:
    """Let what was asked fail for whoever waits."""
    if not done.done():
        done.set_exception(error)


def reject(message: object, error: Exception) -> None:
    """Fail the future of a message that will not be handled."""
    done = getattr(message, "done", None)
    if isinstance(done, asyncio.Future):
        fail(done, error)
