"""The queries of the store."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from gateway.core.errors import NotFound
from gateway.core.interrupts import Interrupt
from gateway.core.log import Entry
from gateway.ports.rows import InputKind, InputRow, PromptRow, Rule, RunRow, ThreadRow
from gateway.ports.store import Loaded
from gateway.store.codec import Unreadable, moment, readable, stamp
from gateway.store.rows import ENTRY, Reader

LIVE_RUN = "SELECT id FROM run WHERE thread = ? AND state <> 'ended'"
LAST_RUN = "SELECT id FROM run WHERE thread = ? AND beside = 0 ORDER BY position DESC LIMIT 1"
LAST_EXPIRED = "SELECT max(position) FROM question WHERE thread = ? AND status = 'expired'"
KEPT_QUESTIONS = f"""
thread = ? AND (status = 'pending' OR run IN ({LIVE_RUN}) OR run IN ({LAST_RUN})
OR position = ({LAST_EXPIRED}))
"""
"""What an owner needs of the questions: the open ones, those of runs that go on or may be retried,
and the last that nobody answered."""
BUSY = """
SELECT thread FROM inbox WHERE state <> 'done'
UNION SELECT thread FROM run WHERE state <> 'ended'
UNION SELECT thread FROM question WHERE status = 'pending'
"""
EXPIRED = """
SELECT thread, id FROM question WHERE status = 'pending' AND expires_at <= ?
ORDER BY expires_at, id
"""
EXPIRIES = """
SELECT expires_at, id FROM question
WHERE status = 'pending' AND (expires_at, id) > (?, ?) ORDER BY expires_at, id LIMIT 16
"""
CHAIN = f"""
WITH RECURSIVE chain (at) AS (
    SELECT CAST(? AS BIGINT)
    UNION SELECT entry.parent FROM entry JOIN chain ON entry.seq = chain.at WHERE entry.thread = ?
)
{ENTRY} FROM entry JOIN chain ON entry.seq = chain.at WHERE entry.thread = ? ORDER BY entry.seq
"""


def load(reader: Reader, thread: str, epoch: int) -> Loaded:
    """What an owner at `epoch` starts from."""
    row = one_thread(reader, thread)
    if row is None:
        raise NotFound(f"no thread {thread}")
    inputs = reader.inputs("thread = ? AND state <> 'done'", thread)
    runs = reader.runs("thread = ? AND state <> 'ended'", thread)
    questions = reader.questions(KEPT_QUESTIONS, thread, thread, thread, thread)
    prompts = reader.prompts(
        "question IN (SELECT id FROM question WHERE thread = ? AND status = 'pending')", thread
    )
    entries, nearest = reader.entries(reader.rows(CHAIN, row.leaf, thread, thread))
    last = reader.runs("thread = ? AND beside = 0", thread, order="position DESC LIMIT 1")
    return Loaded(
        thread=replace(row, epoch=epoch, leaf=nearest(row.leaf)),
        inputs=tuple(inputs),
        runs=tuple(runs),
        questions=tuple(questions),
        prompts=tuple(prompts),
        entries=tuple(entries),
        rules=_rules(reader, thread),
        last_run=last[0] if last else None,
    )


def _rules(reader: Reader, thread: str) -> tuple[Rule, ...]:
    rows = reader.rows(
        "SELECT thread, principal, tool FROM approval_rule WHERE thread = ?"
        " ORDER BY principal, tool",
        thread,
    )
    return tuple(Rule(*row) for row in rows)


def one_thread(reader: Reader, thread: str) -> ThreadRow | None:
    """The thread's row."""
    return next(iter(reader.threads("id = ?", thread)), None)


def threads(reader: Reader, principal: str | None) -> list[ThreadRow]:
    """All threads, or those of a person, newest first."""
    if principal is None:
        return reader.threads("1 = 1")
    return reader.threads(
        "id IN (SELECT id FROM thread WHERE principal = ?"
        " UNION SELECT thread FROM member WHERE principal = ?)",
        principal,
        principal,
    )


def entries(reader: Reader, thread: str, after: int, limit: int) -> list[Entry]:
    """The log, or a part of it."""
    sql = f"{ENTRY} FROM entry WHERE thread = ? AND seq > ? ORDER BY seq LIMIT ?"
    return reader.entries(reader.rows(sql, thread, after, limit))[0]


def run_entries(reader: Reader, run: str) -> list[Entry]:
    """What one run left in its log."""
    return reader.entries(reader.rows(f"{ENTRY} FROM entry WHERE run = ? ORDER BY seq", run))[0]


def has_entry(reader: Reader, thread: str, seq: int) -> bool:
    """Whether there is an entry of that number."""
    return bool(reader.rows("SELECT 1 FROM entry WHERE thread = ? AND seq = ?", thread, seq))


