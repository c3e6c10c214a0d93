"""How a run is started, gone on with and stopped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gateway import branches, delivery, effects, ending, joining
from gateway.core import run as table
from gateway.core import run_effects as fx
from gateway.core.cancellation import InterruptReason
from gateway.core.events import Launched, Run, StopRequested
from gateway.core.interrupts import iso
from gateway.core.log import Entry, Kind, Place, assistant_body, history, said_text, user_body
from gateway.hosting import Host
from gateway.live import LiveRun, Work
from gateway.mail import DeadlineOver, Happened
from gateway.ports.agent import RunStart
from gateway.ports.rows import InputRow, InputState, Outcome, RunRow
from gateway.state import ThreadState

TITLE_LENGTH = 80
"""A thread is called by the beginning of what was first said there."""


def new_run(state: ThreadState, work: Work, rows: Sequence[InputRow]) -> None:
    """A run on these inputs: its row, its input's entries; the first is answered, others merged."""
    first = rows[0]
    principals = tuple(dict.fromkeys(row.new.principal for row in rows))
    machine = Run(state.wiring.ids.uuid(), durable=durable(state, first))
    row = RunRow(
        id=machine.id,
        thread=state.thread.id,
        agent=state.wiring.agent.name,
        channel=first.new.channel,
        state=machine.state.value,
        principals=principals,
        inputs=tuple(row.seq for row in rows),
        started_at=state.now(),
        language=first.new.language,
        options=first.new.options,
        beside=first.beside,
        named=first.new.branch is not None,
    )
    live = LiveRun(row, machine)
    live.side = branches.take(state, work, first) if first.beside else None
    take_on(state, work, first, live)
    if not state.thread.title:
        state.save_thread(work, title=" ".join(first.new.text.split())[:TITLE_LENGTH])
    for item in rows:
        body = user_body(joining.message_of(state, item))
        state.append(work, Kind.USER, Place.INPUT, body, run=live.id, input_seq=item.seq)
    for item in rows[1:]:
        state.finish(work, item, Outcome.MERGED, run=live.id)


def durable(state: ThreadState, row: InputRow) -> bool:
    """Whether the input's channel counts a text as delivered once it has it."""
    return state.channel(row.new.channel).capabilities.durable


def take_on(state: ThreadState, work: Work, row: InputRow, live: LiveRun) -> LiveRun:
    """Let a run be one of the thread's, started by an input; its task follows the commit."""
    state.runs[live.id] = live
    state.save_input(work, replace(row, state=InputState.RUNNING, run=live.id))
    delivery.save_run(state, live, work)
    ending.draw_run(state, live, work)
    work.then(state.post, Happened(live.id, fx.Start()))
    return live


def begin(state: ThreadState, live: LiveRun) -> None:
    """Start the run's task: new, or going on from its checkpoint."""
    live.epoch += 1
    live.children.clear()
    delivery.open_output(state, live)
    live.machine, _ = table.step(live.machine, Launched())
    agent = state.wiring.agent
    live.handle = agent.start(_start(state, live), Host(state, live))
    policy = state.wiring.policy
    own = live.row.options.timeout_seconds or agent.timeout_seconds
    timeout = min(own, policy.run_seconds)
    live.deadline = state.later(timeout, DeadlineOver(live.id))


def _start(state: ThreadState, live: LiveRun) -> RunStart:
    row = live.row
    questions = tuple(
        q for q in state.questions.values() if q.run == live.id and q.decision is not None
    )
    return RunStart(
        run=live.id,
        thread=state.thread.id,
        principals=row.principals,
        history=tuple(
            history(
                [*state.chain_of(live.id), *_unsettled(live)],
                state.unfinished(live.id),
                people=not state.thread.private,
            )
        ),
        language=row.language,
        options=row.options,
        checkpoint=row.checkpoint,
        step=live.last_step,
        questions=questions,
        journal=tuple(live.journal),
        own=_own(state, live),
        branch=state.thread.branch if live.side is None else live.side.number,
        since=iso(state.thread.created_at) or "",
    )


def _own(state: ThreadState, live: LiveRun) -> tuple[str, ...]:
    """The texts of the run's own input, where no step was made yet."""
    if live.row.checkpoint is not None or live.journal or live.last_step:
        return ()
    return tuple(said_text(entry.body) for entry in joining.own_entries(state, live.id))


def _unsettled(live: LiveRun) -> list[Entry]:
    """Texts that are still being delivered count for the model as said."""
    return [
        Entry(
            0,
            0,
            0,
            live.id,
            step,
            Place.TEXT,
            Kind.ASSISTANT,
            assistant_body(kept.text, provider_parts=kept.provider_parts),
        )
        for step, kept in live.row.texts.items()
        if kept.final
    ]


def stop_run(
    state: ThreadState, live: LiveRun, reason: InterruptReason, work: Work, by: str = ""
) -> None:
    """Stop a run with the reason's grace. One that a person's stop tripped at the door keeps that
    reason, though something else is handled first.
    """
    grace = state.wiring.policy.graces.of(reason, live.machine.running.values())
    first = reason if live.tripped_at is None else InterruptReason.USER_SIGINT
    advance(state, live, StopRequested(first, grace, by), work)


def advance(state: ThreadState, live: LiveRun, event: Any, work: Work) -> None:
    """Give a run's machine an event, and do its effects.

    Raises:
        IllegalEvent: the machine takes no such event now; nothing was changed.
        RunEnded: the event is refused.
    """
    live.machine, wanted = table.step(live.machine, event)
    for effect in wanted:
        effects.perform(state, live, effect, work)
