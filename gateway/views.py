"""A thread as data for clients: snapshot, line of a list, export. Never a checkpoint or digest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gateway.core.answers import answer_format
from gateway.core.interrupts import Interrupt, iso
from gateway.core.log import Entry, ordered, public
from gateway.core.messages import Json
from gateway.drawn import armed_data, decision_data, input_data
from gateway.live import LiveRun
from gateway.ports.rows import InputRow, PromptRow, ThreadRow
from gateway.reading import text_schema
from gateway.state import ThreadState

PAST_INPUTS, PAST_QUESTIONS = 500, 200


def thread_line(row: ThreadRow) -> dict[str, Json]:
    """A thread in a list."""
    return {
        "thread": row.id,
        "title": row.title,
        "private": row.private,
        "owner": row.owner,
        "createdAt": iso(row.created_at),
    }


def thread_lines(rows: Iterable[ThreadRow]) -> list[dict[str, Json]]:
    """The threads as a list: those on which something was said, or that were shared with somebody.
    Who looks at one, or opened one and left, has begun no conversation.
    """
    return [thread_line(row) for row in rows if row.head or row.title or row.members]


def thread_view(state: ThreadState, principal: str) -> dict[str, Json]:
    """The whole state of a thread as this person may see it."""
    names = state.thread.settings.get("channels")
    channel = str(names[-1]) if isinstance(names, list) and names else ""
    mode, source = state.mode_and_source(channel)
    questions = [q for q in state.open_questions() if principal in (*q.asked, *q.principals)]
    return {
        **thread_line(state.thread),
        "mode": {"mode": mode.value, "source": source},
        "entries": [entry_data(entry) for entry in ordered(state.chain)],
        "runs": [run_view(state, live) for live in state.occupying()],
        "queue": [input_data(row) for row in state.waiting()],
        "inputs": [input_data(row) for row in state.inputs.values()],
        "questions": [question_view(state, q, principal) for q in questions],
        "lastEnded": None
        if state.last_run is None
        else {
            "run": state.last_run.id,
            "end": state.last_run.end,
            "reason": state.last_run.reason,
            "error": state.last_run.error,
            "errorId": state.last_run.error_id,
            "retry": state.last_run.end in ("interrupted", "failed")
            and principal in state.last_run.principals,
        },
    }


def used(state: ThreadState) -> tuple[int, float]:
    """Tokens and US dollars of the runs that are on, else of the last one, up to its last step."""
    rows = [live.row for live in state.runs.values()]
    if not rows and state.last_run is not None:
        rows = [state.last_run]
    stored = [row.checkpoint for row in rows if isinstance(row.checkpoint, dict)]
    budgets = [found for one in stored if isinstance(found := one.get("budgets"), dict)]
    tokens = sum(int(str(one["tokens"])) for one in budgets)
    return tokens, sum(float(str(one["costUsd"])) for one in budgets)


def entry_data(entry: Entry) -> dict[str, Json]:
    """An entry of the log."""
    return {
        "seq": entry.seq,
        "branch": entry.branch,
        "run": entry.run,
        "step": entry.step,
        "kind": entry.kind.value,
        "body": public(entry.body),
    }


def run_view(state: ThreadState, live: LiveRun) -> dict[str, Json]:
    """A run that is on, with what was shown or heard of its text so far."""
    channel = state.channel(live.row.channel)
    shown = {step: live.cut.get(step) or channel.shown(live.ref(step)) for step in live.texts}
    texts: dict[str, Json] = {str(step): seen.text for step, seen in shown.items()}
    return {
        "run": live.id,
        "state": live.machine.state.value,
        "agent": live.row.agent,
        "reason": live.row.reason,
        "step": live.row.step,
        "principals": list(live.row.principals),
        "inputs": list(live.row.inputs),
        "retryOf": live.row.retry_of,
        "children": [{"child": run, "agent": agent} for run, agent in live.children.items()],
        "texts": texts,
    }


def question_view(state: ThreadState, question: Interrupt, principal: str) -> dict[str, Json]:
    """An open question; the token is there only for the person whose button it is."""
    tokens = [p.token for p in state.prompts_of(question.id) if p.principal == principal]
    language = state.runs[question.run].row.language
    return _question(question, tokens[0] if tokens else None, language)


def _question(question: Interrupt, token: str | None, language: str) -> dict[str, Json]:
    return {
        **question.to_h(),
        **armed_data(question),
        "form": answer_format(text_schema(question), language),
        "token": token,
        "asked": list(question.asked),
    }


def with_elsewhere(
    view: dict[str, Json], asked: Sequence[tuple[Interrupt, PromptRow]], language: str
) -> dict[str, Json]:
    """A thread's view with the questions of other threads that this person is asked here."""
    own = view["questions"]
    there: list[Json] = [_question(q, prompt.token, language) for q, prompt in asked]
    return {**view, "questions": [*(own if isinstance(own, list) else []), *there]}


def past_view(inputs: Sequence[InputRow], questions: Sequence[Interrupt]) -> dict[str, Json]:
    """What became of the last inputs and questions: the log alone doesn't tell."""
    done = [input_data(row) for row in inputs if row.outcome is not None]
    decided = [decision_data(q, q.decision) for q in questions if q.decision is not None]
    return {"past": [*done[-PAST_INPUTS:]], "decided": [*decided[-PAST_QUESTIONS:]]}


def export(row: ThreadRow, entries: Sequence[Entry], inputs: Sequence[InputRow]) -> dict[str, Json]:
    """Everything that was said on a thread."""
    return {
        **thread_line(row),
        "entries": [entry_data(entry) for entry in entries],
        "inputs": [input_data(item) for item in inputs],
    }
