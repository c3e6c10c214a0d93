"""Answers to a thread's questions under a run's id: taken once, and known again afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gateway import resuming
from gateway.api.agui.interrupts import response
from gateway.api.agui.requests import ResumeEntry
from gateway.core.canonical import digest
from gateway.core.errors import KeyReused, RunNotPaused, ValidationFailed
from gateway.core.interrupts import Interrupt, Status
from gateway.core.log import Entry, Kind
from gateway.core.messages import Json
from gateway.live import LiveRun, Work
from gateway.resuming import Declined, Response
from gateway.state import ThreadState
from gateway.waiting import stop_runs

SETTING: Final = "agui"
"""A thread's setting: which of a client's run ids went on with which run."""
KEPT: Final = 64
"""How many of them are known again; the oldest gives way."""
LET_GO: Final = (Status.CANCELLED, Status.EXPIRED, Status.DENIED)


@dataclass(frozen=True, slots=True)
class Leg:
    """One task of a run, which is one run to the client: `number` pauses came before it. `open` are
    the questions that it left unanswered: it was none then, and interrupts again with these.
    `upto` is the last entry of the log before it; `unknown` ids were answered in vain. `repeated`:
    it was asked for before.
    """

    run: str
    number: int
    open: tuple[str, ...] = ()
    upto: int = 0
    unknown: tuple[str, ...] = ()
    repeated: bool = False


def resume(
    state: ThreadState,
    work: Work,
    *,
    principal: str,
    run_id: str,
    entries: Sequence[ResumeEntry],
    past: Mapping[str, Interrupt],
    channel: str,
) -> Leg:
    """Take the answers of one request, all or none; where its run id is known, what became of it.
    `past` are the thread's questions, those of runs that have ended too.

    Raises:
        KeyReused: the run id came with other answers.
        GatewayError: as `resuming.resume`.
    """
    mark = digest({"resume": [entry.model_dump(mode="json") for entry in entries]})
    known = _known(state, run_id, mark)
    if known is not None:
        return known
    unknown = tuple(e.interrupt_id for e in entries if e.interrupt_id not in past)
    asked = [entry for entry in entries if entry.interrupt_id in past]
    if not asked:
        if not state.open_questions():
            raise RunNotPaused(f"thread {state.thread.id} waits on nothing")
        raise ValidationFailed("it waits on none of these interrupts", interruptId=unknown[0])
    upto = state.thread.head
    run = _take(state, work, principal=principal, entries=asked, past=past, channel=channel)
    left = tuple(q.id for q in state.open_questions() if q.run == run)
    number = pauses(state.chain_of(run), run)
    leg = Leg(run, number - 1 if left else number, left, upto, unknown)
    _keep(state, work, run_id, mark, leg)
    return leg


def _take(
    state: ThreadState,
    work: Work,
    *,
    principal: str,
    entries: Sequence[ResumeEntry],
    past: Mapping[str, Interrupt],
    channel: str,
) -> str:
    """Decide what is not decided yet; the run."""
    runs = {past[entry.interrupt_id].run for entry in entries}
    if len(runs) > 1:
        raise ValidationFailed("resume: it answers questions of several runs")
    run = runs.pop()
    now = {**past, **state.questions}
    questions = [(now[entry.interrupt_id], entry) for entry in entries]
    given = {q.id: response(q, entry) for q, entry in questions if not _let_go(q, entry)}
    if not given:
        return run
    live = state.runs.get(run)
    if live is not None and principal in live.row.principals and _walks_away(live, given):
        stop_runs(state, work, [live], principal)
        return run
    return resuming.resume(state, work, principal, given, channel, past=past)


def _walks_away(live: LiveRun, given: Mapping[str, Response]) -> bool:
    """Whether nothing that the run waits for is answered."""
    declined = all(isinstance(answer, Declined) for answer in given.values())
    return declined and bool(live.machine.open) and live.machine.open <= set(given)


def _let_go(question: Interrupt, entry: ResumeEntry) -> bool:
    """Whether the question was let go of before, in whatever way."""
    return entry.status == "cancelled" and question.status in LET_GO


def pauses(chain: Sequence[Entry], run: str) -> int:
    """How often a run has asked."""
    return len(asked_by(chain, run))


def asked_by(chain: Sequence[Entry], run: str) -> list[list[str]]:
    """The questions of each of a run's pauses."""
    return [
        [str(item["id"]) for item in entry.body["interrupts"]]
        for entry in chain
        if entry.run == run and entry.kind is Kind.INTERRUPT and entry.body["status"] == "paused"
    ]


# -- the ids that are known ------------------------------------------------------------------------


def _known(state: ThreadState, run_id: str, mark: str) -> Leg | None:
    kept = _kept(state).get(run_id)
    if kept is None:
        return None
    if kept["mark"] != mark:
        raise KeyReused("this runId was used for another request")
    return Leg(
        kept["run"],
        kept["leg"],
        tuple(kept["open"]),
        kept["upto"],
        tuple(kept["unknown"]),
        repeated=True,
    )


def _kept(state: ThreadState) -> dict[str, Any]:
    kept = state.thread.settings.get(SETTING)
    return dict(kept) if isinstance(kept, dict) else {}


def _keep(state: ThreadState, work: Work, run_id: str, mark: str, leg: Leg) -> None:
    line: dict[str, Json] = {
        "run": leg.run,
        "leg": leg.number,
        "open": list(leg.open),
        "upto": leg.upto,
        "unknown": list(leg.unknown),
        "mark": mark,
    }
    kept = {**_kept(state), run_id: line}
    last: dict[str, Json] = dict(list(kept.items())[-KEPT:])
    state.save_thread(work, settings={**state.thread.settings, SETTING: last})
