"""A question takes one decision, before its expiry, and a commit that brings another is undone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from gateway.core.errors import AlreadyDecided, IllegalEvent, InterruptExpired, NotFound
from gateway.core.interrupts import Decision, Status, Way
from gateway.ports.store import DecideQuestion, SavePrompt, SaveQuestion, SaveRun
from gateway.store.sqlite import SqliteStore
from tests.store.make import (
    NOON,
    a_prompt,
    a_question,
    a_run,
    a_thread,
    approved,
    at,
    cancelled,
)
from tests.store.test_contract import commit

ARMED = a_question().arm(NOON)  # expires at 60 s


async def test_a_decision_stands_and_a_second_one_undoes_its_commit(store: SqliteStore) -> None:
    await commit(store, SaveQuestion(ARMED))
    yes = ARMED.decide(approved(), at(1))
    await commit(store, DecideQuestion(yes))
    no = ARMED.decide(Decision(status=Status.DENIED, how=Way.TEXT, by="bob"), at(2))
    for second in (no, yes):
        with pytest.raises(AlreadyDecided) as caught:
            await commit(store, SaveRun(a_run()), DecideQuestion(second))
        assert caught.value.params == {"interruptId": "q1"}
    assert await store.questions(thread="web:1") == [yes]
    assert await store.run("r1") is None


@pytest.mark.parametrize("status", [Status.APPROVED, Status.DENIED, Status.ANSWERED])
async def test_an_answer_at_the_expiry_is_late(store: SqliteStore, status: Status) -> None:
    await commit(store, SaveQuestion(ARMED))
    decision = Decision(status=status, how=Way.TEXT)
    late = replace(ARMED, decision=decision, decided_at=at(60))
    with pytest.raises(InterruptExpired):
        await commit(store, SaveRun(a_run()), DecideQuestion(late))
    assert await store.questions() == [ARMED]
    assert await store.run("r1") is None
    last = ARMED.decide(decision, at(60) - timedelta(microseconds=1))
    await commit(store, DecideQuestion(last))
    assert await store.questions() == [last]


async def test_the_stored_expiry_counts_not_the_one_brought_along(store: SqliteStore) -> None:
    await commit(store, SaveQuestion(ARMED))
    stretched = replace(ARMED, expires_at=at(3600)).decide(approved(), at(100))
    with pytest.raises(InterruptExpired):
        await commit(store, DecideQuestion(stretched))


@pytest.mark.parametrize("status", [Status.CANCELLED, Status.EXPIRED])
async def test_an_end_without_an_answer_has_no_time(store: SqliteStore, status: Status) -> None:
    await commit(store, SaveQuestion(ARMED))
    ended = ARMED.decide(Decision(status=status, how=Way.EXPIRED), at(61))
    await commit(store, DecideQuestion(ended))
    assert await store.questions() == [ended]


async def test_moments_compare_in_time_in_any_zone_and_precision(store: SqliteStore) -> None:
    whole = datetime(2026, 3, 1, 12, 1, 0, tzinfo=UTC)
    await commit(store, SaveQuestion(replace(a_question(), armed_at=NOON, expires_at=whole)))
    east = timezone(timedelta(hours=5))
    late = datetime(2026, 3, 1, 17, 1, 0, 1, tzinfo=east)
    soon = datetime(2026, 3, 1, 17, 0, 59, 999_999, tzinfo=east)
    asked = replace(a_question(), armed_at=NOON, expires_at=whole)
    with pytest.raises(InterruptExpired):
        await commit(store, DecideQuestion(replace(asked, decision=approved(), decided_at=late)))
    await commit(store, DecideQuestion(asked.decide(approved(), soon)))


async def test_a_question_not_yet_armed_has_no_expiry(store: SqliteStore) -> None:
    await commit(store, SaveQuestion(a_question()))
    assert await store.expiries(at(9999)) == ([], None)
    await commit(store, DecideQuestion(a_question().decide(approved(), at(9999))))


async def test_a_decided_question_is_never_opened_again(store: SqliteStore) -> None:
    decided = ARMED.decide(approved(), at(1))
    await commit(store, SaveQuestion(ARMED), DecideQuestion(decided))
    with pytest.raises(AlreadyDecided):
        await commit(store, SaveQuestion(ARMED.unclear()))
    assert await store.questions() == [decided]


async def test_nothing_is_decided_by_the_way(store: SqliteStore) -> None:
    for write in (SaveQuestion(ARMED.decide(approved(), at(1))), DecideQuestion(ARMED)):
        with pytest.raises(IllegalEvent):
            await commit(store, write)
    assert await store.questions() == []


async def test_a_question_is_decided_on_its_own_thread_only(store: SqliteStore) -> None:
    await store.make_thread(a_thread("web:2"))
    await commit(store, SaveQuestion(ARMED))
    for thread, question in (("web:2", "q1"), ("web:1", "q9")):
        write = DecideQuestion(replace(ARMED, id=question).decide(approved(), at(1)))
        with pytest.raises(NotFound):
            await commit(store, write, thread=thread)
    assert await store.questions() == [ARMED]
    assert await store.question_thread("q1") == "web:1"
    assert await store.question_thread("q9") is None


async def test_questions_are_found_by_thread_run_and_openness(store: SqliteStore) -> None:
    await store.make_thread(a_thread("web:2"))
    first, second = a_question("q1"), a_question("q0", run="r2", ordinal=1)
    other = a_question("q5", run="r5")
    await commit(store, SaveQuestion(first), SaveQuestion(second))
    await commit(store, SaveQuestion(other), thread="web:2")
    closed = first.decide(cancelled(), at(1))
    await commit(store, DecideQuestion(closed))
    assert await store.questions(thread="web:1") == [closed, second]
    assert await store.questions(run="r2") == [second]
    assert await store.questions(thread="web:1", open_only=True) == [second]
    assert await store.questions(open_only=True) == [second, other]


async def test_the_expiries_of_open_questions(store: SqliteStore) -> None:
    await store.make_thread(a_thread("web:2"))
    await commit(store, SaveQuestion(ARMED))
    soon = a_question("q2").arm(at(-30))
    await commit(store, SaveQuestion(soon), thread="web:2")
    assert await store.expiries(at(29)) == ([], at(30))
    assert await store.expiries(at(30)) == (["web:2"], at(60))
    assert await store.expiries(at(60)) == (["web:2", "web:1"], None)
    await commit(store, DecideQuestion(soon.decide(cancelled(), at(1))), thread="web:2")
    assert await store.expiries(at(60)) == (["web:1"], None)


async def test_an_owner_gets_the_decided_questions_of_live_runs(store: SqliteStore) -> None:
    decided = ARMED.decide(approved(), at(1))
    await commit(store, SaveRun(a_run()), SaveQuestion(ARMED), DecideQuestion(decided))
    await commit(store, SavePrompt(a_prompt()))
    loaded = await store.acquire("web:1", "node")
    assert loaded.questions == (decided,)
    assert loaded.prompts == ()
    await commit(store, SaveRun(a_run(state="ended")))
    assert (await store.acquire("web:1", "node")).questions == (decided,), "it may be retried"
    await commit(store, SaveRun(a_run("r9")))
    assert (await store.acquire("web:1", "node")).questions == ()


async def test_an_owner_gets_the_last_question_that_nobody_answered(store: SqliteStore) -> None:
    expired = Decision(status=Status.EXPIRED, how=Way.EXPIRED)
    asked = [a_question(name).arm(at(0)) for name in ("q1", "q2")]
    for question in asked:
        await commit(
            store, SaveQuestion(question), DecideQuestion(question.decide(expired, at(61)))
        )
    gone = asked[-1].decide(expired, at(61))
    await commit(store, SaveRun(a_run("r9")))
    assert (await store.acquire("web:1", "node")).questions == (gone,)


async def test_a_prompt_is_found_by_its_token(store: SqliteStore) -> None:
    armed = a_prompt(state="armed", message_ref="m7", seq=7)
    await commit(store, SaveQuestion(ARMED), SavePrompt(a_prompt()), SavePrompt(armed))
    assert await store.prompt("k1") == armed
    assert await store.prompt("k2") is None


async def test_where_the_open_questions_of_a_channel_were_shown(store: SqliteStore) -> None:
    assert await store.last_shown("web") == 0
    await commit(store, SaveQuestion(ARMED), SavePrompt(a_prompt(state="armed", seq=7)))
    assert await store.last_shown(a_prompt().channel) == 7
    assert await store.last_shown("elsewhere") == 0
    await commit(store, DecideQuestion(ARMED.decide(cancelled(), at(1))))
    assert await store.last_shown(a_prompt().channel) == 0


async def test_what_is_asked_in_other_chats(store: SqliteStore) -> None:
    expired = Decision(status=Status.EXPIRED, how=Way.EXPIRED)
    first, second = (a_question(name).arm(at(0)) for name in ("q1", "q2"))
    boss = {"chat": "web:boss", "principal": "boss", "state": "armed", "seq": 3}
    here, there = a_prompt(question="q1"), a_prompt(question="q1", token="k2", **boss)
    later = a_prompt(question="q2", token="k3", **boss)
    await commit(store, SaveQuestion(first), SavePrompt(here), SavePrompt(there))
    assert await store.asked_elsewhere() == [(there, first)]
    await commit(store, DecideQuestion(first.decide(expired, at(61))))
    await commit(store, SaveQuestion(second), SavePrompt(later))
    gone = first.decide(expired, at(61))
    assert await store.asked_elsewhere() == [(later, second), (there, gone)]
    await commit(store, DecideQuestion(second.decide(cancelled(), at(62))))
    assert await store.asked_elsewhere() == [], "it is not the last that they were asked"
