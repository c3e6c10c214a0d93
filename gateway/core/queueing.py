"""What becomes of an input: modes, priorities, and `decide_input`, before the table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from gateway.core.events import State


class Priority(IntEnum):
    """How urgent an input is; NOW stops and runs, NEXT joins or waits, LATER comes last."""

    NOW = 0
    NEXT = 1
    LATER = 2


class Mode(StrEnum):
    """What a message does while a run occupies the thread (`queue_mode`)."""

    STEER = "steer"
    ENQUEUE = "enqueue"
    COLLECT = "collect"
    INTERRUPT = "interrupt"
    ROLLBACK = "rollback"
    REJECT = "reject"
    PARALLEL = "parallel"


class Drop(StrEnum):
    """What gives way when a person's queue on a thread is full."""

    REJECT_NEWEST = "reject_newest"
    DROP_OLDEST = "drop_oldest"
    SUMMARIZE = "summarize"


class Reading(StrEnum):
    """How an input reads against the question that is open to its sender."""

    VALUE = "value"
    FITS_TWO = "fits_two"
    SKIP = "skip"
    DECLINE = "decline"
    REPEAT = "repeat"
    HELP = "help"
    UNCLEAR = "unclear"
    SENTENCE = "sentence"
    NOW_TEXT = "now_text"
    HOLD_WORD = "hold_word"


class AskedOf(StrEnum):
    """Of whom the question is asked that stands between this input and its run; of the sender, also
    whether it was delivered, and whether they could have seen it.
    """

    NONE = "none"
    MINE = "mine"
    UNARMED = "unarmed"
    UNSEEN = "unseen"
    OTHERS = "others"


@dataclass(frozen=True, slots=True)
class RunView:
    """A run that occupies the thread, as the sender stands to it; in order of start. A `spoken`
    reply is heard as it is played, so that its delivery can still be cut. One that is `kept` is not
    rolled back: it was resumed, or its branch or the sender's was named.
    """

    id: str
    state: State
    mine: bool
    kept: bool = False
    spoken: bool = False


@dataclass(frozen=True, slots=True)
class InputFacts:
    """Everything that `decide_input` looks at.

    `override` is the sender's own wish (`/now`, `/next`, `/later`, the switch), None by the mode.
    `recent` is how it reads against a decision of the last 10 s whose run, `recent_run`, is still
    on (RACES 26): VALUE another value, DECLINE a no; None otherwise. `addressed`: the run it names,
    or with `to_child` the one whose child run it names; `asked_run`: the one whose question it
    reads against.
    """

    mode: Mode
    override: Priority | None = None
    runs: tuple[RunView, ...] = ()
    asked: AskedOf = AskedOf.NONE
    reading: Reading = Reading.SENTENCE
    last_try: bool = False
    addressed: str | None = None
    addressed_ended: bool = False
    recent: Reading | None = None
    recent_run: str | None = None
    now_text: bool = False
    to_child: bool = False
    asked_run: str | None = None


class Verdict(StrEnum):
    """What is done with the input. Those that name a run act on `Ruling.run`."""

    WAIT = "wait"
    JOIN = "join"
    COLLECT = "collect"
    BESIDE = "beside"
    STOP_AND_START = "stop_and_start"
    ROLL_BACK_AND_START = "roll_back_and_start"
    STOP_ONLY = "stop_only"
    STOP_CHILD = "stop_child"
    BUSY = "busy"
    DECIDE = "decide"
    ASK_WHICH = "ask_which"
    SKIP = "skip"
    DECLINE = "decline"
    REPEAT = "repeat"
    HELP = "help"
    ASK_AGAIN = "ask_again"
    MOVE_ON = "move_on"
    HOLD = "hold"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict, the priority it waits with, and the run it acts on."""

    verdict: Verdict
    priority: Priority = Priority.NEXT
    run: str | None = None


_BY_READING = {
    Reading.VALUE: Verdict.DECIDE,
    Reading.FITS_TWO: Verdict.ASK_WHICH,
    Reading.SKIP: Verdict.SKIP,
    Reading.DECLINE: Verdict.DECLINE,
    Reading.REPEAT: Verdict.REPEAT,
    Reading.HELP: Verdict.HELP,
    Reading.HOLD_WORD: Verdict.NOTHING,
}


def decide_input(facts: InputFacts) -> Ruling:
    """What becomes of an input that is no duplicate, stop or command (DESIGN 5, RACES)."""
    if facts.asked is not AskedOf.NONE:
        decided = _against_question(facts)
        if decided is not None:
            return decided
    if facts.recent is not None and facts.override is None:
        return _after_decision(facts)
    return _by_mode(facts, _override(facts))


def _override(facts: InputFacts) -> Priority | None:
    override = facts.override
    if override is None and facts.now_text:
        override = Priority.NOW
    if override is Priority.NOW and facts.addressed_ended:
        return Priority.NEXT
    return override


def _against_question(facts: InputFacts) -> Ruling | None:
    override = _override(facts)
    asking = _asking_run(facts)
    if override is Priority.NOW or (
        facts.asked is AskedOf.MINE and facts.reading is Reading.NOW_TEXT
    ):
        return _move_on(facts, asking)
    if override is not None:
        return _waits(facts, override) if asking else None
    if facts.asked is AskedOf.UNARMED:
        return Ruling(Verdict.HOLD)
    if facts.asked is AskedOf.UNSEEN:
        return None
    if facts.asked is AskedOf.OTHERS:
        return _beside_approver(facts) if asking else None
    if facts.reading in _BY_READING:
        return Ruling(_BY_READING[facts.reading], run=asking)
    if facts.reading is Reading.UNCLEAR and not facts.last_try:
        return Ruling(Verdict.ASK_AGAIN, run=asking)
    if facts.reading is Reading.UNCLEAR and asking:
        return Ruling(Verdict.MOVE_ON, Priority.NOW, asking)
    return _move_on(facts, asking)


def _move_on(facts: InputFacts, asking: str | None) -> Ruling | None:
    """A question asked of an approver is closed by the run's own person only."""
    if asking is None:
        return None
    if facts.mode is Mode.PARALLEL and facts.asked is not AskedOf.OTHERS:
        return Ruling(Verdict.BESIDE)
    return Ruling(Verdict.MOVE_ON, Priority.NOW, asking)


