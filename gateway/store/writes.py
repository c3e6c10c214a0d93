"""What each write of a commit does to the tables."""

from __future__ import annotations

from functools import singledispatch

from gateway.core.errors import IllegalEvent
from gateway.ports.rows import InputState
from gateway.ports.store import (
    AppendEntry,
    AskAnew,
    DecideQuestion,
    SaveInput,
    SaveJournal,
    SavePrompt,
    SaveQuestion,
    SaveRule,
    SaveRun,
    SaveThread,
    SetLeaf,
    Write,
)
from gateway.store import files
from gateway.store.codec import dumps, input_body, run_body, stamp, thread_body
from gateway.store.decisions import ask_anew, decide_question, save_question
from gateway.store.fenced import Fenced, Step, insert_members


@singledispatch
def prepare(write: Write) -> Step:
    """The step of a write. Rows are put into their stored form here, before they are handed over.

    Raises:
        ValidationFailed: the row can't be stored.
    """
    raise TypeError(f"not a write: {type(write).__name__}")


_MOVES = {False: "head = ?, leaf = ?, branch = ?", True: "head = ?"}


@prepare.register
def _append(write: AppendEntry) -> Step:
    entry, body = write.entry, dumps(dict(write.entry.body))
    attached = {str(one["blob"]) for one in entry.body.get("attachments", ())}

    def step(fenced: Fenced) -> None:
        if not 0 <= entry.parent < entry.seq:
            raise IllegalEvent(f"entry {entry.seq} can't follow entry {entry.parent}")
        moved = (entry.seq,) if write.beside else (entry.seq, entry.seq, entry.branch)
        fenced.must(
            f"entry {entry.seq} does not follow the log's head",
            f"UPDATE thread SET {_MOVES[write.beside]} WHERE id = ? AND head = ?",
            *moved,
            fenced.thread,
            entry.seq - 1,
        )
        fenced.change(
            "INSERT INTO entry"
            " (thread, seq, parent, branch, epoch, run, step, place, kind, input_seq, body)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            fenced.thread,
            entry.seq,
            entry.parent,
            entry.branch,
            fenced.epoch,
            entry.run,
            entry.step,
            int(entry.place),
            entry.kind.value,
            write.input_seq,
            body,
        )
        if write.input_seq is None:
            files.said(fenced, attached)

    return step


@prepare.register
def _set_leaf(write: SetLeaf) -> Step:
    return lambda fenced: fenced.must(
        f"no entry {write.leaf} to go on from",
        "UPDATE thread SET leaf = ?, branch = ? WHERE id = ? AND ? BETWEEN 0 AND head",
        write.leaf,
        write.branch,
        fenced.thread,
        write.leaf,
    )


@prepare.register
def _save_thread(write: SaveThread) -> Step:
    row, body = write.row, thread_body(write.row)

    def step(fenced: Fenced) -> None:
        fenced.change("UPDATE thread SET body = ? WHERE id = ?", body, fenced.thread)
        fenced.change("DELETE FROM member WHERE thread = ?", fenced.thread)
        insert_members(fenced, row.members)

    return step


@prepare.register
def _save_input(write: SaveInput) -> Step:
    row, body = write.row, input_body(write.row)
    if (row.state is InputState.DONE) != (row.outcome is not None):
        raise IllegalEvent(f"input {row.seq} is {row.state} with outcome {row.outcome}")
    return lambda fenced: fenced.must(
        f"no input {row.seq}",
        "UPDATE inbox SET state = ?, priority = ?, outcome = ?, body = ?"
        " WHERE thread = ? AND seq = ?",
        row.state.value,
        int(row.priority),
        None if row.outcome is None else row.outcome.value,
        body,
        fenced.thread,
        row.seq,
    )


@prepare.register
def _save_run(write: SaveRun) -> Step:
    row, body = write.row, run_body(write.row)
    return lambda fenced: fenced.must(
        f"run {row.id} is another thread's",
        "INSERT INTO run (id, thread, position, epoch, state, started_at, body, beside)"
        " SELECT ?, ?, coalesce(max(position), 0) + 1, ?, ?, ?, ?, ? FROM run WHERE thread = ?"
        " ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, state = excluded.state,"
        " started_at = excluded.started_at, body = excluded.body"
        " WHERE run.thread = excluded.thread",
        row.id,
        fenced.thread,
        fenced.epoch,
        row.state,
        stamp(row.started_at),
        body,
        int(row.beside),
        fenced.thread,
    )


@prepare.register
def _save_question(write: SaveQuestion) -> Step:
    return save_question(write.question)


@prepare.register
def _decide_question(write: DecideQuestion) -> Step:
    return decide_question(write.question)


@prepare.register
def _ask_anew(write: AskAnew) -> Step:
    return ask_anew(write.question)


@prepare.register
def _save_prompt(write: SavePrompt) -> Step:
    row = write.row
    return lambda fenced: fenced.must(
        f"the token of a prompt for question {row.question} is another prompt's",
        "INSERT INTO prompt"
        " (token, question, thread, channel, chat, principal, state, message_ref, seq)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (token) DO UPDATE SET state = excluded.state,"
        " message_ref = excluded.message_ref, seq = excluded.seq"
        " WHERE prompt.thread = excluded.thread AND prompt.question = excluded.question"
        " AND prompt.principal = excluded.principal",
        row.token,
        row.question,
        fenced.thread,
        row.channel,
        row.chat,
        row.principal,
        row.state,
        row.message_ref,
        row.seq,
    )


@prepare.register
def _save_journal(write: SaveJournal) -> Step:
    record, value = write.record, dumps(write.record.value)
    return lambda fenced: fenced.must(
        f"journal of run {write.run}",
        "INSERT INTO journal (thread, run, position, epoch, call_id, record, note, value)"
        " SELECT ?, ?, coalesce(max(position), 0) + 1, ?, ?, ?, ?, ? FROM journal WHERE run = ?",
        fenced.thread,
        write.run,
        fenced.epoch,
        record.call_id,
        record.record,
        record.key,
        value,
        write.run,
    )


@prepare.register
def _save_rule(write: SaveRule) -> Step:
    rule = write.rule

    def step(fenced: Fenced) -> None:
        fenced.change(
            "INSERT INTO approval_rule (thread, principal, tool) VALUES (?, ?, ?)"
            " ON CONFLICT (thread, principal, tool) DO NOTHING",
            fenced.thread,
            rule.principal,
            rule.tool,
        )

    return step