def inputs(reader: Reader, thread: str) -> list[InputRow]:
    """All inputs of a thread."""
    return reader.inputs("thread = ?", thread)


def one_input(reader: Reader, thread: str, seq: int) -> InputRow | None:
    """One input."""
    return next(iter(reader.inputs("thread = ? AND seq = ?", thread, seq)), None)


def run(reader: Reader, run: str) -> RunRow | None:
    """One run."""
    return next(iter(reader.runs("id = ?", run)), None)


def questions(
    reader: Reader, thread: str | None, run: str | None, open_only: bool
) -> list[Interrupt]:
    """Questions, in order asked."""
    wanted = [("thread = ?", thread), ("run = ?", run)]
    asked = [(sql, value) for sql, value in wanted if value is not None]
    where = [sql for sql, _ in asked] + (["status = 'pending'"] if open_only else [])
    return reader.questions(" AND ".join(where) or "1 = 1", *(value for _, value in asked))


def question_thread(reader: Reader, question: str) -> str | None:
    """The thread in which a question was asked."""
    return next((row[0] for row in reader.rows(_THREAD_OF, question)), None)


_THREAD_OF = "SELECT thread FROM question WHERE id = ?"


def known(reader: Reader, dedup: str) -> bool:
    """Whether an input has this `dedup`."""
    return bool(reader.rows("SELECT 1 FROM inbox WHERE dedup = ?", dedup))


def prompt(reader: Reader, token: str) -> PromptRow | None:
    """The prompt of a token."""
    return next(iter(reader.prompts("token = ?", token)), None)


def last_shown(reader: Reader, channel: str) -> int:
    """The greatest sequence number of an open question's prompts on a channel."""
    return int(reader.rows(_LAST_SHOWN, channel)[0][0])


_LAST_SHOWN = """
SELECT coalesce(max(seq), 0) FROM prompt
WHERE channel = ? AND question IN (SELECT id FROM question WHERE status = 'pending')
"""


def asked_elsewhere(reader: Reader) -> list[tuple[PromptRow, Interrupt]]:
    """The prompts in other chats than the thread's own: of questions that are open, in the order
    asked, and after them of each person's last one in a chat where that expired and they said
    nothing since.
    """
    prompts = reader.prompts(f"token IN ({_ELSEWHERE})")
    asked = {q.id: q for q in reader.questions(f"id IN ({_OF_ELSEWHERE})")}
    pairs = [(row, asked[row.question]) for row in prompts if row.question in asked]
    pairs.sort(key=lambda pair: (pair[1].decision is not None, pair[1].created_at))
    return [(row, q) for row, q in pairs if q.decision is None or not _said_since(reader, row, q)]


_PLACED = """
FROM (
    SELECT prompt.token, prompt.question, question.status, row_number() OVER (
        PARTITION BY prompt.chat, prompt.principal, question.status = 'pending'
        ORDER BY question.decided_at DESC
    ) AS place
    FROM prompt JOIN question ON question.id = prompt.question WHERE prompt.chat <> prompt.thread
) AS placed WHERE status = 'pending' OR (status = 'expired' AND place = 1)
"""
_ELSEWHERE = f"SELECT token {_PLACED}"
_OF_ELSEWHERE = f"SELECT question {_PLACED}"


def _said_since(reader: Reader, prompt: PromptRow, expired: Interrupt) -> bool:
    """Whether the person said anything in the prompt's chat after the question's time."""
    said = reader.inputs(
        "thread IN (?, ?) AND principal = ? AND accepted_at >= ?",
        prompt.chat,
        prompt.thread,
        prompt.principal,
        stamp(expired.expires_at or expired.created_at),
    )
    return any(
        row.new.kind is InputKind.TEXT and prompt.chat == (row.new.chat or row.new.thread)
        for row in said
    )


def busy_threads(reader: Reader) -> list[str]:
    """Threads with something that has no end yet."""
    return [row[0] for row in reader.rows(BUSY)]


def expiries(reader: Reader, until: datetime) -> tuple[list[str], datetime | None]:
    """The threads with expired questions, and the earliest expiry after that; a question that can't
    be read is passed over: it can take no end.
    """
    over: dict[str, None] = {}
    for thread, question in reader.rows(EXPIRED, stamp(until)):
        if thread not in over and reader.questions("id = ?", question):
            over[thread] = None
    return list(over), _next_expiry(reader, (stamp(until), LAST))


LAST = "\U0010ffff"
"""Comes after every question's id."""


def _next_expiry(reader: Reader, after: tuple[str, str]) -> datetime | None:
    while rows := reader.rows(EXPIRIES, *after):
        for expires_at, question in rows:
            when = readable(f"expiry of question {question}", moment, expires_at)
            if not isinstance(when, Unreadable) and reader.questions("id = ?", question):
                return when
        after = rows[-1]
    return None
