"""How a run ends in the store: its calls, its inputs, its branch."""

from __future__ import annotations

from dataclasses import replace

from gateway import branches, deciding
from gateway.core import run_effects as fx
from gateway.core.events import End
from gateway.core.interrupts import APPROVAL_ORDINAL
from gateway.core.log import Kind, Place, result_body, rewind
from gateway.core.messages import (
    ABORTED_BEFORE_DISPATCH,
    ABORTED_TEXT,
    INTERRUPTED,
    NOT_STARTED,
    NOT_STARTED_TEXT,
    Json,
    ToolCall,
    ToolResult,
    interrupted_text,
)
from gateway.delivery import save_run
from gateway.joining import close_injected
from gateway.live import LiveRun, Work
from gateway.ports.agent import JournalRecord
from gateway.ports.channel import Notice
from gateway.ports.rows import InputState, Outcome
from gateway.ports.store import SaveJournal, SetLeaf
from gateway.state import ThreadState


def draw_run(state: ThreadState, live: LiveRun, work: Work) -> None:
    """Let the views draw where the run stands."""
    row = live.row
    data: dict[str, Json] = {
        "run": row.id,
        "state": live.machine.state.value,
        "agent": row.agent,
        "reason": row.reason,
        "end": row.end,
        "error": row.error,
        "errorId": row.error_id,
        "step": row.step,
        "principals": list(row.principals),
        "retryOf": row.retry_of,
    }
    state.draw(work, "run", data)


def note(live: LiveRun, work: Work, record: JournalRecord) -> None:
    """A line of a call's journal."""
    live.journal.append(record)
    if record.record != "note":
        live.calls[record.call_id] = record.record
    work.write(SaveJournal(live.id, record))


def note_rule(state: ThreadState, work: Work, live: LiveRun, call: ToolCall) -> None:
    """Append that a call was approved by the rule of each of its run's persons, once a call."""
    noted = (e.body.get("callId") for e in state.chain_of(live.id) if e.kind is Kind.APPROVAL)
    if call.id in noted:
        return
    body = {"interruptId": None, "approved": True, "reason": None, "callId": call.id}
    for person in live.row.principals:
        ruled = {**body, "by": person, "rule": call.name}
        state.append(work, Kind.APPROVAL, Place.NOTE, ruled, run=live.id, step=live.row.step)


def append_result(
    state: ThreadState, live: LiveRun, work: Work, step: int, result: ToolResult
) -> None:
    """Append a call's result, with how long it took where this process saw it begin."""
    began = live.began.pop(result.call_id, None)
    took = None if began is None else state.wiring.clock.monotonic() - began
    body = result_body(result, took)
    state.append(work, Kind.TOOL_RESULT, Place.RESULT, body, run=live.id, step=step)
    state.draw(work, "call", {"run": live.id, "step": step, "state": "returned", **body})


def save_end(state: ThreadState, live: LiveRun, effect: fx.SaveEnd, work: Work) -> None:
    """Store the end: calls that never started, outcomes of its inputs, the branch."""
    if effect.end is End.FAILED and effect.error_id is None:
        error = RuntimeError(f"{effect.error}: the process ended during this run again and again")
        effect = replace(effect, error_id=state.wiring.report(f"run {live.id}", error))
    if effect.end is not End.COMPLETED:
        reason = effect.reason.value if effect.reason else effect.error
        _close_calls(state, live, work, reason, effect.paused)
        body = {"status": "closed", "reason": reason}
        if live.closing_note:
            body["note"] = live.closing_note
        state.append(work, Kind.INTERRUPT, Place.NOTE, body, run=live.id, step=live.row.step)
    save_run(
        state,
        live,
        work,
        end=effect.end.value,
        reason=effect.reason.value if effect.reason else None,
        error=effect.error,
        error_id=effect.error_id,
    )
    _finish_inputs(state, live, effect, work)
    close_injected(state, work, live, keep=effect.end is End.COMPLETED)
    if live.row.rolled_back and effect.end is not End.COMPLETED:
        take_out(state, work, live.id)
    live.quiet()
    draw_run(state, live, work)
    work.then(state.wiring.ended, live.id)
    state.runs.pop(live.id, None)
    if live.side is None:
        state.last_run, state.last_journal = live.row, live.journal
    else:
        branches.leave(state, work, live.id, live.side)
    deciding.let_go(state)
    labels = {"end": effect.end.value, "reason": live.row.reason or ""}
    state.metric(work, "runs", **labels)
    state.metric(work, "run_seconds", (state.now() - live.row.started_at).total_seconds())
    if live.tripped_at is not None:
        state.metric(work, "stop_seconds", state.wiring.clock.monotonic() - live.tripped_at)


