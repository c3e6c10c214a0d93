"""The record of a question that pauses a run, and the one decision it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from gateway.core.canonical import canonical_json, digest
from gateway.core.errors import AlreadyDecided, InterruptExpired, ValidationFailed
from gateway.core.messages import Json

DEFAULT_EXPIRY_SECONDS = 24 * 3600
APPROVERS = "approvers"
"""Stands in `Interrupt.approvers` for a question `to="approvers"` until the host has named them."""
MAX_TRIES = 3
"""The unclear answer at which a question is released; the two before it are asked again."""
TOOL_CALL = "tool_call"
"""The reason of a question whether a call may run; the host asks it, a tool can't."""
APPROVAL_ORDINAL = -1
"""The ordinal of the question whether a call may run; the tool's own questions count from 0."""


class QuestionKind(StrEnum):
    """What is asked: a value, leave to run a call, or leave to follow a plan."""

    INPUT = "input"
    APPROVAL = "approval"
    PLAN = "plan"


class Status(StrEnum):
    """Where a question stands; all but pending are decisions and final."""

    PENDING = "pending"
    ANSWERED = "answered"
    APPROVED = "approved"
    DENIED = "denied"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


class Way(StrEnum):
    """How a decision came about."""

    TEXT = "text"
    BUTTON = "button"
    VOICE = "voice"
    API = "api"
    DEFAULT = "default"
    DECLINED = "declined"
    MOVED_ON = "moved_on"
    UNDELIVERABLE = "undeliverable"
    ASKED_ANEW = "asked_anew"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision. `value` is the answer, or `{"approved": bool, "reason"?: str}`."""

    status: Status
    how: Way
    value: Json = None
    by: str = ""
    understood: str = ""
    updated_arguments: Mapping[str, Json] | None = None
    remember: bool = False

    def same_as(self, other: Decision) -> bool:
        """Whether a replay says the same: status, value and edits; not who sent it or how."""
        return self.status is other.status and _same_json(
            [self.value, self.updated_arguments], [other.value, other.updated_arguments]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupt:
    """A question asked by a tool call, or an approval asked about one. Changed by copy only.

    `principals` are the persons asked, `approvers` those asked instead of them (`to="approvers"`).
    `expires_at` is set when the question is armed: when the first prompt was seen to be delivered.
    """

    id: str
    run: str
    kind: QuestionKind
    ordinal: int
    message: str
    schema: Mapping[str, Json]
    tool_call_id: str
    tool_name: str
    arguments_digest: str
    principals: tuple[str, ...]
    created_at: datetime
    reason: str = ""
    details: Mapping[str, Json] = field(default_factory=dict)
    approvers: tuple[str, ...] = ()
    expires_in_seconds: float = DEFAULT_EXPIRY_SECONDS
    armed_at: datetime | None = None
    expires_at: datetime | None = None
    tries: int = 0
    decision: Decision | None = None
    decided_at: datetime | None = None

    @property
    def status(self) -> Status:
        """Pending, or the status of its decision."""
        return Status.PENDING if self.decision is None else self.decision.status

    @property
    def asked(self) -> tuple[str, ...]:
        """Who may decide: the approvers where it is asked of them, else the run's persons."""
        return self.approvers or self.principals

    @property
    def asks_leave(self) -> bool:
        """Whether it asks if a tool call may run: this run's, or one of its child run's."""
        return self.kind is QuestionKind.APPROVAL and self.reason == TOOL_CALL

    def expired(self, now: datetime) -> bool:
        """Whether its time is over; inclusive."""
        return self.expires_at is not None and now >= self.expires_at

    def answerable(self, now: datetime) -> bool:
        """Whether a decision would still be taken at `now`."""
        return self.decision is None and not self.expired(now)

    def arm(self, now: datetime) -> Interrupt:
        """The armed copy; the first arming stands."""
        if self.armed_at is not None:
            return self
        return replace(
            self, armed_at=now, expires_at=now + timedelta(seconds=self.expires_in_seconds)
        )

    def unclear(self) -> Interrupt:
        """A copy with one more unclear answer counted."""
        return replace(self, tries=self.tries + 1)

    def decide(self, decision: Decision, answered_at: datetime) -> Interrupt:
        """The decided copy; edited arguments bring their own digest, the only one that may run.

        Raises:
            AlreadyDecided: it holds a decision, this or another one.
            InterruptExpired: `answered_at` is at or after the expiry.
            ValidationFailed: the decision is pending, or its edited arguments are not JSON.
        """
        if self.decision is not None:
            raise AlreadyDecided(f"question {self.id} is {self.status}", interruptId=self.id)
        if decision.status is Status.PENDING:
            raise ValidationFailed("a decision can't be pending", interruptId=self.id)
        granted = decision.status in (Status.ANSWERED, Status.APPROVED, Status.DENIED)
        if granted and self.expired(answered_at):
            raise InterruptExpired(f"question {self.id} has expired", interruptId=self.id)
        edited = decision.updated_arguments
        bound = self.arguments_digest if edited is None else digest(edited)
        return replace(self, decision=decision, decided_at=answered_at, arguments_digest=bound)

    def asks_same(self, other: Interrupt) -> bool:
        """Whether an earlier answer may stand for this question: same kind, message and schema."""
        return (self.kind, self.message) == (other.kind, other.message) and _same_json(
            self.schema, other.schema
        )

    def to_protocol(self) -> dict[str, Json]:
        """The AG-UI form: id, reason, message, toolCallId, responseSchema, expiresAt."""
        return {
            "id": self.id,
            "reason": self.reason,
            "message": self.message,
            "toolCallId": self.tool_call_id,
            "responseSchema": dict(self.schema),
            "expiresAt": iso(self.expires_at),
        }

    def to_h(self) -> dict[str, Json]:
        """Plain data for clients: without the digest and without the time of creation."""
        return {
            "id": self.id,
            "kind": self.kind.value,
            "reason": self.reason,
            "message": self.message,
            "responseSchema": dict(self.schema),
            "details": dict(self.details),
            "toolCallId": self.tool_call_id,
            "toolName": self.tool_name,
            "expiresAt": iso(self.expires_at),
            "status": self.status.value,
            "decidedAt": iso(self.decided_at),
        }

    def to_storage(self) -> dict[str, Json]:
        """Everything, for the store."""
        decision = self.decision
        return {
            **self.to_h(),
            "run": self.run,
            "ordinal": self.ordinal,
            "argumentsDigest": self.arguments_digest,
            "principals": list(self.principals),
            "approvers": list(self.approvers),
            "createdAt": iso(self.created_at),
            "armedAt": iso(self.armed_at),
            "expiresInSeconds": self.expires_in_seconds,
            "tries": self.tries,
            "decision": None
            if decision is None
            else {
                "status": decision.status.value,
                "how": decision.how.value,
                "value": decision.value,
                "by": decision.by,
                "understood": decision.understood,
                "updatedArguments": None
                if decision.updated_arguments is None
                else dict(decision.updated_arguments),
                "remember": decision.remember,
            },
        }

    @classmethod
    def from_storage(cls, row: Mapping[str, Any]) -> Interrupt:
        """The interrupt that `to_storage` wrote.

        Raises:
            KeyError, ValueError: the row is damaged.
        """
        stored = row["decision"]
        return cls(
            id=row["id"],
            run=row["run"],
            kind=QuestionKind(row["kind"]),
            ordinal=row["ordinal"],
            message=row["message"],
            schema=row["responseSchema"],
            tool_call_id=row["toolCallId"],
            tool_name=row["toolName"],
            arguments_digest=row["argumentsDigest"],
            principals=tuple(row["principals"]),
            created_at=_moment(row["createdAt"]),
            reason=row["reason"],
            details=row["details"],
            approvers=tuple(row["approvers"]),
            expires_in_seconds=row["expiresInSeconds"],
            armed_at=parse_iso(row["armedAt"]),
            expires_at=parse_iso(row["expiresAt"]),
            tries=row["tries"],
            decision=None if stored is None else decision_from(stored),
            decided_at=parse_iso(row["decidedAt"]),
        )


def _same_json(one: object, other: object) -> bool:
    """Whether two values are the same JSON; in Python, 1 and true are equal."""
    return canonical_json(one) == canonical_json(other)


def decision_from(row: Mapping[str, Any]) -> Decision:
    """The decision in a stored row."""
    return Decision(
        status=Status(row["status"]),
        how=Way(row["how"]),
        value=row["value"],
        by=row["by"],
        understood=row["understood"],
        updated_arguments=row["updatedArguments"],
        remember=row["remember"],
    )


def iso(moment: datetime | None) -> str | None:
    """ISO 8601 in UTC with a Z, to the microsecond."""
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def parse_iso(text: str | None) -> datetime | None:
    """The moment that `iso` wrote."""
    return None if text is None else datetime.fromisoformat(text)


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
