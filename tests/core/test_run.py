"""The table: what it lists, it does; what it doesn't list raises and changes nothing."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import get_args

import pytest

from gateway.core import events, run_effects
from gateway.core.cancellation import InterruptBehavior, InterruptReason
from gateway.core.errors import IllegalEvent
from gateway.core.events import End, Event, Run, State
from gateway.core.run import TABLE, step
from tests.core import building as a

EVENTS: tuple[type, ...] = get_args(Event)
RUNS = {
    State.STARTING: [
        Run("r1"),
        Run("r1", has_task=True),
        Run("r1", has_task=True, durable=False),
    ],
    State.RUNNING: [
        Run("r1", State.RUNNING, has_task=True),
        Run("r1", State.RUNNING, has_task=True, durable=False, unsettled=frozenset({1, 2})),
        Run(
            "r1",
            State.RUNNING,
            has_task=True,
            running={"c1": InterruptBehavior.COOPERATIVE},
        ),
    ],
    State.STOPPING: [
        Run("r1", State.STOPPING, has_task=True, reason=InterruptReason.USER_SIGINT),
    ],
    State.ASKING: [
        Run("r1", State.ASKING, open=frozenset({"q1"})),
        Run("r1", State.ASKING, open=frozenset({"q1", "q2"})),
    ],
    State.DELIVERING: [
        Run("r1", State.DELIVERING, durable=False, unsettled=frozenset({1})),
        Run("r1", State.DELIVERING, durable=False, unsettled=frozenset({1, 2})),
    ],
    State.ENDED: [Run("r1", State.ENDED, end=End.COMPLETED)],
}
SAMPLES: dict[type, list[Event]] = {
    events.Launched: [events.Launched()],
    events.Began: [events.Began()],
    events.CallStarted: [a.started(), a.started(text="Looking.")],
    events.CallReturned: [a.returned()],
    events.Noted: [events.Noted("c1", "paid", 7)],
    events.StepDone: [a.step_done(), a.step_done(text="Done.")],
    events.Asked: [a.asked("q1"), a.asked("q1", "q2", text="Before I go on.")],
    events.Ended: [
        a.ended(),
        a.ended(text="Here you are."),
        a.ended(text="Here you", all_shown=False),
        a.ended(End.FAILED, error="MODEL_AUTH", error_id="e1"),
        a.ended(End.INTERRUPTED, reason=InterruptReason.BUDGET_EXCEEDED),
    ],
    events.StopRequested: [a.stop(), a.stop(InterruptReason.NOW_PRIORITY_INPUT)],
    events.GraceOver: [events.GraceOver()],
    events.PromptDelivered: [events.PromptDelivered("q1"), events.PromptDelivered("gone")],
    events.Decided: [events.Decided("q1"), events.Decided("gone")],
    events.MovedOn: [events.MovedOn()],
    events.Settled: [events.Settled(1), events.Settled(9)],
    events.Recovered: [events.Recovered(1), events.Recovered(3)],
}


def names(effects: tuple[run_effects.Effect, ...]) -> list[str]:
    return [type(effect).__name__ for effect in effects]


def test_every_event_and_state_has_a_sample():
    assert set(SAMPLES) == set(EVENTS)
    assert set(RUNS) == set(State)


@pytest.mark.parametrize(("state", "kind"), [*product(State, EVENTS)])
def test_a_pair_is_in_the_table_and_goes_where_it_says_or_is_refused(state, kind):
    rule = TABLE.get((state, kind))
    for run, event in product(RUNS[state], SAMPLES[kind]):
        before = replace(run)
        if rule is None:
            with pytest.raises(IllegalEvent) as raised:
                step(run, event)
            assert raised.value.code == "ILLEGAL_EVENT"
        else:
            after, effects = step(run, event)
            assert after.state in rule.to
            assert after.id == run.id
            assert all(isinstance(e, run_effects.Effect) for e in effects)
        assert run == before


@pytest.mark.parametrize(("cell", "rule"), [*TABLE.items()])
def test_every_state_that_a_cell_declares_is_reached(cell, rule):
    state, kind = cell
    reached = {step(run, event)[0].state for run, event in product(RUNS[state], SAMPLES[kind])}
    assert reached == set(rule.to)


def test_ended_takes_nothing_back():
    for kind in EVENTS:
        rule = TABLE.get((State.ENDED, kind))
        assert rule is None or rule.to == (State.ENDED,)


@pytest.mark.parametrize("state", [State.STARTING, State.STOPPING, State.ASKING, State.DELIVERING])
def test_only_a_running_run_starts_calls(state):
    for run in RUNS[state]:
        if (state, events.CallStarted) in TABLE:
            after, effects = step(run, a.started())
            assert (after, names(effects)) == (run, ["Refuse"])
        else:
            with pytest.raises(IllegalEvent):
                step(run, a.started())


@pytest.mark.parametrize("state", State)
def test_a_question_asked_while_stopping_or_after_the_end_is_refused(state):
    if state not in (State.STOPPING, State.ENDED):
        return
    for run in RUNS[state]:
        assert step(run, a.asked("q1")) == (run, (run_effects.Refuse(),))


def test_a_step_offers_what_waits_only_once_it_is_stored():
    run = Run("r1", State.RUNNING, has_task=True)
    done = a.step_done(2, "Found three.")
    assert step(run, done) == (run, (run_effects.SaveStep(done),))


def test_asking_frees_the_slot_after_the_questions_are_stored():
    run = Run("r1", State.RUNNING, has_task=True)
    asking, effects = step(run, a.asked("q1", "q2"))
    assert names(effects) == ["SaveQuestions", "FreeSlot", "DeliverPrompts"]
    assert asking.open == {"q1", "q2"}
    assert not asking.has_task


def test_the_last_decision_of_a_pause_resumes():
    run = Run("r1", State.ASKING, open=frozenset({"q1", "q2"}))
    run, effects = step(run, events.Decided("q1"))
    assert (run.state, effects) == (State.ASKING, ())
    run, effects = step(run, events.Decided("q1"))
    assert names(effects) == ["Refuse"]
    run, effects = step(run, events.Decided("q2"))
    assert (run.state, names(effects)) == (State.STARTING, ["Resume"])


def test_a_stop_while_asked_trips_nothing():
    run = Run("r1", State.ASKING, open=frozenset({"q1"}))
    run, effects = step(run, a.stop())
    assert names(effects) == ["CutOutput", "CloseQuestions", "SaveShown", "SaveEnd"]
    assert effects[1] == run_effects.CloseQuestions(False, ("q1",))
    assert effects[-1] == run_effects.SaveEnd(
        End.INTERRUPTED, InterruptReason.USER_SIGINT, paused=True
    )
    assert (run.end, run.reason) == (End.INTERRUPTED, InterruptReason.USER_SIGINT)


def test_moving_on_ends_the_pause_as_a_now():
    run = Run("r1", State.ASKING, open=frozenset({"q1"}))
    run, effects = step(run, events.MovedOn())
    assert run_effects.CloseQuestions(True, ("q1",)) in effects
    assert run.reason is InterruptReason.NOW_PRIORITY_INPUT
    assert "Trip" not in names(effects)


def test_the_first_reason_wins_and_a_second_stop_only_offers_its_grace():
    run = Run("r1", State.RUNNING, has_task=True)
    run, effects = step(run, a.stop(InterruptReason.NOW_PRIORITY_INPUT, 10_000))
    assert names(effects) == ["Trip", "CutOutput", "StartGrace"]
    run, effects = step(run, a.stop(InterruptReason.USER_SIGINT, 500))
    assert effects == (run_effects.StartGrace(500),)
    run, effects = step(run, a.ended(End.INTERRUPTED, reason=InterruptReason.SYSTEM_SHUTDOWN))
    assert run.reason is InterruptReason.NOW_PRIORITY_INPUT
    assert run_effects.SaveEnd(End.INTERRUPTED, InterruptReason.NOW_PRIORITY_INPUT) in effects


@pytest.mark.parametrize(
    ("event", "end"),
    [
        (a.ended(text="All of it."), End.COMPLETED),
        (a.ended(text="All of it.", all_shown=False), End.INTERRUPTED),
        (a.ended(End.FAILED, error="MODEL_AUTH"), End.INTERRUPTED),
        (a.ended(End.INTERRUPTED), End.INTERRUPTED),
    ],
)
def test_how_a_run_ends_that_was_being_stopped(event, end):
    """RACES 29."""
    run = RUNS[State.STOPPING][0]
    after, effects = step(run, event)
    assert after.end is end
    saved = [effect for effect in effects if isinstance(effect, run_effects.SaveEnd)]
    assert [effect.end for effect in saved] == [end]


def test_a_result_that_comes_while_stopping_is_kept():
    run = replace(RUNS[State.STOPPING][0], running={"c1": InterruptBehavior.NON_INTERRUPTIBLE})
    after, effects = step(run, a.returned("c1"))
    assert names(effects) == ["SaveResult"]
    assert after.running == {}


def test_after_its_grace_a_run_is_abandoned_and_the_person_told():
    after, effects = step(RUNS[State.STOPPING][0], events.GraceOver())
    assert names(effects) == ["Abandon", "SaveShown", "SaveEnd", "TellMayStillRun", "FreeSlot"]
    assert after.end is End.INTERRUPTED


def test_a_reply_that_is_still_spoken_ends_the_run_when_it_settles():
    """RACES 13."""
    run = Run("r1", State.RUNNING, has_task=True, durable=False)
    run, _ = step(run, a.started(step=1, text="One moment."))
    run, effects = step(run, a.ended(step=2, text="Here it is."))
    assert (run.state, names(effects)) == (State.DELIVERING, ["StoreReply", "FreeSlot"])
    run, effects = step(run, events.Settled(1))
    assert (run.state, effects) == (State.DELIVERING, (run_effects.AppendText(1),))
    run, effects = step(run, events.Settled(2))
    assert effects == (run_effects.AppendText(2), run_effects.SaveEnd(End.COMPLETED))
    assert run.end is End.COMPLETED


def test_a_durable_channel_has_nothing_to_wait_for():
    run = Run("r1", State.RUNNING, has_task=True)
    run, effects = step(run, a.ended(text="Here it is."))
    assert (run.state, names(effects)) == (State.ENDED, ["StoreReply", "SaveEnd", "FreeSlot"])


@pytest.mark.parametrize(
    ("state", "crashes", "after", "effects"),
    [
        (State.STARTING, 2, State.STARTING, ["ClosePartial", "Start"]),
        (State.STARTING, 3, State.ENDED, ["ClosePartial", "SaveEnd"]),
        (State.RUNNING, 2, State.STARTING, ["ClosePartial", "Resume"]),
        (State.RUNNING, 3, State.ENDED, ["ClosePartial", "SaveEnd"]),
        (State.STOPPING, 1, State.ENDED, ["ClosePartial", "SaveEnd"]),
        (State.ASKING, 3, State.ASKING, ["ClosePartial", "DeliverPrompts"]),
        (State.DELIVERING, 3, State.ENDED, ["ClosePartial", "SaveEnd"]),
    ],
)
def test_what_a_restart_makes_of_a_run(state, crashes, after, effects):
    """RACES 24: an asking run is not in flight; a third crash in a row ends one that is."""
    run, done = step(RUNS[state][0], events.Recovered(crashes))
    assert (run.state, names(done)) == (after, effects)
    assert not run.has_task


def test_a_run_that_was_just_resumed_waits_for_no_text_of_before_the_crash():
    run = Run("r1", State.RUNNING, has_task=True, durable=False)
    run, _ = step(run, a.asked("q1", text="Two things first."))
    run, _ = step(run, events.Decided("q1"))
    run, _ = step(run, events.Recovered(1))
    for event in (events.Launched(), events.Began(), a.ended(step=2)):
        run, _ = step(run, event)
    assert run.end is End.COMPLETED


@pytest.mark.parametrize(
    ("state", "question", "effect"),
    [(state, "q1", "Withdraw") for state in State if state is not State.ASKING]
    + [(State.ASKING, "q1", "Arm"), (State.ASKING, "gone", "Withdraw")],
)
def test_only_an_open_question_is_armed_by_its_delivery(state, question, effect):
    _, effects = step(RUNS[state][0], events.PromptDelivered(question))
    assert names(effects) == [effect]
