"""A disk that is full, locked, damaged or gone while people talk: told, nothing accepted lost."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from gateway.supervise import in_thread
from tests.acceptance.desk import Desk
from tests.acceptance.people import Refused
from tests.acceptance.scripted import Gate, Script, call, messages
from tests.fakes.failing_store import FailingStore

pytestmark = pytest.mark.looptime
TEXTS = {
    "STORE_FULL": "the disk is full",
    "STORE_LOCKED": "The storage is busy",
    "STORE_DAMAGED": "can't be read",
    "STORE_UNAVAILABLE": "can't be used",
}


def failing(made: list[FailingStore]) -> Callable[[Any], FailingStore]:
    def wrap(store: Any) -> FailingStore:
        made.append(FailingStore(store))
        return made[-1]

    return wrap


async def _answer(acting: Awaitable[dict[str, Any]]) -> dict[str, Any]:
    """What the server said, be it a receipt or an error."""
    try:
        return await acting
    except Refused as refused:
        return dict(refused.data)


@pytest.mark.parametrize("code", TEXTS)
@pytest.mark.parametrize("reads", [False, True])
async def test_a_message_that_can_t_be_stored_is_refused_and_told(
    tmp_path: Path, code: str, reads: bool
):
    made: list[FailingStore] = []
    async with Desk(tmp_path, Agent("t", Script(["whole"])), wrap=failing(made)) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        made[0].code, made[0].reads = code, reads
        refused = await _answer(ann.say("hi"))
        assert refused["code"] == code
        assert TEXTS[code] in refused.get("text", TEXTS[code])
        made[0].code = ""
        said = await ann.say("hi")
        assert await ann.outcome(said) == ("answered", "")
        assert [row["text"] for row in (await ann.export())["inputs"]] == ["hi"]


@pytest.mark.parametrize("writes", range(1, 14))
async def test_a_run_whose_commit_fails_goes_on_when_it_can(tmp_path: Path, writes: int):
    made: list[FailingStore] = []
    ran: list[str] = []

    @tool
    async def pay() -> str:
        """Pays."""
        ran.append("paid")
        await asyncio.sleep(0.1)
        return "paid"

    def play(request: Any) -> list[object]:
        last = messages(request)[-1]
        return ["Paying. ", call("pay")] if last[0] == "user" else ["whole"]

    async with Desk(tmp_path, Agent("t", Script(play), "", [pay]), wrap=failing(made)) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        made[0].code, made[0].writes_left = "STORE_FULL", writes
        said = await ann.say("go")
        await asyncio.sleep(5)
        told = [n["text"] for n in ann.find("notice", code="STORE_FULL")]
        if made[0].failed:
            assert len(told) == 1
            assert "the disk is full" in told[0]
        made[0].code = ""
        assert await ann.outcome(said) == ("answered", "")
        assert len(ran) <= 1
        entries = (await ann.export())["entries"]
        assert entries[-1]["body"]["text"] == "whole"
        assert (await ann.outcome(await ann.say("go on")))[0] == "answered"


async def test_a_question_and_its_answer_outlive_a_full_disk(tmp_path: Path):
    made: list[FailingStore] = []

    @tool
    async def ask(context: ToolContext) -> str:
        """Asks."""
        return str(await context.interrupt(message="Sure?", response_schema=bool))

    model = Script([call("ask")], ["whole"])
    async with Desk(tmp_path, Agent("t", model, "", [ask]), wrap=failing(made)) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        said = await ann.say("go")
        question = await ann.frame("question")
        await asyncio.sleep(1)
        made[0].code, made[0].reads = "STORE_FULL", False
        assert (await _answer(ann.press(question, "yes")))["code"] == "STORE_FULL"
        made[0].code = ""
        assert (await ann.outcome(await ann.press(question, "yes")))[0] == "decided"
        assert await ann.outcome(said) == ("answered", "")
        assert "True" in messages(model.requests[1])[-1][1]


async def test_a_file_that_another_program_locks_for_a_while(tmp_path: Path):
    gate = Gate()
    async with Desk(tmp_path, Agent("t", Script(["so ", gate, "far"], ["whole"]))) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        said = await ann.say("hi")
        await gate.reached.wait()
        await asyncio.sleep(1)
        store: Any = desk.app.store
        store = store.store
        await in_thread(
            store._writer,
            lambda: store._opened.write.execute("PRAGMA busy_timeout = 50").fetchone(),
        )
        with closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            gate.open()
            await ann.frame("notice", code="STORE_LOCKED")
            other.execute("ROLLBACK")
        assert await ann.outcome(said) == ("answered", "")
        texts = [e["body"]["text"] for e in (await ann.export())["entries"] if "text" in e["body"]]
        assert texts == ["hi", "so far", "whole"]


async def test_a_disk_that_is_really_full(tmp_path: Path):
    async with Desk(tmp_path, Agent("t", Script(["whole"]))) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        assert (await ann.outcome(await ann.say("hi")))[0] == "answered"
        store: Any = desk.app.store
        store = store.store

        async def pages(sql: str) -> int:
            run = store._opened.write.execute
            value = await in_thread(store._writer, lambda: run(sql).fetchone()[0])
            return int(value)

        used = await pages("PRAGMA page_count")
        await pages(f"PRAGMA max_page_count = {used}")
        refused = ""
        for number in range(50):
            receipt = await ann.say(f"{number} " + "x" * 2_000)
            if receipt["code"]:
                refused = receipt["code"]
                break
        assert refused == "STORE_FULL"
        await pages(f"PRAGMA max_page_count = {used + 10_000}")
        assert (await ann.outcome(await ann.say("again")))[0] == "answered"
        await asyncio.sleep(30)
        assert all(row["outcome"] for row in (await ann.export())["inputs"])
