"""Reading rows: a row that can't be read is left out and named, its neighbours stay."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from gateway.core.interrupts import Interrupt
from gateway.core.log import Entry, Kind, Place
from gateway.core.queueing import Priority
from gateway.ports.agent import JournalRecord
from gateway.ports.rows import InputRow, InputState, NewInput, Outcome, PromptRow, RunRow, ThreadRow
from gateway.store.codec import (
    Unreadable,
    loads,
    loads_object,
    moment,
    read_new_input,
    read_run,
    readable,
)

T = TypeVar("T")
Row = tuple[Any, ...]

INPUT = "SELECT thread, seq, dedup, state, priority, outcome, principal, accepted_at, body"
ENTRY = "SELECT seq, parent, branch, run, step, place, kind, body"
RUN = "SELECT id, thread, state, started_at, body"
QUESTION = "SELECT id, status, expires_at, body"
PROMPT = "SELECT question, thread, channel, chat, principal, token, state, message_ref, seq"
THREAD = "SELECT id, principal, private, epoch, head, leaf, branch, created_at, body"


class Reader:
    """Reads on one connection; `unreadable` collects the names of rows left out."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.unreadable: list[str] = []
        self._connection = connection

    def rows(self, sql: str, *values: object) -> list[Row]:
        """The rows of a query, as they stand in the file."""
        return self._connection.execute(sql, values).fetchall()

    def keep(self, name: str, decode: Callable[..., T], *args: Any) -> list[T]:
        """What `decode` reads, in a list; nothing, and its name noted, where it can't be read."""
        value = readable(name, decode, *args)
        if isinstance(value, Unreadable):
            self.unreadable.append(value.name)
            return []
        return [value]

    def inputs(self, where: str, *values: object) -> list[InputRow]:
        """Inputs, in order of sequence."""
        rows = self.rows(f"{INPUT} FROM inbox WHERE {where} ORDER BY thread, seq", *values)
        return [v for row in rows for v in self.keep(f"input {row[1]}", _input, row)]

    def runs(self, where: str, *values: object, order: str = "position") -> list[RunRow]:
        """Runs, in order of start."""
        rows = self.rows(f"{RUN} FROM run WHERE {where} ORDER BY {order}", *values)
        return [v for row in rows for v in self.keep(f"run {row[0]}", _run, row)]

    def questions(self, where: str, *values: object) -> list[Interrupt]:
        """Questions, in order asked."""
        order = "ORDER BY thread, position"
        rows = self.rows(f"{QUESTION} FROM question WHERE {where} {order}", *values)
        return [v for row in rows for v in self.keep(f"question {row[0]}", _question, row)]

    def prompts(self, where: str, *values: object) -> list[PromptRow]:
        """Prompts, by question and place."""
        order = "ORDER BY question, channel, chat, principal, token"
        rows = self.rows(f"{PROMPT} FROM prompt WHERE {where} {order}", *values)
        return [v for row in rows for v in self.keep(f"prompt of question {row[0]}", _prompt, row)]

    def journal(self, run: str) -> list[JournalRecord]:
        """A run's journal, in order written."""
        rows = self.rows(
            "SELECT call_id, record, note, value, position FROM journal"
            " WHERE run = ? ORDER BY position",
            run,
        )
        return [v for row in rows for v in self.keep(f"journal {run} {row[4]}", _record, row)]

    def threads(self, where: str, *values: object) -> list[ThreadRow]:
        """Threads, newest first."""
        rows = self.rows(
            f"{THREAD} FROM thread WHERE {where} ORDER BY created_at DESC, id DESC", *values
        )
        members: dict[str, list[str]] = {}
        for thread, principal in self.rows(
            "SELECT thread, principal FROM member"
            f" WHERE thread IN (SELECT id FROM thread WHERE {where}) ORDER BY thread, position",
            *values,
        ):
            members.setdefault(thread, []).append(principal)
        return [
            v
            for row in rows
            for v in self.keep(
                f"thread {row[0]}", self._thread, row, tuple(members.get(row[0], ()))
            )
        ]

    def _thread(self, row: Row, members: tuple[str, ...]) -> ThreadRow:
        """A thread; settings that can't be read are noted and are those of a new one."""
        thread, principal, private, epoch, head, leaf, branch, created_at, body = row
        bodies: list[Mapping[str, Any]] = [
            *self.keep(f"settings of thread {thread}", loads_object, body),
            {},
        ]
        return ThreadRow(
            id=thread,
            private=bool(private),
            owner=_text(principal),
            members=members,
            epoch=epoch,
            head=head,
            leaf=leaf,
            branch=branch,
            settings=bodies[0].get("settings", {}),
            title=bodies[0].get("title", ""),
            created_at=moment(created_at),
        )

    def entries(self, rows: Iterable[Row]) -> tuple[list[Entry], Callable[[int], int]]:
        """Entries whose `parent` skips those left out, and the function that does the skipping."""
        parents: dict[int, int] = {}
        entries: list[Entry] = []
        for row in rows:
            kept = self.keep(f"entry {row[0]}", _entry, row)
            entries.extend(kept)
            if not kept:
                parents[row[0]] = row[1] if isinstance(row[1], int) and row[1] < row[0] else 0

        def nearest(seq: int) -> int:
            while seq in parents:
                seq = parents[seq]
            return seq

        if parents:
            entries = [replace(entry, parent=nearest(entry.parent)) for entry in entries]
        return entries, nearest


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not text")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError("not a number")
    return value


