"""Row 58: kill -9 of a real server with people on its socket (every point: tests/crash)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway.core.messages import OUTCOME_UNKNOWN_TEXT
from tests.acceptance.people import Person
from tests.acceptance.real_server import Server

pytestmark = [pytest.mark.slow, pytest.mark.process]
LOST_WORDS = 4
"""250 ms of a model that says a word each 100 ms, and the word on its way."""


async def _restarted(server: Server, people: list[Person]) -> Server:
    server.kill()
    for person in people:
        await person.leave()
    return await Server(server.database).ready()


async def _all_ended(person: Person) -> dict[str, Any]:
    """The thread's log once every input has its outcome."""
    log: dict[str, Any] = {}
    for _ in range(100):
        log = await person.export()
        if all(row["outcome"] for row in log["inputs"]):
            break
        await asyncio.sleep(0.1)
    return log


async def test_nothing_accepted_is_lost(tmp_path: Path):
    server = await Server(tmp_path / "a.db").ready()
    try:
        talked, searched, asked = [
            await server.person(name, f"local:{name}") for name in ("tom", "sue", "ann")
        ]
        said = {
            "tom": await talked.say("talk to me"),
            "sue": await searched.say("search all"),
            "ann": await asked.say("ask me"),
        }
        await asked.frame("question")
        await searched.frame("call", state="started")
        later = await searched.say("and then", override="later")
        await talked.shows("7 8 ")
        await asyncio.sleep(0.3)
        (question,) = (await asked.hello("local:ann"))["snapshot"]["questions"]
        shown = talked.texts()[-1].split()
        server = await _restarted(server, [talked, searched, asked])

        asked = await server.person("ann", "local:ann")
        assert asked.frames[0]["data"]["snapshot"]["questions"] == [question]
        assert (await asked.outcome(await asked.say("yes")))[0] == "decided"
        assert await asked.outcome(said["ann"]) == ("answered", "")

        searched = await server.person("sue", "local:sue")
        log = await _all_ended(searched)
        assert [(row["seq"], row["outcome"]) for row in log["inputs"]] == [
            (said["sue"]["input"], "answered"),
            (later["input"], "answered"),
        ]
        entries = log["entries"]
        assert not [e for e in entries if e["kind"] == "tool_result"]  # repaired when read
        assert f"heard {OUTCOME_UNKNOWN_TEXT}" in [e["body"].get("text") for e in entries]

        talked = await server.person("tom", "local:tom")
        partial = (await talked.export())["entries"][1]["body"]
        assert partial["metadata"]["interrupted"] is True
        saved = partial["text"].split()
        assert saved == shown[: len(saved)]
        assert len(shown) - len(saved) <= LOST_WORDS
        await talked.shows("3 ")  # the same run goes on
        await talked.stop()
        assert await talked.outcome(said["tom"]) == ("interrupted", "USER_SIGINT")
        for person in (talked, searched, asked):
            await person.leave()
    finally:
        server.kill()


async def test_the_third_kill_in_a_row_fails_the_run_and_the_thread_is_usable(tmp_path: Path):
    server = await Server(tmp_path / "a.db").ready()
    try:
        tom = await server.person("tom", "local:tom")
        said = await tom.say("talk to me")
        for _ in range(3):
            await tom.shows("2 ")
            server = await _restarted(server, [tom])
            tom = await server.person("tom", "local:tom")
        (row,) = (await tom.export())["inputs"]
        assert (row["seq"], row["outcome"]) == (said["input"], "failed")
        assert row["detail"]
        assert await tom.outcome(await tom.say("hello")) == ("answered", "")
        await tom.leave()
    finally:
        server.kill()
