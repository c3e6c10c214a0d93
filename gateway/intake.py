"""What becomes of an input: its facts, the verdict, and what the verdict does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from gateway import answering, branches, delivery, expiring, late, reading
from gateway.core.answers import ControlKind, control_word, now_text, opens_with_correction
from gateway.core.cancellation import InterruptReason
from gateway.core.errors import AccessDenied, AgentRunPausedError, AlreadyDecided, RunEnded
from gateway.core.interrupts import MAX_TRIES
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
from gateway.joining import TAKING
from gateway.live import Work
from gateway.mail import Held
from gateway.ports.rows import InputRow, Outcome
from gateway.reading import Read
from gateway.state import ThreadState
from gateway.waiting import enqueue, stop, stop_for_now, wait_beside


def take_in(state: ThreadState, work: Work, row: InputRow, *, waited: bool = False) -> None:
    """Decide what becomes of a text and do it. One that has `waited` for a prompt's delivery is
    held no longer.
    """
    if row.new.chat:
        answering.from_elsewhere(state, work, row)
        return
    if row.new.queued:
        _queue_for_run(state, work, row)
        return
    if _without_words(state, work, row) or _elsewhere(state, work, row):
        return
    expiring.expire_due(state, work, row.answered_at)
    number, _ = reading.number_of(state, row)
    if number and number not in reading.numbered(state):
        answering.refused(state, work, row, AlreadyDecided())
        return
    if late.too_late(state, row):
        answering.refused(state, work, row, AlreadyDecided())
        return
    found = reading.read(state, row, waited=waited)
    recent = None if found.asked is AskedOf.MINE else late.after_decision(state, row)
    if found.asked is AskedOf.NONE and recent is None and row.new.override is None:
        question = late.missed(state, row)
        if question is not None:
            state.finish(work, row, Outcome.REFUSED, "INTERRUPT_EXPIRED")
            state.answer(work, row, "INTERRUPT_EXPIRED", message=question.message)
            return
    took_back = recent is Reading.DECLINE and late.recent_beside(state)
    if took_back:
        row = replace(row, new=replace(row.new, run=took_back))
    if took_back or _is_stop(row, found):
        stop(state, work, row)
        return
    state.last_asked.pop(row.new.principal, None)
    mode = state.mode_of(row)
    ruling = decide_input(facts(state, row, mode, found, recent))
    _VERDICTS[ruling.verdict](state, work, row, ruling, found)


def _queue_for_run(state: ThreadState, work: Work, row: InputRow) -> None:
    """Let a program's message wait for the run that it is addressed to, while that takes any; it is
    no answer.
    """
    live = state.runs.get(row.new.run or "")
    if live is not None and live.machine.open:
        answering.refused(state, work, row, AgentRunPausedError())
    elif live is None or live.machine.state not in TAKING or not _takes_messages(state):
        answering.refused(state, work, row, RunEnded())
    elif row.new.principal not in live.row.principals:
        answering.refused(state, work, row, AccessDenied())
    elif live.side is None:
        enqueue(state, work, row, Priority.NEXT, joins=True)
    else:
        wait_beside(state, work, row, live.id, joins=True)


def _without_words(state: ThreadState, work: Work, row: InputRow) -> bool:
    """Take what was spoken and nobody could make out."""
    if row.new.how != "voice" or row.new.text.strip():
        return False
    answering.not_understood(state, work, row)
    return True


def _takes_messages(state: ThreadState) -> bool:
    return state.wiring.agent.capabilities.steer


def _elsewhere(state: ThreadState, work: Work, row: InputRow) -> bool:
    """Take an input that is for another branch than the active one: it names one, or its run.
    There it joins the run, or stops it and goes on after it; no question is answered by it.
    """
    if branches.names_another(state, row):
        wait_beside(state, work, row)
        return True
    live = state.runs.get(row.new.run or "")
    if live is None or live.side is None or row.new.principal not in live.row.principals:
        return False
    now = row.new.override is Priority.NOW or now_text(row.new.text) is not None
    wait_beside(state, work, row, live.id, joins=not now)
    if now and row.seq in state.queue:
        stop_for_now(state, work, live.id)
    return True


def _is_stop(row: InputRow, found: Read) -> bool:
    """A stop word as the whole message; a member of the open schema beats it. To a run that asks
    somebody else, "cancel" is a stop too.
    """
    if row.new.override is not None or found.reading is Reading.VALUE:
        return False
    word = control_word(row.new.text)
    return word is ControlKind.STOP or (
        word is ControlKind.CANCEL and found.asked is AskedOf.OTHERS
    )


def facts(
    state: ThreadState, row: InputRow, mode: Mode, found: Read, recent: Reading | None
) -> InputFacts:
    """Everything that the decision looks at."""
    principal, text = row.new.principal, row.new.text
    runs = tuple(
        RunView(
            live.id,
            live.machine.state,
            principal in live.row.principals,
            live.row.resumed or live.row.named or row.new.branch is not None,
            state.channel(live.row.channel).capabilities.voice,
        )
        for live in state.occupying()
    )
    parent = state.parent_of(row.new.run)
    question = found.question
    tries = question.tries if question is not None else 0
    return InputFacts(
        mode=mode,
        override=row.new.override,
        runs=runs,
        asked=found.asked,
        asked_run=question.run if question is not None else None,
        reading=found.reading,
        last_try=tries + 1 >= MAX_TRIES,
        addressed=row.new.run if parent is None else parent.id,
        addressed_ended=parent is None and row.new.run not in (None, *state.runs),
        to_child=parent is not None and principal in parent.row.principals,
        recent=recent,
        recent_run=state.recent.question.run if state.recent is not None else None,
        now_text=bool(runs) and _is_now(text, found.asked),
    )


def _is_now(text: str, asked: AskedOf) -> bool:
    """Whether the words alone make it NOW. To one's own question the reading says so: a correction
    may hold a value, and what is held until the prompt's delivery is known is read after that.
    """
    if asked is AskedOf.MINE:
        return False
    return now_text(text) is not None or (
        asked is not AskedOf.UNARMED and opens_with_correction(text)
    )


def _wait(state: ThreadState, work: Work, row: InputRow, ruling: Ruling, found: Read) -> None:
    mode = state.mode_of(row)
    joins = mode is Mode.STEER and ruling.priority is Priority.NEXT
    enqueue(state, work, row, ruling.priority, joins=joins)


def _join(state: ThreadState, work: Work, row: InputRow, ruling: Ruling, found: Read) -> None:
    enqueue(state, work, row, Priority.NEXT, joins=True)


def _collect(state: ThreadState, work: Work, row: InputRow, ruling: Ruling, found: Read) -> None:
    enqueue(state, work, row, Priority.NEXT, collect=True)


def _busy(state: ThreadState, work: Work, row: InputRow, ruling: Ruling, found: Read) -> None:
    state.finish(work, row, Outcome.REFUSED, "THREAD_BUSY")
    state.answer(work, row, "THREAD_BUSY")


def _beside(state: ThreadState, work: Work, row: InputRow, ruling: Ruling, found: Read) -> None:
    enqueue(state, work, row, ruling.priority)


def _stop_and_start(
    state: ThreadState, work: Work, row: InputRow, ruling: Ruling, found: Read
) -> None:
    enqueue(state, work, row, Priority.NOW)
    stop_for_now(state, work, ruling.run)


def _roll_back_and_start(
    state: ThreadState, work: Work, row: InputRow, ruling: Ruling, found: Read
) -> None:
    enqueue(state, work, row, Priority.NOW)
    live = state.runs.get(ruling.run or "")
    if live is not None:
        delivery.save_run(state, live, work, rolled_back=True)
    stop_for_now(state, work, ruling.run)


def _stop_only(state: ThreadState, work: Work, row: InputRow, ruling: Ruling, found: Read) -> None:
    stop(state, work, row)


def _stop_child(state: ThreadState, work: Work, row: InputRow, ruling: Ruling, found: Read) -> None:
    """The child run alone is stopped; the run around it reads this with what came of it."""
    enqueue(state, work, replace(row, run=ruling.run), Priority.NEXT, joins=True)
    live = state.runs[ruling.run or ""]
    if row.seq in state.queue and live.handle is not None and row.new.run is not None:
        work.then(live.handle.stop_child, row.new.run, InterruptReason.NOW_PRIORITY_INPUT)


def _hold(state: ThreadState, work: Work, row: InputRow, ruling: Ruling, found: Read) -> None:
    """The prompt's delivery isn't known yet: look again when it is, at the latest after 10 s."""
    state.inputs[row.seq] = row
    if row.seq not in state.held:
        state.held.add(row.seq)
        state.later(state.wiring.policy.hold_seconds, Held(row.seq))


def _nothing(state: ThreadState, work: Work, row: InputRow, ruling: Ruling, found: Read) -> None:
    state.finish(work, row, Outcome.HANDLED, "HOLD_WORD")


_Act = Callable[[ThreadState, Work, InputRow, Ruling, Read], None]
_VERDICTS: Mapping[Verdict, _Act] = {
    Verdict.WAIT: _wait,
    Verdict.JOIN: _join,
    Verdict.COLLECT: _collect,
    Verdict.BESIDE: _beside,
    Verdict.STOP_AND_START: _stop_and_start,
    Verdict.ROLL_BACK_AND_START: _roll_back_and_start,
    Verdict.STOP_ONLY: _stop_only,
    Verdict.STOP_CHILD: _stop_child,
    Verdict.BUSY: _busy,
    Verdict.DECIDE: answering.decide,
    Verdict.ASK_WHICH: answering.ask_which,
    Verdict.SKIP: answering.skip,
    Verdict.DECLINE: answering.decline,
    Verdict.REPEAT: answering.repeat,
    Verdict.HELP: answering.explain,
    Verdict.ASK_AGAIN: answering.ask_again,
    Verdict.MOVE_ON: answering.move_on,
    Verdict.HOLD: _hold,
    Verdict.NOTHING: _nothing,
}
