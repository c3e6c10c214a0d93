"""A question and its one decision."""

from __future__ import annotations

import json
import math
import uuid
from dataclasses import FrozenInstanceError, replace
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.clock import SystemIds
from gateway.core.canonical import digest
from gateway.core.errors import AlreadyDecided, InterruptExpired, ValidationFailed
from gateway.core.interrupts import (
    Decision,
    Interrupt,
    QuestionKind,
    Status,
    Way,
    iso,
    parse_iso,
)
from tests.core.building import DIGEST, NOON, a_question

SECOND = timedelta(seconds=1)
EU = Decision(status=Status.ANSWERED, how=Way.TEXT, value="eu", by="ann", understood="eu")


def test_an_id_is_a_uuid4_of_122_random_bits():
    ids = {SystemIds().uuid() for _ in range(200)}
    assert len(ids) == 200
    for text in ids:
        assert (uuid.UUID(text).version, str(uuid.UUID(text))) == (4, text)


def test_it_can_not_be_changed():
    question = a_question()
    with pytest.raises(FrozenInstanceError):
        question.decision = EU  # type: ignore[misc]


def test_its_time_runs_from_arming_and_the_first_arming_stands():
    question = a_question(expires_in_seconds=60)
    assert question.expires_at is None
    assert not question.expired(NOON + timedelta(days=365))
    armed = question.arm(NOON)
    assert (armed.armed_at, armed.expires_at) == (NOON, NOON + 60 * SECOND)
    assert armed.arm(NOON + SECOND) == armed


def test_the_default_expiry_is_a_day():
    assert a_question().arm(NOON).expires_at == NOON + timedelta(hours=24)


@pytest.mark.parametrize(
    ("seconds", "late"), [(-1, False), (59.999999, False), (60, True), (61, True)]
)
def test_expiry_is_inclusive(seconds, late):
    armed = a_question(expires_in_seconds=60).arm(NOON)
    at = NOON + timedelta(seconds=seconds)
    assert armed.expired(at) is late
    assert armed.answerable(at) is not late
    if late:
        with pytest.raises(InterruptExpired) as raised:
            armed.decide(EU, at)
        assert (raised.value.code, raised.value.http) == ("INTERRUPT_EXPIRED", 410)
        assert raised.value.params == {"interruptId": "q1"}
    else:
        decided = armed.decide(EU, at)
        assert (decided.status, decided.decision, decided.decided_at) == (Status.ANSWERED, EU, at)


@pytest.mark.parametrize("status", [Status.ANSWERED, Status.APPROVED, Status.DENIED])
def test_no_answer_is_late_by_another_name(status):
    armed = a_question(expires_in_seconds=60).arm(NOON)
    with pytest.raises(InterruptExpired):
        armed.decide(replace(EU, status=status), NOON + 60 * SECOND)


@pytest.mark.parametrize("status", [Status.EXPIRED, Status.CANCELLED])
def test_it_can_be_closed_after_its_expiry(status):
    armed = a_question(expires_in_seconds=60).arm(NOON)
    closed = armed.decide(Decision(status=status, how=Way.EXPIRED), NOON + 90 * SECOND)
    assert closed.status is status
    assert not closed.answerable(NOON)


def test_it_takes_one_decision():
    decided = a_question().arm(NOON).decide(EU, NOON)
    for decision in (EU, replace(EU, value="us"), Decision(status=Status.EXPIRED, how=Way.EXPIRED)):
        with pytest.raises(AlreadyDecided) as raised:
            decided.decide(decision, NOON)
        assert (raised.value.code, raised.value.http) == ("INTERRUPT_ALREADY_DECIDED", 409)


def test_pending_is_no_decision():
    with pytest.raises(ValidationFailed):
        a_question().decide(Decision(status=Status.PENDING, how=Way.TEXT), NOON)


def test_an_unclear_answer_is_counted_and_decides_nothing():
    question = a_question().unclear().unclear()
    assert (question.tries, question.status) == (2, Status.PENDING)


def test_approvers_are_asked_instead_of_the_runs_persons():
    assert a_question(principals=("ann", "bob")).asked == ("ann", "bob")
    assert a_question(approvers=("carl",)).asked == ("carl",)


def test_edited_arguments_are_bound_to_their_own_digest():
    """Row 49."""
    edited = replace(EU, status=Status.APPROVED, updated_arguments={"region": "us"})
    decided = a_question().decide(edited, NOON)
    assert decided.arguments_digest == digest({"region": "us"})
    assert a_question().decide(EU, NOON).arguments_digest == DIGEST
    with pytest.raises(ValidationFailed):
        a_question().decide(replace(edited, updated_arguments={"n": math.nan}), NOON)


# -- the same question, the same answer ------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        ({"id": "q2", "ordinal": 3, "run": "r2", "tries": 1, "reason": "x"}, True),
        ({"message": "Which region, please?"}, False),
        ({"kind": QuestionKind.PLAN}, False),
        ({"schema": {"type": "string", "enum": ["eu", "us", "asia"]}}, False),
        ({"schema": {"enum": ["eu", "us"], "type": "string"}}, True),
    ],
)
def test_an_earlier_answer_stands_only_for_the_same_question(changed, same):
    assert a_question().asks_same(replace(a_question(), **changed)) is same


