"""The stored form, letter by letter: a file written today is read by every later version."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from gateway.core.cancellation import InterruptReason, parse_reason
from gateway.core.interrupts import Interrupt
from gateway.ports.rows import InputKind, InputRow
from gateway.ports.store import AppendEntry, SaveQuestion, SaveRun
from gateway.store.codec import dumps, input_body, read_new_input, read_run, run_body, thread_body
from gateway.store.sqlite import SqliteStore
from tests.store.make import (
    NOON,
    Reports,
    a_question,
    a_run,
    a_thread,
    an_entry,
    an_input,
    at,
    change,
)
from tests.store.test_contract import FULL_INPUT, FULL_RUN, commit

INPUT = (
    '{"channel":"web","text":"привет","kind":"press","override":0,"sender":"Ann","language":"ru",'
    '"attachments":[{"blob":"ab12","mediaType":"image/png","name":"cat.png","sizeBytes":3}],'
    '"quote":["no","Bob"],"seen":7,"replyTo":"q1","addressed":"r9",'
    '"value":{"region":"eu","n":[1,2.5,null,true]},'
    '"how":"voice","saidAt":"2026-03-01T11:59:57.000000Z","chat":"web:9","mode":"enqueue",'
    '"branch":3,"options":{"maxIterations":3,"timeoutSeconds":1.5,"onIterationLimit":"ask",'
    '"queueSteering":"one-at-a-time","queueFollowUp":"one-at-a-time"},'
    '"joins":true,"detail":"d","run":"r1"}'
)
RUN = (
    '{"agent":"concierge","channel":"web","principals":["ann","bob"],"inputs":[1,2],'
    '"language":"ru",'
    '"options":{"maxCostUsd":0.5,"parallelToolCalls":true,'
    '"queueSteering":"one-at-a-time","queueFollowUp":"one-at-a-time"},'
    '"reason":"A_REASON_OF_TOMORROW","end":"interrupted","error":"MODEL_QUOTA","errorId":"e1",'
    '"step":4,"checkpoint":{"version":1,"big":1000000000000000000000000000000},'
    '"batch":[{"id":"c1","name":"deploy","arguments":{"region":"eu"}}],'
    '"texts":{"3":{"text":"all","shown":"al","providerParts":{"sig":"x"},"final":true},'
    '"4":{"text":"more","shown":"","providerParts":null,"final":false}},'
    '"crashes":2,"resumed":true,"rolledBack":true,"retryOf":"r0","beside":true,"named":true}'
)
PLAIN_INPUT = '{"channel":"web","text":"hello","kind":"text","language":"en","how":"text"}'
PLAIN_RUN = (
    '{"agent":"concierge","channel":"web","principals":["ann"],"inputs":[1],"language":"en"}'
)
QUESTION = {
    "id": "q1",
    "kind": "approval",
    "reason": "",
    "message": "Deploy to eu?",
    "responseSchema": {"type": "boolean"},
    "details": {},
    "toolCallId": "c1",
    "toolName": "deploy",
    "expiresAt": "2026-03-01T12:01:00.000000Z",
    "status": "pending",
    "decidedAt": None,
    "run": "r1",
    "ordinal": 0,
    "argumentsDigest": "0" * 64,
    "principals": ["ann"],
    "approvers": [],
    "createdAt": "2026-03-01T12:00:00.000000Z",
    "armedAt": "2026-03-01T12:00:00.000000Z",
    "expiresInSeconds": 60.0,
    "tries": 0,
    "decision": None,
}
NEW_INPUT = replace(FULL_INPUT, text="привет")


def test_an_input_s_body() -> None:
    row = InputRow(seq=1, new=NEW_INPUT, accepted_at=NOON, joins=True, detail="d", run="r1")
    assert input_body(row) == INPUT
    read = read_new_input(json.loads(INPUT), dedup=NEW_INPUT.dedup, thread="web:1", principal="ann")
    assert read == NEW_INPUT


def test_a_run_s_body() -> None:
    assert run_body(FULL_RUN) == RUN
    started = "2026-03-01T12:00:00.000000Z"
    read = read_run(json.loads(RUN), run="r1", thread="web:1", state="running", started_at=started)
    assert read == FULL_RUN


def test_what_is_nothing_is_left_out_and_read_as_it_was() -> None:
    row = InputRow(seq=1, new=an_input(), accepted_at=NOON)
    assert input_body(row) == PLAIN_INPUT
    said = an_input(value=False, seen=0)
    body = json.loads(input_body(replace(row, new=said)))
    assert (body["value"], body["seen"]) == (False, 0)
    assert read_new_input(body, dedup=said.dedup, thread="web:1", principal="ann") == said
    assert run_body(a_run()) == PLAIN_RUN
    started = "2026-03-01T12:00:00.000000Z"
    read = read_run(
        json.loads(PLAIN_RUN), run="r1", thread="web:1", state="running", started_at=started
    )
    assert read == a_run()


def test_a_thread_s_body() -> None:
    row = replace(a_thread(), settings={"mode": "steer"}, title="Имя")
    assert thread_body(row) == '{"settings":{"mode":"steer"},"title":"Имя"}'


def test_a_question_s_body() -> None:
    armed = a_question().arm(NOON)
    assert json.loads(dumps(armed.to_storage())) == QUESTION
    assert Interrupt.from_storage(QUESTION) == armed


async def test_the_columns_of_a_row(store: SqliteStore, path: Path) -> None:
    await store.accept(an_input(), at(0.5))
    await commit(store, SaveRun(a_run()), SaveQuestion(a_question().arm(NOON)))
    await commit(store, AppendEntry(an_entry(1), input_seq=1))
    with closing(sqlite3.connect(path)) as connection:
        rows = [
            connection.execute(f"SELECT {columns} FROM {table}").fetchone()
            for table, columns in (
                ("inbox", "thread, seq, dedup, state, priority, outcome, principal, accepted_at"),
                ("entry", "seq, parent, branch, epoch, run, step, place, kind, input_seq, body"),
                ("run", "id, thread, position, epoch, state, started_at, beside"),
                ("question", "id, thread, position, epoch, run, status, expires_at"),
                ("thread", "id, principal, private, owner, epoch, inbox_next, head, leaf, branch"),
            )
        ]
    assert rows == [
        ("web:1", 1, "web:a:1", "new", 1, None, "ann", "2026-03-01T12:00:00.500000Z"),
        (1, 0, 0, 2, "r1", 1, 1, "assistant", 1, '{"text":"text 1"}'),
        ("r1", "web:1", 1, 1, "running", "2026-03-01T12:00:00.000000Z", 0),
        ("q1", "web:1", 1, 1, "r1", "pending", "2026-03-01T12:01:00.000000Z"),
        ("web:1", "ann", 1, "node", 2, 1, 1, 1, 0),
    ]


def test_what_an_older_version_left_out_has_its_default() -> None:
    body = {"channel": "web", "text": "hello", "kind": "text"}
    read = read_new_input(body, dedup="web:a:1", thread="web:1", principal="ann")
    assert read == an_input()
    assert read.kind is InputKind.TEXT


async def test_what_a_newer_version_added_is_passed_over(
    store: SqliteStore, path: Path, reports: Reports
) -> None:
    await store.accept(an_input(), NOON)
    await commit(
        store,
        SaveRun(a_run(reason="A_REASON_OF_TOMORROW")),
        AppendEntry(an_entry(1)),
        SaveQuestion(a_question()),
    )
    for table in ("inbox", "run", "question", "entry", "thread"):
        change(path, f"UPDATE {table} SET body = json_set(body, '$.ofTomorrow', 1)")
    loaded = await store.acquire("web:1", "node")
    assert reports.unreadable == set()
    assert (len(loaded.inputs), len(loaded.questions), len(loaded.entries)) == (1, 1, 1)
    reason = loaded.runs[0].reason
    assert reason == "A_REASON_OF_TOMORROW"
    assert parse_reason(reason) is InterruptReason.UNKNOWN