def _beside_approver(facts: InputFacts) -> Ruling:
    return Ruling(Verdict.BESIDE) if facts.mode is Mode.PARALLEL else _waits(facts, None)


def _waits(facts: InputFacts, override: Priority | None) -> Ruling:
    if facts.mode is Mode.REJECT:
        return Ruling(Verdict.BUSY)
    return Ruling(Verdict.WAIT, _wish(override))


def _asking_run(facts: InputFacts) -> str | None:
    """The run whose question it reads against; against none, the sender's newest that asks."""
    asking = [run.id for run in facts.runs if run.state is State.ASKING and run.mine]
    about = [run for run in asking if facts.asked_run in (None, run)]
    return about[-1] if about else None


def _after_decision(facts: InputFacts) -> Ruling:
    run = _own(facts, facts.recent_run)
    if run is None:
        return _by_mode(facts, _override(facts))
    if facts.recent is Reading.DECLINE:
        return Ruling(Verdict.STOP_ONLY, run=run.id)
    return _stop_for(facts.mode, run)


def _own(facts: InputFacts, name: str | None) -> RunView | None:
    """The sender's run of that name, else their newest."""
    mine = [run for run in facts.runs if run.mine]
    named = [run for run in mine if run.id == name]
    return (named or mine)[-1] if mine else None


def _by_mode(facts: InputFacts, override: Priority | None) -> Ruling:
    run = _own(facts, facts.addressed)
    if run is not None and facts.to_child and _stops(facts.mode, override):
        return _to_child(run)
    if run is not None:
        return _beside_own(facts.mode, override, run)
    if facts.runs:
        return _beside_others(facts.mode, override)
    return Ruling(Verdict.WAIT, _wish(override))


def _wish(override: Priority | None) -> Priority:
    return Priority.NEXT if override is None else override


def _beside_others(mode: Mode, override: Priority | None) -> Ruling:
    if mode is Mode.REJECT:
        return Ruling(Verdict.BUSY)
    if override is Priority.LATER:
        return Ruling(Verdict.WAIT, Priority.LATER)
    if mode is Mode.PARALLEL:
        return Ruling(Verdict.BESIDE)
    if mode is Mode.COLLECT:
        return Ruling(Verdict.COLLECT)
    return Ruling(Verdict.WAIT, Priority.NEXT)


def _beside_own(mode: Mode, override: Priority | None, run: RunView) -> Ruling:
    if _stops(mode, override):
        return _stop_for(mode, run)
    if mode is Mode.REJECT:
        return Ruling(Verdict.BUSY)
    if override is Priority.LATER:
        return Ruling(Verdict.WAIT, Priority.LATER)
    if mode is Mode.PARALLEL:
        return Ruling(Verdict.BESIDE)
    if mode is Mode.COLLECT:
        return Ruling(Verdict.COLLECT)
    if mode is Mode.STEER and run.state in _JOINABLE:
        return Ruling(Verdict.JOIN, run=run.id)
    return Ruling(Verdict.WAIT, Priority.NEXT)


_STOPPING_MODES = (Mode.INTERRUPT, Mode.ROLLBACK)
_JOINABLE = (State.STARTING, State.RUNNING)


def _stops(mode: Mode, override: Priority | None) -> bool:
    return override is Priority.NOW or (override is None and mode in _STOPPING_MODES)


def _to_child(parent: RunView) -> Ruling:
    """Only the child is stopped; its parent reads the input with what came of it."""
    if parent.state in _JOINABLE:
        return Ruling(Verdict.STOP_CHILD, Priority.NEXT, parent.id)
    return Ruling(Verdict.WAIT, Priority.NEXT)


def _stop_for(mode: Mode, run: RunView) -> Ruling:
    if run.state is State.STOPPING or (run.state is State.DELIVERING and not run.spoken):
        return Ruling(Verdict.WAIT, Priority.NOW)
    if mode is Mode.ROLLBACK and not run.kept:
        return Ruling(Verdict.ROLL_BACK_AND_START, Priority.NOW, run.id)
    return Ruling(Verdict.STOP_AND_START, Priority.NOW, run.id)
