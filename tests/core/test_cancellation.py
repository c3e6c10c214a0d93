"""Reasons, behaviours, and how long a stopped run may take."""

from __future__ import annotations

import pytest

from gateway.core.cancellation import (
    CancelledExecutionError,
    Graces,
    InterruptBehavior,
    InterruptReason,
    parse_reason,
)

B, R = InterruptBehavior, InterruptReason
ALL = [reason for reason in R if reason is not R.UNKNOWN]


def test_the_nine_reasons_are_a_contract():
    assert {reason.value for reason in ALL} == {
        "USER_SIGINT",
        "NOW_PRIORITY_INPUT",
        "BUDGET_EXCEEDED",
        "PARENT_CANCELLED",
        "TASK_CANCELLED",
        "SYSTEM_SHUTDOWN",
        "LEASE_LOST",
        "SESSION_RELEASED",
        "HOLDER_LOST",
    }


@pytest.mark.parametrize("reason", ALL)
def test_a_reason_is_read_by_its_name(reason):
    assert parse_reason(reason.value) is reason


@pytest.mark.parametrize("name", ["", "user_sigint", "QUOTA_SPENT", "UNKNOWN"])
def test_a_name_of_another_version_is_read_without_failing(name):
    assert parse_reason(name) is R.UNKNOWN


@pytest.mark.parametrize(
    ("reason", "running", "grace_ms"),
    [
        (R.USER_SIGINT, [B.NON_INTERRUPTIBLE], 500),
        (R.USER_SIGINT, [], 500),
        (R.NOW_PRIORITY_INPUT, [B.NON_INTERRUPTIBLE], 10_000),
        (R.NOW_PRIORITY_INPUT, [B.COOPERATIVE, B.NON_INTERRUPTIBLE], 10_000),
        (R.NOW_PRIORITY_INPUT, [B.COOPERATIVE, B.THREAD_INTERRUPT], 500),
        (R.NOW_PRIORITY_INPUT, [B.EXTERNALLY_TERMINATED], 500),
        (R.NOW_PRIORITY_INPUT, [], 500),
        (R.SYSTEM_SHUTDOWN, [B.NON_INTERRUPTIBLE], 8_000),
        (R.LEASE_LOST, [B.NON_INTERRUPTIBLE], 0),
        (R.HOLDER_LOST, [], 0),
        (R.BUDGET_EXCEEDED, [B.NON_INTERRUPTIBLE], 500),
        (R.PARENT_CANCELLED, [], 500),
        (R.TASK_CANCELLED, [], 500),
        (R.SESSION_RELEASED, [], 500),
    ],
)
def test_the_grace_of_each_reason(reason, running, grace_ms):
    assert Graces().of(reason, iter(running)) == grace_ms


def test_graces_are_settings():
    graces = Graces(grace_ms=1, now_grace_ms=2, shutdown_ms=3)
    assert graces.of(R.USER_SIGINT, ()) == 1
    assert graces.of(R.NOW_PRIORITY_INPUT, [B.NON_INTERRUPTIBLE]) == 2
    assert graces.of(R.SYSTEM_SHUTDOWN, ()) == 3


def test_only_what_is_stopped_from_outside_registers_terminators():
    assert {b for b in B if b.has_registrar} == {B.THREAD_INTERRUPT, B.EXTERNALLY_TERMINATED}


def test_a_cancelled_execution_names_its_reason():
    error = CancelledExecutionError(R.BUDGET_EXCEEDED)
    assert (str(error), error.reason) == ("Interrupted: BUDGET_EXCEEDED", R.BUDGET_EXCEEDED)
