"""The queue: what waits, in which place, what gives way, and what a stop does to it."""

from __future__ import annotations

from dataclasses import replace

from gateway.core.cancellation import InterruptReason
from gateway.core.events import StopRequested
from gateway.core.queueing import Drop, Mode, Priority
from gateway.hosting import advance
from gateway.live import LiveRun, Work
from gateway.ports.rows import InputRow, InputState, Outcome
from gateway.state import ThreadState


def enqueue(
    state: ThreadState,
    work: Work,
    row: InputRow,
    priority: Priority,
    *,
    joins: bool = False,
    collect: bool = False,
) -> None:
    """Put an input into the queue, inside its sender's cap."""
    if priority is not Priority.NOW and not _fits(state, work, row):
        return
    busy = bool(state.runs)
    burst = not busy and _debounce(state, row, priority)
    waiting = replace(
        row,
        state=InputState.WAITING,
        priority=priority,
        joins=joins,
        collect=collect or burst,
    )
    state.save_input(work, waiting)
    if busy:
        code = "WAITS" if not joins else "JOINS"
        state.answer(work, waiting, code, priority=priority.name, place=len(state.queue))


def _debounce(state: ThreadState, row: InputRow, priority: Priority) -> bool:
    """Hold a burst to an idle thread back for a moment; whether this input is part of one."""
    policy = state.wiring.policy
    mode, _ = state.mode_and_source(row.new.channel)
    wait_ms = policy.collect_ms if mode is Mode.COLLECT else policy.debounce_ms
    if priority is Priority.NOW or wait_ms <= 0:
        return False
    now = state.wiring.clock.monotonic()
    if state.burst_since is None:
        state.burst_since = now
    longest = state.burst_since + policy.debounce_longest_ms / 1000
    state.ready_at = min(now + wait_ms / 1000, longest)
    return True


def _fits(state: ThreadState, work: Work, row: InputRow) -> bool:
    """Make place in the queue by the drop policy; False where the newest is refused."""
    mine = state.waiting_of(row.new.principal)
    policy = state.wiring.policy
    if len(mine) < policy.cap:
        return True
    if policy.drop is Drop.REJECT_NEWEST:
        state.finish(work, row, Outcome.DROPPED, "QUEUE_FULL")
        state.answer(work, row, "QUEUE_FULL", count=1, cap=policy.cap)
        return False
    if policy.drop is Drop.DROP_OLDEST:
        oldest = min(mine, key=lambda item: item.seq)
        state.finish(work, oldest, Outcome.DROPPED, "QUEUE_FULL")
        state.answer(work, oldest, "DROPPED_OLDEST", count=1, cap=policy.cap)
        return True
    return _summarize(state, work, row, mine)


def _summarize(state: ThreadState, work: Work, row: InputRow, mine: list[InputRow]) -> bool:
    """Fold the person's queue into its oldest item: a count and the first 60 characters of each."""
    oldest, *others = sorted(mine, key=lambda item: item.seq)
    lines = [f"- {item.new.text[:60]}" for item in (oldest, *others)]
    text = "\n".join([f"[{len(mine)} messages, shortened]", *lines])
    folded = replace(oldest, new=replace(oldest.new, text=text))
    state.save_input(work, folded)
    for item in others:
        state.finish(work, item, Outcome.MERGED, "SUMMARIZED")
    state.answer(work, row, "SUMMARIZED", count=len(mine), cap=state.wiring.policy.cap)
    return True


def stop(state: ThreadState, work: Work, row: InputRow) -> None:
    """End a person's runs on this thread (or the one addressed) and give their queue back."""
    principal = row.new.principal
    admin = state.wiring.access.is_admin(principal)
    targets = [
        live
        for live in list(state.runs.values())
        if (admin or principal in live.row.principals) and row.new.run in (None, live.id)
    ]
    stop_runs(state, work, targets, principal)
    returned = [] if row.new.run is not None and not targets else state.waiting_of(principal)
    for item in returned:
        item = state.finish(work, item, Outcome.RETURNED, "USER_SIGINT")
        state.answer(work, item, "RETURNED", text=item.new.text)
    state.finish(work, row, Outcome.HANDLED, "STOPPED" if targets else "NOTHING_TO_STOP")
    state.answer(work, row, "STOPPED" if targets else "NOTHING_TO_STOP", count=len(returned))


def stop_runs(state: ThreadState, work: Work, targets: list[LiveRun], by: str) -> None:
    """Stop these runs for a person."""
    reason = InterruptReason.USER_SIGINT
    for live in targets:
        grace = state.wiring.policy.graces.of(reason, live.machine.running.values())
        advance(state, live, StopRequested(reason, grace, by), work)


def stop_for_now(state: ThreadState, work: Work, run: str | None) -> None:
    """Stop the run that a NOW names."""
    live = state.runs.get(run or "")
    if live is not None:
        reason = InterruptReason.NOW_PRIORITY_INPUT
        grace = state.wiring.policy.graces.of(reason, live.machine.running.values())
        advance(state, live, StopRequested(reason, grace), work)
