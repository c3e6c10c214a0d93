"""The queue: what waits, in which place, what gives way, and what a stop does to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gateway.core.cancellation import InterruptReason
from gateway.core.events import State
from gateway.core.queueing import Drop, Mode, Priority
from gateway.delivery import save_run
from gateway.live import LiveRun, Work
from gateway.ports.rows import InputRow, InputState, Outcome
from gateway.running import stop_run
from gateway.state import ThreadState

SHORTENED = "SHORTENED"
"""Marks a waiting input that holds the short forms of several."""


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
    busy = bool(state.occupying())
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
        code = "JOINS" if joins and _may_join(state, row) else "WAITS"
        state.answer(work, waiting, code, priority=priority.name, place=len(state.queue))


def wait_beside(
    state: ThreadState, work: Work, row: InputRow, run: str | None = None, *, joins: bool = False
) -> None:
    """Let an input start a run on the branch that it names, or after `run`, which it may join."""
    if _fits(state, work, row):
        state.save_input(
            work, replace(row, state=InputState.WAITING, beside=True, run=run, joins=joins)
        )


def _may_join(state: ThreadState, row: InputRow) -> bool:
    """Whether a run of the sender's goes on that has a model call ahead, by an agent that takes
    messages then.
    """
    if not state.wiring.agent.capabilities.steer:
        return False
    own = [live for live in state.runs_of(row.new.principal) if live.side is None]
    return any(live.machine.state in (State.STARTING, State.RUNNING) for live in own)


def _debounce(state: ThreadState, row: InputRow, priority: Priority) -> bool:
    """Hold a burst to an idle thread back for a moment; whether this input is part of one."""
    policy = state.wiring.policy
    mode = state.mode_of(row)
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
    principal, policy = row.new.principal, state.wiring.policy
    mine = [item for item in state.waiting_of(principal) if item.priority is not Priority.NOW]
    if len(mine) < policy.cap:
        state.untaken.pop(principal, None)
        return True
    if policy.drop is Drop.SUMMARIZE and _summarize(state, work, row, mine):
        return True
    count = state.untaken[principal] = state.untaken.get(principal, 0) + 1
    if policy.drop is Drop.DROP_OLDEST and mine:
        oldest = min(mine, key=lambda item: item.seq)
        state.finish(work, oldest, Outcome.DROPPED, "QUEUE_FULL")
        state.answer(work, oldest, "DROPPED_OLDEST", count=count, cap=policy.cap)
        return True
    state.finish(work, row, Outcome.DROPPED, "QUEUE_FULL")
    state.answer(work, row, "QUEUE_FULL", count=count, cap=policy.cap)
    return False


def _summarize(state: ThreadState, work: Work, row: InputRow, mine: list[InputRow]) -> bool:
    """Fold what waits with one priority into its oldest item: a count, the first 60 characters of
    each, and every attachment. False where there is nothing to fold.
    """
    here = [item for item in mine if not item.beside]
    alike = [[item for item in here if item.priority is each] for each in Priority]
    oldest, *others = max(alike, key=len) or [row]
    if not others:
        return False
    lines = [line for item in (oldest, *others) for line in _short(item)]
    new = replace(
        oldest.new,
        text="\n".join([f"[{len(lines)} messages, shortened]", *lines]),
        attachments=tuple(a for item in (oldest, *others) for a in item.new.attachments),
        quote=None,
    )
    state.save_input(work, replace(oldest, new=new, detail=SHORTENED))
    for item in others:
        state.finish(work, item, Outcome.MERGED, "SUMMARIZED")
    state.answer(work, row, "SUMMARIZED", count=len(lines), cap=state.wiring.policy.cap)
    return True


def _short(item: InputRow) -> list[str]:
    if item.detail == SHORTENED:
        return item.new.text.split("\n")[1:]
    return ["- " + " ".join(item.new.text.split())[:60]]


def stop(state: ThreadState, work: Work, row: InputRow) -> None:
    """End a person's runs on this thread (or the one addressed) and give their queue back. A child
    run that is addressed is all that ends.
    """
    principal = row.new.principal
    if row.new.run in state.tripped_children:
        state.tripped_children.discard(row.new.run)
        state.finish(work, row, Outcome.HANDLED, "STOPPED")
        state.answer(work, row, "STOPPED", count=0)
        return
    admin = state.wiring.access.is_admin(principal)
    targets = [
        live
        for live in list(state.runs.values())
        if (admin or principal in live.row.principals) and row.new.run in (None, live.id)
    ]
    stop_runs(state, work, targets, principal)
    stopped = {live.id for live in targets} | state.tripped.get(principal, set())
    if row.new.run is not None:
        stopped &= {row.new.run}
    nothing = row.new.run is not None and not stopped
    beside = row.new.run if any(live.side is not None for live in targets) else None
    returned = [] if nothing else _give_back(state, work, principal, beside)
    code = "STOPPED" if stopped or returned else "NOTHING_TO_STOP"
    state.finish(work, row, Outcome.HANDLED, code)
    state.answer(work, row, code, count=len(returned))


def _give_back(
    state: ThreadState, work: Work, principal: str, beside: str | None
) -> list[InputRow]:
    """Return what a person said that has not started: what waits, and what is held for a prompt;
    of a run beside that was addressed, what was said to it.
    """
    held = [state.inputs[seq] for seq in sorted(state.held)]
    items = state.waiting_of(principal) + [item for item in held if item.new.principal == principal]
    if beside is not None:
        items = [item for item in items if item.run == beside]
    if any(item.priority is Priority.NOW for item in items):
        _keep_rolled_back(state, work, principal)
    _return(state, work, items, InterruptReason.USER_SIGINT)
    return items


def give_all_back(state: ThreadState, work: Work, reason: InterruptReason) -> None:
    """Return what anybody said that has not started: the thread is going to be no more."""
    held = [state.inputs[seq] for seq in sorted(state.held)]
    _return(state, work, [*state.waiting(), *held], reason)


def _return(
    state: ThreadState, work: Work, items: Iterable[InputRow], reason: InterruptReason
) -> None:
    for item in items:
        state.held.discard(item.seq)
        item = state.finish(work, item, Outcome.RETURNED, reason.value)
        state.answer(work, item, "RETURNED", text=item.new.text)


def _keep_rolled_back(state: ThreadState, work: Work, principal: str) -> None:
    """The NOW for which a run was to be rolled back is returned: its request stays, for a retry."""
    for live in state.runs_of(principal):
        if live.row.rolled_back:
            save_run(state, live, work, rolled_back=False)


def stop_runs(state: ThreadState, work: Work, targets: list[LiveRun], by: str) -> None:
    """Stop these runs for a person."""
    for live in targets:
        stop_run(state, live, InterruptReason.USER_SIGINT, work, by)


def stop_for_now(state: ThreadState, work: Work, run: str | None) -> None:
    """Stop the run that a NOW names."""
    live = state.runs.get(run or "")
    if live is not None:
        stop_run(state, live, InterruptReason.NOW_PRIORITY_INPUT, work)