def _close_calls(
    state: ThreadState, live: LiveRun, work: Work, reason: str | None, paused: bool
) -> None:
    """Give every call that was not running its result: it never started, or ran up to its question
    and was cut there. One that was running gets none.
    """
    unstarted = (
        (NOT_STARTED_TEXT, NOT_STARTED) if paused else (ABORTED_TEXT, ABORTED_BEFORE_DISPATCH)
    )
    ran = {
        question.tool_call_id
        for question in state.questions.values()
        if question.run == live.id and question.ordinal != APPROVAL_ORDINAL
    }
    for call in live.row.batch:
        if live.calls.get(call.id) in ("started", "result"):
            continue
        cut = (interrupted_text(reason or ""), INTERRUPTED)
        note(live, work, JournalRecord(call.id, "result"))
        result = ToolResult(call.id, call.name, *(cut if call.id in ran else unstarted))
        append_result(state, live, work, live.row.step, result)


_OUTCOMES = {
    End.COMPLETED: Outcome.ANSWERED,
    End.INTERRUPTED: Outcome.INTERRUPTED,
    End.FAILED: Outcome.FAILED,
}


def _finish_inputs(state: ThreadState, live: LiveRun, effect: fx.SaveEnd, work: Work) -> None:
    detail = effect.reason.value if effect.reason else effect.error_id or ""
    code = "RUN_FAILED" if effect.end is End.FAILED else "RUN_INTERRUPTED"
    why: dict[str, Json] = {"reason": detail, "error": effect.error, "errorId": effect.error_id}
    merged = set(live.row.principals)
    for seq in live.row.inputs:
        row = state.inputs.get(seq)
        if row is not None and row.state is InputState.RUNNING:
            row = state.finish(work, row, _OUTCOMES[effect.end], detail)
            if effect.end is not End.COMPLETED:
                merged.discard(row.new.principal)
                state.answer(work, row, code, **why)
    if effect.end is not End.COMPLETED:
        channel, language = state.channel(live.row.channel), live.row.language
        for person in sorted(merged):
            notice = Notice(state.thread.id, code, why, person, language, run=live.id)
            work.then(channel.tell, notice)


def take_out(state: ThreadState, work: Work, run: str) -> None:
    """Let the active branch go on as if `run` had never been; what others said meanwhile stays."""
    leaf, carried = rewind(state.chain, run)
    move_leaf(state, work, leaf)
    for entry in carried:
        state.append(work, entry.kind, entry.place, entry.body, run=entry.run, step=entry.step)


def move_leaf(state: ThreadState, work: Work, leaf: int) -> None:
    """Let the active branch go on from `leaf`; what comes after it stays on its own branch."""
    state.thread = replace(state.thread, branch=state.thread.head + 1, leaf=leaf)
    state.chain = [entry for entry in state.chain if entry.seq <= leaf]
    work.write(SetLeaf(state.thread.branch, leaf))


FRESH = "fresh"
"""The setting of a thread that goes on from its root as soon as no run is on."""


def begin_afresh(state: ThreadState, work: Work) -> None:
    """Let the conversation begin afresh once no run is left; a crash does not undo that."""
    state.save_thread(work, settings={**state.thread.settings, FRESH: True})


def go_to_root(state: ThreadState, work: Work) -> None:
    """Begin afresh, where that was asked for."""
    if FRESH in state.thread.settings:
        settings = {k: v for k, v in state.thread.settings.items() if k != FRESH}
        state.save_thread(work, settings=settings)
        move_leaf(state, work, 0)
