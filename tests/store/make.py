"""Rows for the store's tests."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from gateway.core.interrupts import Decision, Interrupt, QuestionKind, Status, Way
from gateway.core.log import Entry, Kind, Place
from gateway.ports.rows import NewInput, PromptRow, RunRow, ThreadRow
from gateway.store.sqlite import SqliteStore

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


class NoonClock:
    def now(self) -> datetime:
        return NOON

    def monotonic(self) -> float:
        return 0.0


@dataclass
class Reports:
    """What was reported, as text."""

    said: list[str] = field(default_factory=list)

    def __call__(self, name: str, error: BaseException) -> None:
        self.said.append(str(error))

    @property
    def unreadable(self) -> set[str]:
        """The rows that could not be read, by name."""
        mark = "can't be read: "
        return {said.removeprefix(mark) for said in self.said if said.startswith(mark)}


async def open_store(path: Path, reports: Reports | None = None, **options: Any) -> SqliteStore:
    return await SqliteStore.open(
        path, owner="node", clock=NoonClock(), report=reports or Reports(), **options
    )


@asynccontextmanager
async def opened(path: Path, **options: Any) -> AsyncIterator[SqliteStore]:
    store = await open_store(path, **options)
    try:
        yield store
    finally:
        await store.close()


def change(path: Path, sql: str, *values: object) -> None:
    """Change the file behind the store's back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        assert connection.execute(sql, values).rowcount != 0


def a_thread(thread: str = "web:1", *, principal: str = "ann", private: bool = True) -> ThreadRow:
    return ThreadRow(id=thread, private=private, owner=principal)


def an_input(dedup: str = "web:a:1", *, thread: str = "web:1", **fields: Any) -> NewInput:
    said = {"principal": "ann", "channel": "web", "text": "hello"} | fields
    return NewInput(dedup=dedup, thread=thread, **said)


def an_entry(seq: int, *, parent: int | None = None, **fields: Any) -> Entry:
    given: dict[str, Any] = {
        "branch": 0,
        "run": "r1",
        "step": 1,
        "place": Place.TEXT,
        "kind": Kind.ASSISTANT,
    }
    body = {"text": f"text {seq}"}
    return Entry(
        seq=seq, parent=seq - 1 if parent is None else parent, **({**given, "body": body} | fields)
    )


def a_run(
    run: str = "r1", *, thread: str = "web:1", state: str = "running", **fields: Any
) -> RunRow:
    given: dict[str, Any] = {
        "agent": "concierge",
        "channel": "web",
        "principals": ("ann",),
        "inputs": (1,),
    }
    more = {"started_at": NOON}
    return RunRow(id=run, thread=thread, state=state, **(given | more | fields))


def a_question(question: str = "q1", *, run: str = "r1", **fields: Any) -> Interrupt:
    given: dict[str, Any] = {
        "kind": QuestionKind.APPROVAL,
        "ordinal": 0,
        "message": "Deploy to eu?",
        "schema": {"type": "boolean"},
        "tool_call_id": "c1",
        "tool_name": "deploy",
        "arguments_digest": "0" * 64,
        "principals": ("ann",),
        "created_at": NOON,
        "expires_in_seconds": 60.0,
    }
    return Interrupt(id=question, run=run, **(given | fields))


def approved(by: str = "ann") -> Decision:
    return Decision(status=Status.APPROVED, how=Way.BUTTON, value={"approved": True}, by=by)


def cancelled() -> Decision:
    return Decision(status=Status.CANCELLED, how=Way.MOVED_ON)


def a_prompt(token: str = "k1", *, question: str = "q1", **fields: Any) -> PromptRow:
    given: dict[str, Any] = {
        "thread": "web:1",
        "channel": "web",
        "chat": "web:1",
        "principal": "ann",
    }
    return PromptRow(question=question, token=token, **(given | fields))