def _input(row: Row) -> InputRow:
    thread, seq, dedup, state, priority, outcome, principal, accepted_at, body = row
    fields = loads_object(body)
    return InputRow(
        seq=_number(seq),
        new=read_new_input(fields, dedup=_text(dedup), thread=thread, principal=_text(principal)),
        accepted_at=moment(accepted_at),
        state=InputState(state),
        priority=Priority(priority),
        collect=fields.get("collect", False),
        joins=fields.get("joins", False),
        beside=fields.get("beside", False),
        outcome=None if outcome is None else Outcome(outcome),
        detail=fields.get("detail", ""),
        run=fields.get("run"),
    )


def known_input(connection: sqlite3.Connection, new: NewInput) -> list[InputRow]:
    """The stored input of that `dedup`, in a list; empty where it can't be read."""
    return Reader(connection).inputs("dedup = ?", new.dedup)


NEEDED = {
    Kind.USER: frozenset({"text"}),
    Kind.ASSISTANT: frozenset({"text"}),
    Kind.TOOL_CALL: frozenset({"id", "name", "arguments"}),
    Kind.TOOL_RESULT: frozenset({"callId", "name", "content", "error"}),
}
"""What a history can't be read without; an entry that lacks it is damaged."""


def _entry(row: Row) -> Entry:
    seq, parent, branch, run, step, place, kind, body = row
    if not 0 <= _number(parent) < _number(seq):
        raise ValueError("an entry follows an earlier one")
    known = Kind(kind)
    held = loads_object(body)
    if not NEEDED.get(known, frozenset()) <= held.keys():
        raise ValueError(f"a {known.value} entry lacks what it holds")
    return Entry(
        seq,
        parent,
        _number(branch),
        _text(run),
        _number(step),
        Place(place),
        known,
        held,
    )


def _record(row: Row) -> JournalRecord:
    call_id, record, note, value, _ = row
    return JournalRecord(_text(call_id), _text(record), _text(note), loads(value))


def _run(row: Row) -> RunRow:
    run, thread, state, started_at, body = row
    return read_run(
        loads_object(body), run=run, thread=thread, state=_text(state), started_at=started_at
    )


def _question(row: Row) -> Interrupt:
    question, status, expires_at, body = row
    fields = loads_object(body)
    if (fields["id"], fields["status"], fields["expiresAt"]) != (question, status, expires_at):
        raise ValueError("the body contradicts its columns")
    return Interrupt.from_storage(fields)


def _prompt(row: Row) -> PromptRow:
    question, thread, channel, chat, principal, token, state, message_ref, seq = row
    return PromptRow(
        question=_text(question),
        thread=_text(thread),
        channel=_text(channel),
        chat=_text(chat),
        principal=_text(principal),
        token=_text(token),
        state=_text(state),
        message_ref=_text(message_ref),
        seq=_number(seq),
    )
