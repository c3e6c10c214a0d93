"""The rules behind the cells of `run.TABLE`: what an event does to a run in a state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from gateway.core.cancellation import InterruptReason
from gateway.core.events import (
    CRASH_LIMIT,
    Asked,
    CallReturned,
    CallStarted,
    Decided,
    End,
    Ended,
    Noted,
    PromptDelivered,
    Recovered,
    Run,
    Settled,
    State,
    StepDone,
    StopRequested,
)
from gateway.core.run_effects import (
    Abandon,
    AppendText,
    Arm,
    ClosePartial,
    CloseQuestions,
    CutOutput,
    DeliverPrompts,
    Effect,
    FreeSlot,
    Refuse,
    Resume,
    SaveEnd,
    SaveNote,
    SaveQuestions,
    SaveResult,
    SaveShown,
    SaveStarted,
    SaveStep,
    Start,
    StartGrace,
    StoreReply,
    TellMayStillRun,
    Trip,
    Withdraw,
)

Outcome = tuple[Run, tuple[Effect, ...]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A cell: the function, and the states it may lead to (for the diagram and its test)."""

    apply: Callable[[Run, object], Outcome]
    to: tuple[State, ...]


def refuse(run: Run, event: object) -> Outcome:
    """The event is answered with a refusal; nothing changes."""
    return run, (Refuse(),)


def stay(run: Run, event: object) -> Outcome:
    """The event means nothing here any more."""
    return run, ()


def launched(run: Run, event: object) -> Outcome:
    """The run has a task."""
    return replace(run, has_task=True), ()


def began(run: Run, event: object) -> Outcome:
    """The task goes to its first model call."""
    return replace(run, state=State.RUNNING), ()


def call_started(run: Run, event: object) -> Outcome:
    """A call is dispatched once this is stored."""
    assert isinstance(event, CallStarted)
    running = {**run.running, event.call.id: event.behavior}
    return replace(_say(run, event.step, event.text), running=running), (SaveStarted(event),)


def call_returned(run: Run, event: object) -> Outcome:
    """A call came back; also while stopping, so that what finished is kept."""
    assert isinstance(event, CallReturned)
    running = {k: v for k, v in run.running.items() if k != event.result.call_id}
    return replace(run, running=running), (SaveResult(event),)


def noted(run: Run, event: object) -> Outcome:
    """A value of a call is kept."""
    assert isinstance(event, Noted)
    return run, (SaveNote(event),)


def step_done(run: Run, event: object) -> Outcome:
    """The step is whole."""
    assert isinstance(event, StepDone)
    return _say(run, event.step, event.text), (SaveStep(event),)


def _say(run: Run, step: int, text: str) -> Run:
    """The step's text has to settle, however often it is told."""
    if not text or run.durable or step <= run.said:
        return run
    return replace(run, unsettled=run.unsettled | {step}, said=step)


def asked(run: Run, event: object) -> Outcome:
    """The task ended on its questions; the slot is free while people think."""
    assert isinstance(event, Asked)
    asking = replace(
        _say(run, event.step, event.text),
        state=State.ASKING,
        has_task=False,
        running={},
        open=frozenset(question.id for question in event.questions),
    )
    return asking, (SaveQuestions(event), FreeSlot(), DeliverPrompts())


def ended(run: Run, event: object) -> Outcome:
    """The task is done; a channel that is not durable still delivers."""
    assert isinstance(event, Ended)
    run = replace(run, has_task=False, running={})
    if event.end is End.COMPLETED:
        run = _say(run, event.step, event.text)
        if run.unsettled:
            return replace(run, state=State.DELIVERING), (StoreReply(event), FreeSlot())
        return _over(run, End.COMPLETED), (StoreReply(event), SaveEnd(End.COMPLETED), FreeSlot())
    return _over(run, event.end, event.reason), (
        CutOutput(),
        SaveShown(),
        SaveEnd(event.end, event.reason, event.error, event.error_id),
        FreeSlot(),
    )


def ended_while_stopping(run: Run, event: object) -> Outcome:
    """RACES 29: whole if all its text was shown, else interrupted; never failed."""
    assert isinstance(event, Ended)
    run = replace(run, has_task=False, running={})
    if event.end is End.COMPLETED and event.all_shown:
        whole = (StoreReply(event), SaveShown(), SaveEnd(End.COMPLETED), FreeSlot())
        return _over(run, End.COMPLETED), whole
    return _over(run, End.INTERRUPTED, run.reason), (
        SaveShown(),
        SaveEnd(End.INTERRUPTED, run.reason),
        FreeSlot(),
    )


def _over(run: Run, end: End, reason: InterruptReason | None = None) -> Run:
    return replace(
        run,
        state=State.ENDED,
        end=end,
        reason=reason,
        has_task=False,
        running={},
        open=frozenset(),
        unsettled=frozenset(),
    )


def stop_starting(run: Run, event: object) -> Outcome:
    """Without a task there is nothing to settle."""
    assert isinstance(event, StopRequested)
    if run.has_task:
        return stop_running(run, event)
    return _over(run, End.INTERRUPTED, event.reason), (
        SaveEnd(End.INTERRUPTED, event.reason),
        FreeSlot(),
    )


