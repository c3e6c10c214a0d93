"""What becomes of an input: the matrix of DESIGN 5, and what no cell of it may do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.core.events import State
from gateway.core.lineup import Waiting, in_order, next_inputs
from gateway.core.queueing import (
    AskedOf,
    InputFacts,
    Mode,
    Priority,
    Reading,
    Ruling,
    RunView,
    Verdict,
    decide_input,
)

NOW, NEXT, LATER = Priority.NOW, Priority.NEXT, Priority.LATER
MINE = RunView("r1", State.RUNNING, mine=True)
OTHERS = RunView("r9", State.RUNNING, mine=False)
ASKING = RunView("r1", State.ASKING, mine=True)
JOIN = Ruling(Verdict.JOIN, NEXT, "r1")
WAIT = Ruling(Verdict.WAIT, NEXT)
LAST = Ruling(Verdict.WAIT, LATER)
NEXT_IN_LINE = Ruling(Verdict.WAIT, NOW)
STOP = Ruling(Verdict.STOP_AND_START, NOW, "r1")
ROLL_BACK = Ruling(Verdict.ROLL_BACK_AND_START, NOW, "r1")
COLLECT = Ruling(Verdict.COLLECT, NEXT)
BESIDE = Ruling(Verdict.BESIDE, NEXT)
BUSY = Ruling(Verdict.BUSY, NEXT)
MOVE_ON = Ruling(Verdict.MOVE_ON, NOW, "r1")

OWN_RUN = {
    # mode: none, NOW, NEXT, LATER
    Mode.STEER: (JOIN, STOP, JOIN, LAST),
    Mode.ENQUEUE: (WAIT, STOP, WAIT, LAST),
    Mode.COLLECT: (COLLECT, STOP, COLLECT, LAST),
    Mode.INTERRUPT: (STOP, STOP, WAIT, LAST),
    Mode.ROLLBACK: (ROLL_BACK, ROLL_BACK, WAIT, LAST),
    Mode.REJECT: (BUSY, STOP, BUSY, BUSY),
    Mode.PARALLEL: (BESIDE, STOP, BESIDE, LAST),
}
OTHERS_RUN = {
    Mode.STEER: (WAIT, WAIT, WAIT, LAST),
    Mode.ENQUEUE: (WAIT, WAIT, WAIT, LAST),
    Mode.COLLECT: (COLLECT, COLLECT, COLLECT, LAST),
    Mode.INTERRUPT: (WAIT, WAIT, WAIT, LAST),
    Mode.ROLLBACK: (WAIT, WAIT, WAIT, LAST),
    Mode.REJECT: (BUSY, BUSY, BUSY, BUSY),
    Mode.PARALLEL: (BESIDE, BESIDE, BESIDE, LAST),
}
OVERRIDES = (None, NOW, NEXT, LATER)


def rows(matrix: Mapping[Mode, tuple[Ruling, ...]]) -> list[tuple[Mode, Priority | None, Ruling]]:
    return [
        (mode, override, verdict)
        for mode, verdicts in matrix.items()
        for override, verdict in zip(OVERRIDES, verdicts, strict=True)
    ]


@pytest.mark.parametrize(("mode", "override", "expected"), rows(OWN_RUN))
def test_what_would_stop_ones_run_stops_only_the_child_that_it_names(mode, override, expected):
    child = Ruling(Verdict.STOP_CHILD, NEXT, "r1")
    facts = InputFacts(mode, override, (MINE,), addressed="r1", to_child=True)
    assert decide_input(facts) == (child if expected in (STOP, ROLL_BACK) else expected)


@pytest.mark.parametrize("mode", Mode)
def test_a_child_of_a_run_that_is_being_stopped_is_stopped_with_it(mode):
    stopping = RunView("r1", State.STOPPING, True)
    facts = InputFacts(mode, NOW, (stopping,), addressed="r1", to_child=True)
    assert decide_input(facts) == WAIT


@pytest.mark.parametrize(("mode", "override", "expected"), rows(OWN_RUN))
def test_while_ones_own_run_is_on(mode, override, expected):
    assert decide_input(InputFacts(mode, override, (MINE,))) == expected


@pytest.mark.parametrize(("mode", "override", "expected"), rows(OTHERS_RUN))
def test_while_another_persons_run_is_on(mode, override, expected):
    assert decide_input(InputFacts(mode, override, (OTHERS,))) == expected


@pytest.mark.parametrize(("mode", "override", "expected"), rows(OWN_RUN))
@pytest.mark.parametrize("state", [State.STOPPING, State.DELIVERING])
def test_while_ones_own_run_is_at_its_end(mode, override, expected, state):
    """What would join waits, what would stop is next in line (RACES 6, 7)."""
    at_its_end = {JOIN: WAIT, STOP: NEXT_IN_LINE, ROLL_BACK: NEXT_IN_LINE}
    facts = InputFacts(mode, override, (replace(MINE, state=state),))
    assert decide_input(facts) == at_its_end.get(expected, expected)


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("override", OVERRIDES)
def test_on_an_idle_thread_every_input_starts_by_its_priority(mode, override):
    facts = InputFacts(mode, override)
    assert decide_input(facts) == Ruling(Verdict.WAIT, NEXT if override is None else override)


@pytest.mark.parametrize(("mode", "expected"), [(Mode.STEER, STOP), (Mode.ROLLBACK, ROLL_BACK)])
def test_a_stop_word_with_text_is_a_now(mode, expected):
    assert decide_input(InputFacts(mode, runs=(MINE,), now_text=True)) == expected


def test_rollback_does_not_undo_a_run_that_was_resumed():
    facts = InputFacts(Mode.ROLLBACK, runs=(replace(MINE, kept=True),))
    assert decide_input(facts) == STOP


@pytest.mark.parametrize("mode", [Mode.STEER, Mode.ENQUEUE, Mode.ROLLBACK])
def test_a_now_addressed_to_a_run_that_ended_is_a_next(mode):
    facts = InputFacts(mode, NOW, (MINE,), addressed_ended=True)
    assert decide_input(facts) == decide_input(InputFacts(mode, NEXT, (MINE,)))


def test_in_parallel_a_now_stops_the_newest_of_ones_own():
    runs = (MINE, RunView("r2", State.RUNNING, mine=True), OTHERS)
    assert decide_input(InputFacts(Mode.PARALLEL, NOW, runs)).run == "r2"


# -- a question is open ----------------------------------------------------------------------------

READINGS = [
    (Reading.VALUE, Verdict.DECIDE),
    (Reading.FITS_TWO, Verdict.ASK_WHICH),
    (Reading.SKIP, Verdict.SKIP),
    (Reading.DECLINE, Verdict.DECLINE),
    (Reading.REPEAT, Verdict.REPEAT),
    (Reading.HELP, Verdict.HELP),
    (Reading.HOLD_WORD, Verdict.NOTHING),
    (Reading.UNCLEAR, Verdict.ASK_AGAIN),
]


@pytest.mark.parametrize(("reading", "verdict"), READINGS)
@pytest.mark.parametrize("mode", Mode)
def test_what_is_said_to_ones_open_question(mode, reading, verdict):
    facts = InputFacts(mode, runs=(ASKING,), asked=AskedOf.MINE, reading=reading)
    assert decide_input(facts) == Ruling(verdict, NEXT, "r1")


@pytest.mark.parametrize("mode", Mode)
def test_the_last_unclear_answer_releases_the_question(mode):
    facts = InputFacts(
        mode, runs=(ASKING,), asked=AskedOf.MINE, reading=Reading.UNCLEAR, last_try=True
    )
    assert decide_input(facts) == MOVE_ON


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize(
    "facts",
    [
        InputFacts(Mode.STEER, reading=Reading.SENTENCE),
        InputFacts(Mode.STEER, reading=Reading.NOW_TEXT),
        InputFacts(Mode.STEER, NOW, reading=Reading.VALUE),
        InputFacts(Mode.STEER, now_text=True, reading=Reading.NOW_TEXT),
    ],
)
def test_what_is_no_answer_moves_on_or_runs_beside(mode, facts):
    """RACES 8, 21."""
    facts = replace(facts, mode=mode, runs=(ASKING,), asked=AskedOf.MINE)
    assert decide_input(facts) == (BESIDE if mode is Mode.PARALLEL else MOVE_ON)


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("asked", [AskedOf.MINE, AskedOf.UNARMED, AskedOf.UNSEEN, AskedOf.OTHERS])
@pytest.mark.parametrize("override", [NEXT, LATER])
def test_next_and_later_leave_the_question_alone(mode, asked, override):
    facts = InputFacts(mode, override, (ASKING,), asked, Reading.VALUE)
    assert decide_input(facts) == (BUSY if mode is Mode.REJECT else Ruling(Verdict.WAIT, override))


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("reading", Reading)
def test_text_is_held_until_it_is_known_that_the_question_arrived(mode, reading):
    """RACES 17; a now is never an answer, so nothing is to be waited for."""
    facts = InputFacts(mode, runs=(ASKING,), asked=AskedOf.UNARMED, reading=reading)
    assert decide_input(facts) == Ruling(Verdict.HOLD)


@pytest.mark.parametrize("asked", [AskedOf.UNARMED, AskedOf.UNSEEN])
@pytest.mark.parametrize("mode", Mode)
def test_a_now_closes_a_question_that_was_not_seen_and_in_parallel_runs_beside_it(mode, asked):
    facts = InputFacts(mode, NOW, (ASKING,), asked)
    assert decide_input(facts) == (BESIDE if mode is Mode.PARALLEL else MOVE_ON)


@pytest.mark.parametrize("reading", Reading)
@pytest.mark.parametrize("mode", Mode)
def test_whoever_can_not_have_seen_the_question_gives_an_input_by_mode(mode, reading):
    """RACES 16."""
    facts = InputFacts(mode, runs=(ASKING,), asked=AskedOf.UNSEEN, reading=reading)
    assert decide_input(facts) == decide_input(InputFacts(mode, runs=(ASKING,)))


@pytest.mark.parametrize("reading", Reading)
@pytest.mark.parametrize("mode", Mode)
def test_while_an_approver_is_asked_ones_own_messages_wait(mode, reading):
    if reading is Reading.NOW_TEXT:
        return
    facts = InputFacts(mode, runs=(ASKING,), asked=AskedOf.OTHERS, reading=reading)
    waits = {Mode.REJECT: BUSY, Mode.PARALLEL: BESIDE}
    assert decide_input(facts) == waits.get(mode, WAIT)


@pytest.mark.parametrize("mode", Mode)
def test_ones_own_now_closes_the_question_an_approver_was_asked(mode):
    facts = InputFacts(mode, NOW, (ASKING,), AskedOf.OTHERS)
    assert decide_input(facts) == MOVE_ON


@pytest.mark.parametrize("reading", [Reading.SENTENCE, Reading.UNCLEAR, Reading.NOW_TEXT])
def test_an_approver_who_says_something_else_moves_nothing_on(reading):
    """DESIGN 7: it is input of their own thread; the run that asks is not theirs."""
    facts = InputFacts(Mode.ENQUEUE, runs=(), asked=AskedOf.MINE, reading=reading, last_try=True)
    assert decide_input(facts) == WAIT


def test_an_approver_is_asked_again_after_an_unclear_answer():
    facts = InputFacts(Mode.ENQUEUE, asked=AskedOf.MINE, reading=Reading.UNCLEAR)
    assert decide_input(facts).verdict is Verdict.ASK_AGAIN


@pytest.mark.parametrize("mode", Mode)
def test_another_persons_now_closes_no_question(mode):
    asking = replace(OTHERS, state=State.ASKING)
    facts = InputFacts(mode, NOW, (asking,), AskedOf.OTHERS)
    assert decide_input(facts) == decide_input(InputFacts(mode, NOW, (asking,)))


# -- after a decision (RACES 26) -------------------------------------------------------------------


@pytest.mark.parametrize("mode", Mode)
def test_a_no_right_after_the_decision_stops(mode):
    facts = InputFacts(mode, runs=(MINE,), recent=Reading.DECLINE)
    assert decide_input(facts) == Ruling(Verdict.STOP_ONLY, NEXT, "r1")


@pytest.mark.parametrize("mode", Mode)
def test_another_value_right_after_the_decision_is_a_now(mode):
    resumed = replace(MINE, kept=True)
    facts = InputFacts(mode, runs=(resumed,), recent=Reading.VALUE)
    assert decide_input(facts) == STOP


@pytest.mark.parametrize("state", [State.STOPPING, State.DELIVERING])
def test_a_correction_of_a_run_at_its_end_is_next_in_line(state):
    facts = InputFacts(Mode.STEER, runs=(replace(MINE, state=state),), recent=Reading.VALUE)
    assert decide_input(facts) == NEXT_IN_LINE


@pytest.mark.parametrize("override", [NEXT, LATER])
@pytest.mark.parametrize("recent", [Reading.VALUE, Reading.DECLINE])
def test_whoever_says_next_or_later_corrects_nothing(override, recent):
    facts = InputFacts(Mode.ENQUEUE, override, (MINE,), recent=recent)
    assert decide_input(facts) == Ruling(Verdict.WAIT, override)


def test_after_the_run_ended_there_is_nothing_to_correct():
    assert decide_input(InputFacts(Mode.STEER, recent=Reading.DECLINE)) == WAIT


# -- what no facts may lead to ---------------------------------------------------------------------

views = st.builds(
    RunView,
    st.sampled_from(["r1", "r2", "r3"]),
    st.sampled_from([state for state in State if state is not State.ENDED]),
    mine=st.booleans(),
    kept=st.booleans(),
)
any_facts = st.builds(
    InputFacts,
    st.sampled_from(Mode),
    st.sampled_from(OVERRIDES),
    st.lists(views, max_size=3, unique_by=lambda view: view.id).map(tuple),
    st.sampled_from(AskedOf),
    st.sampled_from(Reading),
    st.booleans(),
    st.booleans(),
    st.sampled_from([None, Reading.VALUE, Reading.DECLINE]),
    st.booleans(),
)
ACTS_ON_A_RUN = (
    Verdict.JOIN,
    Verdict.STOP_AND_START,
    Verdict.ROLL_BACK_AND_START,
    Verdict.STOP_ONLY,
    Verdict.MOVE_ON,
)


@given(any_facts)
def test_nobody_touches_another_persons_run(facts):
    decided = decide_input(facts)
    mine = {run.id for run in facts.runs if run.mine}
    assert decided.run is None or decided.run in mine
    if decided.verdict in ACTS_ON_A_RUN:
        assert decided.run in mine


@given(any_facts)
def test_in_reject_nothing_waits_but_a_now_for_ones_own_run_at_its_end(facts):
    facts = replace(facts, mode=Mode.REJECT)
    decided = decide_input(facts)
    if facts.runs and decided.verdict in (Verdict.WAIT, Verdict.COLLECT, Verdict.JOIN):
        assert decided.priority is NOW
        assert any(run.mine for run in facts.runs)


@given(any_facts)
def test_only_a_value_to_a_question_that_is_open_and_seen_decides(facts):
    if decide_input(facts).verdict is Verdict.DECIDE:
        assert facts.reading is Reading.VALUE
        assert facts.asked is AskedOf.MINE
        assert facts.override is None
        assert not facts.now_text


@given(any_facts)
def test_only_a_now_or_a_mode_that_stops_stops(facts):
    decided = decide_input(facts)
    if decided.verdict in (Verdict.STOP_AND_START, Verdict.ROLL_BACK_AND_START):
        assert facts.override not in (NEXT, LATER)
        wanted = facts.override is NOW or facts.now_text or facts.recent is not None
        assert wanted or facts.mode in (Mode.INTERRUPT, Mode.ROLLBACK)


@given(any_facts)
def test_later_never_joins_stops_or_answers(facts):
    decided = decide_input(replace(facts, override=LATER))
    assert decided in (LAST, BUSY)


@given(any_facts)
def test_a_run_is_joined_only_while_it_still_calls_its_model(facts):
    decided = decide_input(facts)
    if decided.verdict is Verdict.JOIN:
        joined = next(run for run in facts.runs if run.id == decided.run)
        assert joined.state in (State.STARTING, State.RUNNING)
        assert facts.mode is Mode.STEER


# -- what starts next ------------------------------------------------------------------------------

waiting = st.lists(
    st.builds(
        Waiting,
        st.integers(1, 50),
        st.sampled_from(Priority),
        st.sampled_from(["ann", "bob"]),
        st.booleans(),
    ),
    max_size=8,
    unique_by=lambda item: item.seq,
)


def seqs(items: tuple[Waiting, ...] | list[Waiting]) -> list[int]:
    return [item.seq for item in items]


def test_now_then_next_then_later_each_in_order():
    """Row 21."""
    queue = [
        Waiting(1, LATER, "ann"),
        Waiting(2, NEXT, "ann"),
        Waiting(3, NOW, "ann"),
        Waiting(4, NEXT, "ann"),
    ]
    delivered = []
    while started := next_inputs(queue):
        delivered.append(seqs(started))
        queue = [item for item in queue if item not in started]
    assert delivered == [[3], [2], [4], [1]]


def test_one_persons_nows_start_one_run():
    """RACES 6."""
    queue = [
        Waiting(1, NEXT, "ann"),
        Waiting(2, NOW, "ann"),
        Waiting(3, NOW, "bob"),
        Waiting(4, NOW, "ann"),
    ]
    assert seqs(next_inputs(queue)) == [2, 4]


def test_what_is_collected_is_one_run_of_all_its_senders():
    queue = [Waiting(n, NEXT, who, collect=True) for n, who in [(1, "ann"), (2, "bob")]]
    assert seqs(next_inputs(queue)) == [1, 2]


def test_a_collection_overtakes_nothing_and_takes_no_later():
    queue = [
        Waiting(1, NEXT, "ann", collect=True),
        Waiting(2, NEXT, "ann"),
        Waiting(3, NEXT, "ann", collect=True),
    ]
    assert seqs(next_inputs(queue)) == [1]
    queue = [Waiting(1, NEXT, "ann", collect=True), Waiting(2, LATER, "ann", collect=True)]
    assert seqs(next_inputs(queue)) == [1]


def test_nothing_waits_nothing_starts():
    assert next_inputs([]) == ()


@given(waiting)
def test_what_starts_is_the_front_of_the_queue(queue):
    started = next_inputs(queue)
    assert bool(started) == bool(queue)
    if not started:
        return
    assert started[0] == in_order(queue)[0]
    assert len({item.priority for item in started}) == 1
    assert seqs(started) == sorted(seqs(started))
    rest = [item for item in queue if item not in started]
    overtaken = [item for item in rest if item.priority < started[0].priority]
    assert not overtaken


@given(waiting)
def test_everything_that_waits_starts_once(queue):
    delivered: list[Waiting] = []
    rest = list(queue)
    while started := next_inputs(rest):
        delivered += started
        rest = [item for item in rest if item not in started]
    assert sorted(seqs(delivered)) == sorted(seqs(queue))
    for priority in Priority:
        for person in ("ann", "bob"):
            mine = [i.seq for i in delivered if (i.priority, i.principal) == (priority, person)]
            assert mine == sorted(mine)


def test_a_burst_is_merged_with_its_own_senders_only():
    queue = [Waiting(n, NEXT, who, True, True) for n, who in enumerate(("ann", "bob", "ann"))]
    assert seqs(next_inputs(queue)) == [0, 2]
    collected = [Waiting(n, NEXT, who, True) for n, who in enumerate(("ann", "bob", "ann"))]
    assert seqs(next_inputs(collected)) == [0, 1, 2]
