"""An answer that did not fit becomes void; its question stays decided."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gateway.core.errors import AlreadyDecided, IllegalEvent
from gateway.core.interrupts import Decision, Status, Way
from gateway.ports.store import AskAnew, DecideQuestion, SaveQuestion
from gateway.store.sqlite import SqliteStore
from tests.store.make import NOON, a_question, approved, at
from tests.store.test_contract import commit


async def test_an_answer_that_did_not_fit_is_void_and_stays_decided(store: SqliteStore) -> None:
    armed = a_question().arm(NOON)
    await commit(store, SaveQuestion(armed))
    void = Decision(status=Status.CANCELLED, how=Way.ASKED_ANEW, by="ann")
    with pytest.raises(IllegalEvent):
        await commit(store, AskAnew(replace(armed, decision=void)))
    yes = armed.decide(approved(), at(1))
    await commit(store, DecideQuestion(yes))
    with pytest.raises(IllegalEvent):
        await commit(store, AskAnew(yes))
    await commit(store, AskAnew(replace(yes, decision=void)))
    (stored,) = await store.questions(thread="web:1")
    assert (stored.status, stored.decision) == (Status.CANCELLED, void)
    with pytest.raises(AlreadyDecided):
        await commit(store, DecideQuestion(yes))
