"""The table under any order of events."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from gateway.core import events, run_effects
from gateway.core.cancellation import InterruptReason
from gateway.core.errors import IllegalEvent
from gateway.core.events import End, Event, Run, State
from gateway.core.run import step
from tests.core import building as a

steps = st.integers(1, 3)
texts = st.sampled_from(["", "Looking."])
ids = st.sampled_from(["q1", "q2", "gone"])
calls = st.sampled_from(["c1", "c2", "c3"])
reasons = st.sampled_from([r for r in InterruptReason if r is not InterruptReason.UNKNOWN])
anything = st.one_of(
    st.just(events.Launched()),
    st.just(events.Began()),
    st.builds(a.started, calls, step=steps, text=texts),
    st.builds(a.returned, calls, step=steps),
    st.builds(events.Noted, calls, st.just("key"), st.integers()),
    st.builds(a.step_done, steps, texts),
    st.sets(st.sampled_from(["q1", "q2"]), min_size=1).map(lambda some: a.asked(*sorted(some))),
    st.builds(
        a.ended,
        st.sampled_from(End),
        step=steps,
        text=texts,
        reason=reasons,
        all_shown=st.booleans(),
    ),
    st.builds(a.stop, reasons, st.sampled_from([0, 500, 8_000, 10_000])),
    st.just(events.GraceOver()),
    st.builds(events.PromptDelivered, ids),
    st.builds(events.Decided, ids),
    st.just(events.MovedOn()),
    st.builds(events.Settled, steps),
    st.builds(events.Recovered, st.integers(1, 3)),
)


class AnyOrder(RuleBasedStateMachine):
    """One run that is sent anything at any time."""

    @initialize(durable=st.booleans())
    def begin(self, durable: bool) -> None:
        self.run = Run("r1", durable=durable)
        self.ends: list[run_effects.SaveEnd] = []
        self.trips: list[InterruptReason] = []

    @rule(event=anything)
    def happens(self, event: Event) -> None:
        before = self.run
        try:
            self.run, effects = step(before, event)
        except IllegalEvent:
            assert self.run is before
            return
        self.ends += [e for e in effects if isinstance(e, run_effects.SaveEnd)]
        self.trips += [e.reason for e in effects if isinstance(e, run_effects.Trip)]
        self.check_starts(before, effects)
        self.check_refusal(before, effects)
        self.check_decisions(before, event, effects)
        if before.state is State.ENDED:
            assert self.run == before

    def check_starts(self, before: Run, effects: tuple[run_effects.Effect, ...]) -> None:
        if any(isinstance(e, run_effects.SaveStarted) for e in effects):
            assert before.state is State.RUNNING

    def check_refusal(self, before: Run, effects: tuple[run_effects.Effect, ...]) -> None:
        if run_effects.Refuse() in effects:
            assert effects == (run_effects.Refuse(),)
            assert self.run == before

    def check_decisions(
        self, before: Run, event: Event, effects: tuple[run_effects.Effect, ...]
    ) -> None:
        if isinstance(event, events.Decided) and run_effects.Refuse() not in effects:
            assert event.question in before.open
            assert event.question not in self.run.open
        arming = [e for e in effects if isinstance(e, run_effects.Arm)]
        assert all(e.question in before.open for e in arming)
        closing = [e for e in effects if isinstance(e, run_effects.CloseQuestions)]
        assert all(set(e.questions) == before.open for e in closing)

    @invariant()
    def ends_once(self) -> None:
        assert len(self.ends) == (self.run.state is State.ENDED)
        if self.ends:
            assert (self.ends[0].end, self.ends[0].reason) == (self.run.end, self.run.reason)
        else:
            assert self.run.end is None

    @invariant()
    def the_first_reason_stays(self) -> None:
        if self.run.state is State.STOPPING:
            assert self.run.reason == self.trips[-1]
        if self.run.state is State.ENDED and self.run.end is End.INTERRUPTED and self.trips:
            assert self.run.reason == self.trips[-1]

    @invariant()
    def it_trips_at_most_once(self) -> None:
        assert len(self.trips) <= 1

    @invariant()
    def asking_means_an_open_question_and_nothing_that_runs(self) -> None:
        if self.run.state is State.ASKING:
            assert self.run.open
            assert not self.run.has_task
            assert not self.run.running
        else:
            assert not self.run.open

    @invariant()
    def delivering_means_that_something_has_not_settled(self) -> None:
        if self.run.state is State.DELIVERING:
            assert self.run.unsettled
        if self.run.durable:
            assert not self.run.unsettled

    @invariant()
    def an_ended_run_holds_nothing(self) -> None:
        if self.run.state is State.ENDED:
            assert not self.run.running
            assert not self.run.open
            assert not self.run.unsettled
            assert not self.run.has_task


AnyOrder.TestCase.settings = settings(max_examples=400, stateful_step_count=30)
TestAnyOrder = AnyOrder.TestCase
