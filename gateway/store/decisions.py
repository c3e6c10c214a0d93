"""Questions: stored while open, decided once."""

from __future__ import annotations

from gateway.core.errors import AlreadyDecided, IllegalEvent, InterruptExpired, NotFound
from gateway.core.interrupts import Interrupt, Status, Way, iso
from gateway.store.codec import dumps
from gateway.store.fenced import Fenced, Step

GRANTS = (Status.ANSWERED, Status.APPROVED, Status.DENIED)
"""Decisions that a person gave: they have to come before the expiry."""


def save_question(question: Interrupt) -> Step:
    """A question that is open: new, armed, or with a try counted."""
    body = dumps(question.to_storage())
    if question.decision is not None:
        raise IllegalEvent(f"question {question.id} is decided: only DecideQuestion stores that")

    def step(fenced: Fenced) -> None:
        saved = fenced.change(
            "INSERT INTO question (id, thread, position, epoch, run, status, expires_at, body)"
            " SELECT ?, ?, coalesce(max(position), 0) + 1, ?, ?, 'pending', ?, ?"
            " FROM question WHERE thread = ?"
            " ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch,"
            " expires_at = excluded.expires_at, body = excluded.body"
            " WHERE question.thread = excluded.thread AND question.status = 'pending'",
            question.id,
            fenced.thread,
            fenced.epoch,
            question.run,
            iso(question.expires_at),
            body,
            fenced.thread,
        )
        if saved == 0:
            raise _undecidable(fenced, question)

    return step


def decide_question(question: Interrupt) -> Step:
    """The one decision of a question; a grant only before its expiry.

    The step raises:
        AlreadyDecided, InterruptExpired, NotFound: nothing is changed.
    """
    body = dumps(question.to_storage())
    decided_at = iso(question.decided_at)
    if question.decision is None or decided_at is None:
        raise IllegalEvent(f"question {question.id} holds no decision")
    in_time = " AND (expires_at IS NULL OR ? < expires_at)" if question.status in GRANTS else ""
    values: tuple[object, ...] = (decided_at,) if in_time else ()

    def step(fenced: Fenced) -> None:
        decided = fenced.change(
            "UPDATE question SET status = ?, decided_at = ?, epoch = ?, body = ?"
            f" WHERE id = ? AND thread = ? AND status = 'pending'{in_time}",
            question.status.value,
            decided_at,
            fenced.epoch,
            body,
            question.id,
            fenced.thread,
            *values,
        )
        if decided == 0:
            raise _undecidable(fenced, question)

    return step


def ask_anew(question: Interrupt) -> Step:
    """A decision that became void, since its answer did not fit."""
    body = dumps(question.to_storage())
    if question.decision is None or question.decision.how is not Way.ASKED_ANEW:
        raise IllegalEvent(f"question {question.id} is not asked anew")
    return lambda fenced: fenced.must(
        f"no decided question {question.id}",
        "UPDATE question SET status = ?, epoch = ?, body = ?"
        " WHERE id = ? AND thread = ? AND status <> 'pending'",
        question.status.value,
        fenced.epoch,
        body,
        question.id,
        fenced.thread,
    )


def _undecidable(fenced: Fenced, question: Interrupt) -> Exception:
    stored = fenced.row(
        "SELECT status FROM question WHERE id = ? AND thread = ?", question.id, fenced.thread
    )
    if stored is None:
        return NotFound(f"no question {question.id} on thread {fenced.thread}")
    if stored[0] != Status.PENDING.value:
        return AlreadyDecided(f"question {question.id} is {stored[0]}", interruptId=question.id)
    return InterruptExpired(f"question {question.id} has expired", interruptId=question.id)