def test_true_is_not_one():
    yes, one = a_question(schema={"const": True}), a_question(schema={"const": 1})
    assert not yes.asks_same(one)
    assert not replace(EU, value=True).same_as(replace(EU, value=1))
    assert not replace(EU, updated_arguments={"n": True}).same_as(
        replace(EU, updated_arguments={"n": 1})
    )


def test_a_replay_is_the_same_whoever_sent_it_and_however():
    assert EU.same_as(replace(EU, how=Way.BUTTON, by="bob", understood="EU", remember=True))
    assert not EU.same_as(replace(EU, value="us"))
    assert not EU.same_as(replace(EU, status=Status.CANCELLED))
    assert not EU.same_as(replace(EU, updated_arguments={"region": "us"}))


# -- its forms -------------------------------------------------------------------------------------

DECIDED = a_question(
    "0b4b6a0e-9d6c-4d55-8a3e-6f0e1f6f3a11",
    kind=QuestionKind.APPROVAL,
    message="Deploy web to eu?",
    schema={"type": "object"},
    reason="tool_call",
    details={"reason": "writes", "rule": None, "suggestedRule": "deploy"},
    approvers=("carl",),
    expires_in_seconds=90.5,
    tries=1,
    armed_at=NOON,
    expires_at=NOON + timedelta(seconds=90.5),
    decision=Decision(
        status=Status.APPROVED,
        how=Way.BUTTON,
        value={"approved": True, "reason": "fine"},
        by="carl",
        understood="yes",
        updated_arguments={"region": "us"},
        remember=True,
    ),
    decided_at=NOON + SECOND,
)
STORED = {
    "id": "0b4b6a0e-9d6c-4d55-8a3e-6f0e1f6f3a11",
    "kind": "approval",
    "reason": "tool_call",
    "message": "Deploy web to eu?",
    "responseSchema": {"type": "object"},
    "details": {"reason": "writes", "rule": None, "suggestedRule": "deploy"},
    "toolCallId": "c1",
    "toolName": "deploy",
    "expiresAt": "2026-03-01T12:01:30.500000Z",
    "status": "approved",
    "decidedAt": "2026-03-01T12:00:01.000000Z",
    "run": "r1",
    "ordinal": 0,
    "argumentsDigest": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    "principals": ["ann"],
    "approvers": ["carl"],
    "createdAt": "2026-03-01T12:00:00.000000Z",
    "armedAt": "2026-03-01T12:00:00.000000Z",
    "expiresInSeconds": 90.5,
    "tries": 1,
    "decision": {
        "status": "approved",
        "how": "button",
        "value": {"approved": True, "reason": "fine"},
        "by": "carl",
        "understood": "yes",
        "updatedArguments": {"region": "us"},
        "remember": True,
    },
}


def test_the_stored_form_is_a_contract():
    assert DECIDED.to_storage() == STORED


def test_what_another_version_stored_is_read():
    assert Interrupt.from_storage(json.loads(json.dumps(STORED))) == DECIDED


@pytest.mark.parametrize("key", sorted(STORED.keys() - {"status"}))
def test_a_damaged_row_is_not_read_as_something_else(key):
    with pytest.raises(KeyError):
        Interrupt.from_storage({k: v for k, v in STORED.items() if k != key})


def test_plain_data_has_neither_digest_nor_time_of_creation():
    plain = DECIDED.to_h()
    assert DIGEST not in json.dumps(plain)
    assert plain.keys() == {
        "id",
        "kind",
        "reason",
        "message",
        "responseSchema",
        "details",
        "toolCallId",
        "toolName",
        "expiresAt",
        "status",
        "decidedAt",
    }


def test_the_protocols_form():
    assert a_question().arm(NOON).to_protocol() == {
        "id": "q1",
        "reason": "",
        "message": "Which region?",
        "toolCallId": "c1",
        "responseSchema": {"type": "string", "enum": ["eu", "us"]},
        "expiresAt": "2026-03-02T12:00:00.000000Z",
    }


decisions = st.builds(
    Decision,
    status=st.sampled_from([status for status in Status if status is not Status.PENDING]),
    how=st.sampled_from(Way),
    value=st.none() | st.booleans() | st.integers() | st.text(),
    by=st.text(),
    understood=st.text(),
    updated_arguments=st.none() | st.dictionaries(st.text(), st.integers()),
    remember=st.booleans(),
)
moments = st.integers(0, 10**15).map(lambda us: NOON + timedelta(microseconds=us))


@given(st.none() | decisions, moments, st.integers(1, 10**6), st.integers(0, 3), st.text())
def test_it_survives_the_store(decision, moment, seconds, tries, message):
    question = a_question(
        message=message, expires_in_seconds=seconds, created_at=moment, tries=tries
    ).arm(moment)
    if decision is not None:
        question = question.decide(decision, moment)
    stored = json.loads(json.dumps(question.to_storage()))
    assert Interrupt.from_storage(stored) == question


def test_moments_are_written_in_utc():
    moscow = timezone(timedelta(hours=3))
    assert iso(datetime(2026, 3, 1, 15, 0, tzinfo=moscow)) == "2026-03-01T12:00:00.000000Z"
    assert iso(None) is None
    assert parse_iso("2026-03-01T12:00:00.000000Z") == NOON
    assert parse_iso(None) is None
