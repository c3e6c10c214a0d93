"""One side that people are on, and what it is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, TypeAlias, runtime_checkable

from gateway.core.interrupts import Interrupt
from gateway.core.messages import Json
from gateway.ports.rows import PromptRow


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a channel can do. `durable`: once handed over, a text counts as delivered."""

    buttons: bool = True
    reply_to: bool = False
    edit: bool = True
    voice: bool = False
    durable: bool = True


@dataclass(frozen=True, slots=True)
class TextRef:
    """Which text: one step of one run."""

    thread: str
    run: str
    step: int


@dataclass(frozen=True, slots=True)
class Shown:
    """What a person has seen or heard of a step's text; times in milliseconds on a call."""

    text: str
    heard_ms: int | None = None
    total_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question to be shown to one person; `form` says what an answer looks like. `again` is None
    the first time, then what was wrong with an answer ("" where the person asked for it again).
    """

    row: PromptRow
    question: Interrupt
    form: str
    language: str
    again: str | None = None


class Delivery(StrEnum):
    """What became of a prompt's sending. NOBODY: no client is there, it waits."""

    CONFIRMED = "confirmed"
    FAILED = "failed"
    UNKNOWN = "unknown"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Sent:
    """A delivery with where it can be found: a message id and the first sequence that shows it."""

    delivery: Delivery
    message_ref: str = ""
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell: a `code` with parameters, put into words by the channel in `language`.

    `to` is the person it is for, "" everybody on the thread.
    """

    thread: str
    code: str
    params: Mapping[str, Json] = field(default_factory=dict)
    to: str = ""
    language: str = "en"
    input_seq: int | None = None
    run: str | None = None


@dataclass(frozen=True, slots=True)
class Update:
    """A change that a view draws: what it is, and its data (camelCase, JSON)."""

    thread: str
    type: str
    data: Mapping[str, Json]


class Channel(Protocol):
    """One side that people are on. Nothing here waits for a person."""

    name: str
    capabilities: Capabilities

    def show(self, ref: TextRef, text: str, final: bool) -> None:
        """The step's text so far. Latest wins; `final` once no more will come."""

    def shown(self, ref: TextRef) -> Shown:
        """What is known to have been shown of it, never what was only handed over."""

    def cut(self, ref: TextRef) -> Shown:
        """Reveal nothing more from now on; what was shown."""

    def close(self, ref: TextRef, text: str, reason: str | None) -> None:
        """The entry that was saved: the text as it stays, and why it was cut (None: it was not)."""

    async def ask(self, prompt: Prompt) -> Sent:
        """Show a question; returns when the delivery is known, at the latest after 10 s."""

    def withdraw(self, prompt: PromptRow, question: Interrupt) -> None:
        """Fold the prompt to its outcome."""

    def tell(self, notice: Notice) -> None:
        """Tell something."""

    def update(self, update: Update) -> None:
        """Draw a change. A channel without a view ignores it."""


@runtime_checkable
class Piecewise(Protocol):
    """A channel that also takes what a text goes on with, rather than all of it each time."""

    def words(self, ref: TextRef) -> Callable[[str], None]:
        """What takes the rest of a text whose first part was shown; `show` may still come after."""


Settle: TypeAlias = Callable[[TextRef], None]
"""How a channel that is not durable reports that a text was shown or heard to its end."""
