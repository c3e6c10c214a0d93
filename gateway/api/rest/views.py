"""The engine's values as what goes over the wire. Never a checkpoint, never a digest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gateway.api.auth import Caller
from gateway.api.door import Door, Sight
from gateway.api.feed import Follow
from gateway.api.rest import models
from gateway.api.runlog import RunLog
from gateway.core.answers import answer_format
from gateway.core.events import State
from gateway.core.interrupts import Interrupt, iso
from gateway.core.log import Entry, Kind, public
from gateway.drawn import input_data
from gateway.live import LiveRun
from gateway.ports.rows import InputRow, RunRow, ThreadRow
from gateway.reading import text_schema
from gateway.resuming import last_of
from gateway.state import ThreadState

STATUSES: Mapping[State, models.Status] = {
    State.STARTING: "starting",
    State.RUNNING: "running",
    State.STOPPING: "stopping",
    State.ASKING: "paused",
    State.DELIVERING: "delivering",
}


def interrupt(question: Interrupt, language: str = "en") -> models.Interrupt:
    """A question."""
    form = answer_format(text_schema(question), language)
    armed = question.armed_at is not None
    data = {
        **question.to_h(),
        "form": form,
        "expiresAt": iso(question.expires_at) if armed else None,
    }
    return models.Interrupt.model_validate(data)


def input_(data: Mapping[str, Any]) -> models.Input:
    """An input, as it is drawn."""
    return models.Input.model_validate({name: data[name] for name in _INPUT if name in data})


_INPUT = [field.alias or name for name, field in models.Input.model_fields.items()]


def given_back(follow: Follow, caller: Caller) -> list[models.Input]:
    """The caller's messages that a stop gave back."""
    mine = [data for data in follow.returned if data.get("principal") == caller.principal]
    return [input_(data) for data in mine]


def row(item: InputRow) -> models.Input:
    """An input, as it is stored."""
    return input_(input_data(item))


def thread(item: ThreadRow) -> models.Thread:
    """A thread in a list."""
    return models.Thread(**thread_data(item))


def thread_data(item: ThreadRow) -> dict[str, Any]:
    """What is told of every thread."""
    return {
        "id": item.id,
        "title": item.title,
        "private": item.private,
        "owner": item.owner,
        "created_at": iso(item.created_at),
    }


def entry(item: Entry) -> models.Entry:
    """A line of the log."""
    return models.Entry(
        seq=item.seq,
        parent=item.parent,
        branch=item.branch,
        run=item.run,
        step=item.step,
        kind=item.kind.value,
        body=public(item.body),
    )


def waiting(agent: str, thread: str, data: Mapping[str, Any]) -> models.Run:
    """A run that is not there yet, or never will be: its message."""
    outcome = data.get("outcome")
    returned = outcome in ("returned", "interrupted")
    return models.Run(
        thread=thread,
        agent=agent,
        status="queued" if outcome is None else "interrupted" if returned else "completed",
        reason=str(data.get("detail")) if returned else None,
        undelivered=[str(data.get("text"))] if outcome == "returned" else [],
        returned=[input_(data)] if outcome == "returned" else [],
        input=input_(data),
    )


def live_run(state: ThreadState, live: LiveRun, principal: str) -> models.Run:
    """A run that has not ended, inside its thread's actor."""
    row_ = live.row
    channel = state.channel(row_.channel)
    step = max(live.texts, default=0)
    growing = live.cut.get(step) or channel.shown(live.ref(step)) if step else None
    asked = [q for q in state.open_questions() if q.run == live.id and may_see(q, principal)]
    return models.Run(
        id=live.id,
        thread=row_.thread,
        agent=row_.agent,
        status=STATUSES[live.machine.state],
        text=growing.text if growing is not None else last_of(state.chain_of(live.id), live.id)[0],
        interrupts=[interrupt(q, row_.language) for q in asked],
        queued=[item.new.text for item in state.waiting() if item.new.run == live.id],
        children=[models.Child(run=run, agent=agent) for run, agent in live.children.items()],
        reason=row_.reason,
        started_at=iso(row_.started_at),
    )


