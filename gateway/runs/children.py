"""Child runs: an agent inside a tool call, with its own coordinator, budget and deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from gateway.core.cancellation import InterruptReason
from gateway.core.errors import AgentRunPausedError, ToolFailed
from gateway.core.events import End
from gateway.core.interrupts import Interrupt
from gateway.core.messages import Json
from gateway.ports.agent import CallFacts, Leave
from gateway.runs.journal import CHILD_KEY, CHILD_ORDINAL
from gateway.runs.memory import MayRun, MemoryHost
from gateway.runs.record import RunRecord
from gateway.runs.result import RunResult
from gateway.runs.scope import CallScope, ScopeOf


async def run_child(scope: CallScope, ordinal: int, agent: Any, text: str) -> RunResult:
    """Run `agent` inside the call; journalled by call and ordinal.

    Raises:
        AgentRunPausedError: the child asks, and this call can't.
        CancelledExecutionError: the run around it was stopped.
        PauseRequested: the child asks; the call runs again with the answers.
    """
    key = f"{CHILD_KEY}{ordinal}"
    kept = scope.noted(key)
    note = cast("dict[str, Any] | None", kept[0] if kept is not None else None)
    if note is not None and note["agent"] != agent.name:
        raise ToolFailed("CHILD_CHANGED", f"child run {ordinal} was of agent {note['agent']}")
    if note is not None and note["result"] is not None:
        return _result(note["result"])
    host = _host(scope, agent, text, note)
    result = await _to_end(scope, host)
    if result.end is None:
        await _pause(scope, key, agent.name, host, result.questions)
    if result.reason is InterruptReason.PARENT_CANCELLED:
        scope.shared.signal.checkpoint()
    await scope.note(key, {"agent": agent.name, "result": _result_json(result)})
    return result


def _host(scope: CallScope, agent: Any, text: str, note: dict[str, Any] | None) -> MemoryHost:
    shared = scope.shared
    host = MemoryHost(
        agent.with_runtime(shared.runtime),
        text,
        record=None if note is None else RunRecord.from_json(note["record"]),
        thread=shared.thread,
        principals=shared.principals,
        language=shared.language,
        may_run=_asking_anew(shared.host.may_run),
        on_progress=lambda call_id, said, fraction: scope.progress(said, fraction),
        on_spent=lambda tokens, cost_usd: _spent(shared, tokens, cost_usd),
        on_child=lambda run, name, on: shared.host.child(scope.call.id, run, name, on),
    )
    if note is not None:
        _decide(scope, host.record)
    return host


def _spent(shared: ScopeOf, tokens: int, cost_usd: float) -> None:
    """What a child run pays, the run around it pays too; a budget that is used up stops it."""
    shared.used.add(tokens, cost_usd)
    over = shared.used.overspent(shared.limits) is not None
    shared.host.spent(tokens, cost_usd, over=over)


def _asking_anew(may_run: MayRun) -> MayRun:
    """Leave that is kept as a rule is for the run's own tools, not for a child's of that name."""

    async def asked(facts: CallFacts) -> Leave:
        leave: Leave = await may_run(replace(facts, destructive=True))
        return leave

    return asked


def _decide(scope: CallScope, record: RunRecord) -> None:
    """Give the child the decisions that its questions took in the thread."""
    for asked in scope.shared.journal.questions(scope.call.id):
        own = record.questions.get(asked.id)
        if own is not None and asked.decision is not None:
            record.questions[own.id] = replace(
                own,
                decision=asked.decision,
                decided_at=asked.decided_at,
                armed_at=asked.armed_at,
                expires_at=asked.expires_at,
                arguments_digest=asked.arguments_digest,
            )


async def _to_end(scope: CallScope, host: MemoryHost) -> RunResult:
    """Run the child until it ends or pauses; the parent's stop is its own."""
    handle, shared, run = host.start(), scope.shared, host.record.run
    registration = handle.child_of(shared.signal)
    shared.children.add(run, host)
    shared.host.child(scope.call.id, run, host.agent.name, True)
    try:
        return await handle.result
    except asyncio.CancelledError:
        host.stop(InterruptReason.PARENT_CANCELLED)
        raise
    finally:
        registration.remove()
        shared.children.remove(run)
        shared.host.child(scope.call.id, run, host.agent.name, False)


async def _pause(
    scope: CallScope, key: str, agent: str, host: MemoryHost, questions: Sequence[Interrupt]
) -> None:
    """Ask the child's questions in the thread of the run around it."""
    if not scope.can_ask:
        asked = "; ".join(question.message for question in questions)
        text = f"the child run of {agent} asks what can't be asked here: {asked}"
        raise AgentRunPausedError(text, interrupts=tuple(questions))
    await scope.note(key, {"agent": agent, "result": None, "record": host.record.to_json()})
    call, shared = scope.call, scope.shared
    before = CHILD_ORDINAL + len(shared.journal.questions(call.id))
    raise scope.pausing(
        tuple(
            replace(
                question,
                run=shared.run,
                ordinal=before + place,
                tool_call_id=call.id,
                principals=shared.principals,
                details=_details(question),
            )
            for place, question in enumerate(questions)
        )
    )


def _details(question: Interrupt) -> Mapping[str, Json]:
    """No rule is kept for a child run's tool, so none is offered."""
    return {**question.details, "suggestedRule": None} if question.asks_leave else question.details


def _result_json(result: RunResult) -> dict[str, Json]:
    return {
        "run": result.run,
        "end": None if result.end is None else result.end.value,
        "text": result.text,
        "reason": None if result.reason is None else result.reason.value,
        "error": result.error,
        "errorId": result.error_id,
    }


def _result(stored: dict[str, Any]) -> RunResult:
    return RunResult(
        run=stored["run"],
        end=End(stored["end"]),
        text=stored["text"],
        reason=None if stored["reason"] is None else InterruptReason(stored["reason"]),
        error=stored["error"],
        error_id=stored["errorId"],
    )