def stop_running(run: Run, event: object) -> Outcome:
    """The signal trips, nothing more is shown, the grace runs."""
    assert isinstance(event, StopRequested)
    stopping = replace(run, state=State.STOPPING, reason=event.reason)
    return stopping, (Trip(event.reason), CutOutput(), StartGrace(event.grace_ms))


def stop_again(run: Run, event: object) -> Outcome:
    """The first reason stays; a shorter grace holds."""
    assert isinstance(event, StopRequested)
    return run, (StartGrace(event.grace_ms),)


def stop_asking(run: Run, event: object) -> Outcome:
    """Nothing runs: the questions are closed, no signal is tripped."""
    assert isinstance(event, StopRequested)
    return _over(run, End.INTERRUPTED, event.reason), (
        CutOutput(),
        CloseQuestions(event.reason is InterruptReason.NOW_PRIORITY_INPUT, tuple(sorted(run.open))),
        SaveShown(),
        SaveEnd(End.INTERRUPTED, event.reason, paused=True),
    )


def stop_delivering(run: Run, event: object) -> Outcome:
    """The reply is cut where it was shown."""
    assert isinstance(event, StopRequested)
    return _over(run, End.INTERRUPTED, event.reason), (
        CutOutput(),
        SaveShown(),
        SaveEnd(End.INTERRUPTED, event.reason),
    )


def grace_over(run: Run, event: object) -> Outcome:
    """The run is abandoned."""
    return _over(run, End.INTERRUPTED, run.reason), (
        Abandon(),
        SaveShown(),
        SaveEnd(End.INTERRUPTED, run.reason),
        TellMayStillRun(),
        FreeSlot(),
    )


def delivered(run: Run, event: object) -> Outcome:
    """The first delivery arms; a prompt of a decided question folds."""
    assert isinstance(event, PromptDelivered)
    return run, ((Arm if event.question in run.open else Withdraw)(event.question),)


def withdraw(run: Run, event: object) -> Outcome:
    """A prompt that comes too late folds."""
    assert isinstance(event, PromptDelivered)
    return run, (Withdraw(event.question),)


def decided(run: Run, event: object) -> Outcome:
    """The last decision of a pause resumes the run."""
    assert isinstance(event, Decided)
    if event.question not in run.open:
        return run, (Refuse(),)
    left = run.open - {event.question}
    if left:
        return replace(run, open=left), ()
    return replace(run, open=left, state=State.STARTING), (Resume(),)


def moved_on(run: Run, event: object) -> Outcome:
    """The pause ends without a model call."""
    return _over(run, End.INTERRUPTED, InterruptReason.NOW_PRIORITY_INPUT), (
        CutOutput(),
        CloseQuestions(True, tuple(sorted(run.open))),
        SaveShown(),
        SaveEnd(End.INTERRUPTED, InterruptReason.NOW_PRIORITY_INPUT, paused=True),
    )


def settled(run: Run, event: object) -> Outcome:
    """A text was delivered to its end."""
    assert isinstance(event, Settled)
    if event.step not in run.unsettled:
        return run, ()
    return replace(run, unsettled=run.unsettled - {event.step}), (AppendText(event.step),)


def settled_delivering(run: Run, event: object) -> Outcome:
    """The last text delivered ends the run."""
    run, effects = settled(run, event)
    if run.unsettled:
        return run, effects
    return _over(run, End.COMPLETED), (*effects, SaveEnd(End.COMPLETED))


def recover_starting(run: Run, event: object) -> Outcome:
    """Its task had not begun: start anew, from its checkpoint where it has one.

    A resumed run may hold a text of the step that asked; no channel settles that any more.
    """
    assert isinstance(event, Recovered)
    if event.crashes >= CRASH_LIMIT:
        return _fail_after_crashes(run)
    return replace(run, has_task=False, unsettled=frozenset()), (ClosePartial(), Start())


def recover_running(run: Run, event: object) -> Outcome:
    """The partial is closed; the same run goes on from its last step."""
    assert isinstance(event, Recovered)
    if event.crashes >= CRASH_LIMIT:
        return _fail_after_crashes(run)
    fresh = replace(run, state=State.STARTING, has_task=False, running={}, unsettled=frozenset())
    return fresh, (ClosePartial(), Resume())


def _fail_after_crashes(run: Run) -> Outcome:
    return _over(run, End.FAILED), (ClosePartial(), SaveEnd(End.FAILED, error="CRASHED"))


def recover_stopping(run: Run, event: object) -> Outcome:
    """The stop is carried out."""
    return _over(run, End.INTERRUPTED, run.reason), (
        ClosePartial(),
        SaveEnd(End.INTERRUPTED, run.reason),
    )


def recover_asking(run: Run, event: object) -> Outcome:
    """Questions stand; prompts not delivered go out again."""
    recovered = replace(run, has_task=False, unsettled=frozenset())
    return recovered, (ClosePartial(), DeliverPrompts())


def recover_delivering(run: Run, event: object) -> Outcome:
    """The reply is whole in the row; its rest is delivered without a model call."""
    return _over(run, End.COMPLETED), (ClosePartial(), SaveEnd(End.COMPLETED))