def may_see(question: Interrupt, principal: str) -> bool:
    """Whether a question is this person's to see: asked of them, or by their own run."""
    return principal in (*question.asked, *question.principals)


async def run(door: Door, caller: Caller, run: RunRow) -> tuple[models.Run, Sight | None]:
    """A run as it stands now, for whoever may look at its thread, and what it asks."""
    store = door.router.wiring.store
    made: models.Run | None = None
    sight: Sight | None = None
    if run.end is None:
        made, sight = await door.router.ask(
            run.thread, lambda state, work: _live(door, state, run.id, caller)
        )
    if made is None:
        run = await store.run(run.id) or run
        made = await _ended(door, run)
    return _with_messages(made, await _messages(door, run)), sight


def _live(
    door: Door, state: ThreadState, run: str, caller: Caller
) -> tuple[models.Run | None, Sight | None]:
    """A run that has not ended, and what it asks."""
    live = state.runs.get(run)
    if live is None:
        return None, None
    made = live_run(state, live, caller.principal)
    asked = [question.id for question in made.interrupts]
    return made, door.sight(caller, state, asked) if asked else None


async def _ended(door: Door, row_: RunRow) -> models.Run:
    log = _whole(door, row_)
    text = await _last_text(door, row_) if log is None else log.text
    end: Any = row_.end or "failed"
    return models.Run(
        id=row_.id,
        thread=row_.thread,
        agent=row_.agent,
        status=end,
        text=text,
        reason=row_.reason,
        error=row_.error,
        error_id=row_.error_id,
        started_at=iso(row_.started_at),
    )


def ended_run(log: RunLog, data: Mapping[str, Any]) -> models.Run:
    """A run as it ended, by what its log says of that."""
    made = models.Run(
        id=log.run,
        thread=log.thread,
        agent=data["agent"],
        status=data["end"],
        text=log.text,
        reason=data["reason"],
        error=data["error"],
        error_id=data["errorId"],
    )
    return _with_messages(made, log.inputs.values())


def _whole(door: Door, row_: RunRow) -> RunLog | None:
    """The run's log, where everything that the row knows of was told to it: the store knows of an
    end first.
    """
    log: RunLog | None = door.feed.known(row_.id)
    if log is None or not log.whole or (row_.end is not None and not log.over):
        return None
    return log


async def _last_text(door: Door, row_: RunRow) -> str:
    entries = await door.router.wiring.store.run_entries(row_.id)
    texts = [entry.body["text"] for entry in entries if entry.kind is Kind.ASSISTANT]
    return str(texts[-1]) if texts else ""


async def _messages(door: Door, row_: RunRow) -> list[Mapping[str, Any]]:
    """What was said to a run: from its log, or where that is not whole, from the store."""
    log = _whole(door, row_)
    if log is not None:
        return list(log.inputs.values())
    rows = await door.router.wiring.store.inputs(row_.thread)
    return [input_data(item) for item in rows if item.new.run == row_.id]


def _with_messages(made: models.Run, messages: Iterable[Mapping[str, Any]]) -> models.Run:
    """The run with what became of the messages to it."""
    said = [data for data in messages if data.get("kind") == "text"]
    returned = [input_(d) for d in said if d.get("outcome") == "returned"]
    refused = [
        models.RefusedMessage(text=str(d["text"]), code=str(d["detail"]))
        for d in said
        if d.get("outcome") == "refused"
    ]
    texts = [one.text for one in returned]
    update = {"undelivered": texts, "returned": returned, "refused": refused}
    return made.model_copy(update=update)


def pauses(found: Sequence[Mapping[str, Any]]) -> list[models.Pause]:
    """Open questions with where they are asked."""
    return [models.Pause.model_validate({"form": "", **item}) for item in found]
