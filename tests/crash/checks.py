"""What must hold of a conversation, however often its process was killed."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tests.crash.conversation import STEPS, facts, step_id
from tests.fakes.kill_channel import read_screen

LOST = timedelta(milliseconds=250)


def pending(directory: Path) -> dict[str, str | None]:
    """The open questions in the file, with their expiry where their time runs."""
    rows = _rows(directory, "SELECT id, expires_at, body FROM question WHERE status = 'pending'")
    return {id_: at if json.loads(body)["armedAt"] else None for id_, at, body in rows}


def _rows(directory: Path, sql: str) -> list[tuple[Any, ...]]:
    if not (directory / "a.db").exists():
        return []
    with closing(sqlite3.connect(directory / "a.db")) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
        return connection.execute(sql).fetchall() if ("question",) in tables else []


def wrongs(directory: Path, waited: dict[str, str | None]) -> list[str]:
    """Everything that is wrong; `waited` are the questions that were open at the kill."""
    screen = read_screen(directory / "screen")
    entries = [
        {"run": run, "step": step, "kind": kind, "body": json.loads(body)}
        for run, step, kind, body in _rows(
            directory, "SELECT run, step, kind, body FROM entry ORDER BY seq"
        )
    ]
    return [
        *_inputs(directory),
        *_questions(directory, waited),
        *_shown(screen, entries),
        *_calls(screen, entries),
        *_once(screen, entries),
        *_alone(screen),
        *(f"error: {error}" for error in screen[-1].get("errors", ["no end"])),
    ]


def _inputs(directory: Path) -> list[str]:
    unasked = len(_rows(directory, "SELECT id FROM question")) < 2
    rows = _rows(directory, "SELECT dedup, state, outcome FROM inbox")
    found = {dedup: (state, outcome) for dedup, state, outcome in rows}
    wrong = [f"no input {s.name}" for s in STEPS if step_id(s.name) not in found]
    for step in STEPS:
        state, outcome = found.get(step_id(step.name), ("done", step.outcomes[0]))
        if unasked and step.name == "answer" and outcome == "refused":
            continue  # the call died before it could ask: this was said to the approval
        if state != "done" or outcome not in step.outcomes:
            wrong.append(f"{step.name} is {state}, {outcome}")
    return wrong


def _questions(directory: Path, waited: dict[str, str | None]) -> list[str]:
    rows = _rows(directory, "SELECT id, status, expires_at FROM question")
    found = {id_: (status, expires_at) for id_, status, expires_at in rows}
    wrong = [f"question {id_} is lost" for id_ in waited if id_ not in found]
    wrong += [
        f"question {id_} expires at {found[id_][1]}, not {at}"
        for id_, at in waited.items()
        if at and id_ in found and found[id_][1] != at
    ]
    wrong += [
        f"question {id_} is open" for id_, (status, _) in found.items() if status == "pending"
    ]
    if len(found) not in (1, 2):
        wrong.append(f"{len(found)} questions were asked")
    return wrong


def _shown(screen: list[dict[str, Any]], entries: list[dict[str, Any]]) -> list[str]:
    """At most the last 250 ms of what was shown before a kill is not in the log."""
    wrong = []
    texts: dict[tuple[str, int], list[tuple[datetime, str]]] = {}
    saved = {facts(e): e["body"]["text"] for e in entries if e["kind"] == "assistant"}
    for line in screen:
        at = datetime.fromisoformat(line["t"])
        if line["kind"] == "show":
            texts.setdefault(facts(line), []).append((at, line["text"]))
        if line["kind"] in ("killed", "over"):
            for ref, shown in texts.items():
                old = [text for when, text in shown if when < at - LOST]
                if old and not saved.get(ref, "").startswith(old[-1]):
                    wrong.append(f"shown and lost: {old[-1]!r} of {ref}, saved {saved.get(ref)!r}")
            texts.clear()
    return wrong


def _calls(screen: list[dict[str, Any]], entries: list[dict[str, Any]]) -> list[str]:
    wrong = [f"a model read {line['bad']}" for line in screen if line.get("bad")]
    ran = Counter((line["tool"], line["call"]) for line in screen if line["kind"] == "ran")
    wrong += [f"{call} ran {count} times" for call, count in ran.items() if count > 1]
    results = Counter(e["body"]["callId"] for e in entries if e["kind"] == "tool_result")
    wrong += [f"{call} has {count} results" for call, count in results.items() if count > 1]
    calls = Counter(e["body"]["id"] for e in entries if e["kind"] == "tool_call")
    wrong += [f"{call} is logged {count} times" for call, count in calls.items() if count > 1]
    return wrong


def _once(screen: list[dict[str, Any]], entries: list[dict[str, Any]]) -> list[str]:
    """No step is logged twice, no whole reply is delivered again as a new one."""
    said = Counter(facts(e) for e in entries if e["kind"] == "assistant")
    wrong = [f"step {ref} is logged {count} times" for ref, count in said.items() if count > 1]
    whole = {
        (line["run"], line["text"].partition(") ")[2], line["step"])
        for line in screen
        if line["kind"] == "close" and line["reason"] is None
    }
    again = Counter((run, text) for run, text, _ in whole)
    wrong += [f"{text!r} was said {n} times" for (_, text), n in again.items() if n > 1]
    return wrong + _redrawn(screen)


def _redrawn(screen: list[dict[str, Any]]) -> list[str]:
    """A text on the screen goes on; it never becomes another one."""
    wrong = []
    last: dict[tuple[str, int], str] = {}
    for line in screen:
        if line["kind"] == "show":
            before = last.get(facts(line), "")
            if not line["text"].startswith(before):
                wrong.append(f"{before!r} became {line['text']!r}")
            last[facts(line)] = line["text"]
    return wrong


def _alone(screen: list[dict[str, Any]]) -> list[str]:
    """Never two runs at once."""
    on: set[str] = set()
    wrong = []
    for line in screen:
        if line["kind"] == "life":
            on.clear()
        if line["kind"] == "update" and line["type"] == "run":
            (on.discard if line["data"]["state"] == "ended" else on.add)(line["data"]["run"])
            if len(on) > 1:
                wrong.append(f"runs at once: {sorted(on)}")
    return wrong
