"""What a run's machine wants done; `gateway/effects.py` has one function for each."""

from __future__ import annotations

from dataclasses import dataclass

from gateway.core.cancellation import InterruptReason
from gateway.core.events import Asked, CallReturned, CallStarted, End, Ended, Noted, StepDone


@dataclass(frozen=True, slots=True)
class Refuse:
    """Tell whoever sent the event that it is not taken; nothing is stored."""


@dataclass(frozen=True, slots=True)
class SaveStarted:
    """Journal the call as started and append its step's calls."""

    event: CallStarted


@dataclass(frozen=True, slots=True)
class SaveResult:
    """Journal the result and append it."""

    event: CallReturned


@dataclass(frozen=True, slots=True)
class SaveNote:
    """Journal a value of a call."""

    event: Noted


@dataclass(frozen=True, slots=True)
class SaveStep:
    """Store the checkpoint and the step's text."""

    event: StepDone


@dataclass(frozen=True, slots=True)
class SaveQuestions:
    """Store the questions, the pause and the prompts that are to be delivered."""

    event: Asked


@dataclass(frozen=True, slots=True)
class DeliverPrompts:
    """Ask: send every prompt of the run's open, unarmed questions."""


@dataclass(frozen=True, slots=True)
class FreeSlot:
    """Give the run's slot back and stop its clock."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Take a slot and go on in a new task with the decisions."""


@dataclass(frozen=True, slots=True)
class Start:
    """Take a slot and start the run's task anew."""


@dataclass(frozen=True, slots=True)
class Trip:
    """Trip the run's signal."""

    reason: InterruptReason


@dataclass(frozen=True, slots=True)
class CutOutput:
    """Reveal nothing more of the run's text."""


@dataclass(frozen=True, slots=True)
class StartGrace:
    """End the run after this time if it has not settled; a shorter one that runs stays."""

    grace_ms: int


@dataclass(frozen=True, slots=True)
class Abandon:
    """Declare the run's task dead: cancel what may be cancelled, take nothing more from it."""


@dataclass(frozen=True, slots=True)
class TellMayStillRun:
    """Tell the person which calls may still be running."""


@dataclass(frozen=True, slots=True)
class CloseQuestions:
    """Decide every open question of the run: declined or moved on."""

    moved_on: bool
    questions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Arm:
    """Start the question's time."""

    question: str


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Fold a prompt whose question is no longer open."""

    question: str


@dataclass(frozen=True, slots=True)
class StoreReply:
    """Keep the whole reply in the run's row until it has been delivered."""

    event: Ended


@dataclass(frozen=True, slots=True)
class AppendText:
    """Append a step's text as shown to its end."""

    step: int


@dataclass(frozen=True, slots=True)
class SaveShown:
    """Append what was shown of each step's text that has not settled, marked as cut."""


@dataclass(frozen=True, slots=True)
class ClosePartial:
    """Append what was stored as shown before the crash, marked."""


@dataclass(frozen=True, slots=True)
class SaveEnd:
    """Store the run's end, the results of calls that never started, its inputs' outcomes.

    `paused`: it ends out of a pause, so unstarted calls read "Not started".
    """

    end: End
    reason: InterruptReason | None = None
    error: str | None = None
    error_id: str | None = None
    paused: bool = False


Effect = (
    Refuse
    | SaveStarted
    | SaveResult
    | SaveNote
    | SaveStep
    | SaveQuestions
    | DeliverPrompts
    | FreeSlot
    | Resume
    | Start
    | Trip
    | CutOutput
    | StartGrace
    | Abandon
    | TellMayStillRun
    | CloseQuestions
    | Arm
    | Withdraw
    | StoreReply
    | AppendText
    | SaveShown
    | ClosePartial
    | SaveEnd
)
