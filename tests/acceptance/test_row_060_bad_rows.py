"""Row 60: one stored row that can't be read does not lose its neighbours."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.people import Person
from tests.acceptance.scripted import Gate, Script, call, messages

pytestmark = pytest.mark.looptime
BODIES = ["{broken", "[]", b"\xff\xfe"]


def corrupt(path: Path, sql: str, body: str | bytes) -> None:
    with closing(sqlite3.connect(path / "a.db")) as connection, connection:
        changed = connection.execute(f"UPDATE {sql}", (body,)).rowcount
    assert changed == 1


async def _welcome(desk: Desk, number: int) -> Person:
    return await desk.person(f"p{number}", f"local:{number}")


@tool
async def ask(context: ToolContext) -> str:
    """Asks."""
    return str(await context.interrupt(message="Sure?", response_schema=bool, expires_in=60.0))


def asking() -> Script:
    def play(request):
        kind, text = messages(request)[-1]
        return [call("ask")] if kind == "user" else [f"got {text}"]

    return Script(play)


@pytest.mark.parametrize("body", BODIES)
async def test_inputs(tmp_path: Path, body: str | bytes):
    gate = Gate()
    model = Script([gate, "first"], ["more"])
    async with Desk(tmp_path, Agent("t", model), queue_mode="enqueue") as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        said = [await ann.say(text) for text in ("one", "two", "three", "four")]
        await gate.reached.wait()
        await asyncio.sleep(1)
        await desk.kill()
        corrupt(tmp_path, "inbox SET body = ? WHERE seq = 3", body)
        gate.open()
        await desk.start()
        ann = await desk.person("ann")
        for receipt in (said[0], said[1], said[3]):
            assert await ann.outcome(receipt) == ("answered", "")
        users = [text for kind, text in messages(model.requests[-1]) if kind == "user"]
        assert users == ["one", "two", "four"]
        assert "can't be read" in desk.log.getvalue()
        assert (await ann.outcome(await ann.say("five")))[0] == "answered"


@pytest.mark.parametrize("body", BODIES)
async def test_entries(tmp_path: Path, body: str | bytes):
    model = Script(*([f"reply {number}"] for number in range(1, 5)))
    async with Desk(tmp_path, Agent("t", model)) as desk:
        ann = await desk.person("ann")
        for text in ("one", "two", "three"):
            assert (await ann.outcome(await ann.say(text)))[0] == "answered"
        await desk.stop()
        corrupt(tmp_path, "entry SET body = ? WHERE seq = 3", body)
        await desk.start()
        ann = await desk.person("ann")
        assert (await ann.outcome(await ann.say("four")))[0] == "answered"
        assert messages(model.requests[-1]) == [
            ("user", "one"),
            ("assistant", "reply 1"),
            ("assistant", "reply 2"),
            ("user", "three"),
            ("assistant", "reply 3"),
            ("user", "four"),
        ]
        shown = [e["body"].get("text") for e in (await ann.export())["entries"]]
        assert shown == ["one", "reply 1", "reply 2", "three", "reply 3", "four", "reply 4"]


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("table", ["question", "run"])
async def test_questions_and_runs(tmp_path: Path, table: str, body: str | bytes):
    async with Desk(tmp_path, Agent("t", asking(), "", [ask])) as desk:
        desk.may_fail = True
        said = []
        for number in (1, 2, 3):
            person = await _welcome(desk, number)
            said.append(await person.say("go"))
            await person.frame("question")
        await asyncio.sleep(1)
        await desk.kill()
        corrupt(tmp_path, f"{table} SET body = ? WHERE thread = 'local:2'", body)
        await desk.start()
        for number in (1, 3):
            person = await _welcome(desk, number)
            (question,) = person.frames[0]["data"]["snapshot"]["questions"]
            assert question["message"] == "Sure?"
            assert (await person.outcome(await person.say("yes")))[0] == "decided"
            assert await person.outcome(said[number - 1]) == ("answered", "")
        await asyncio.sleep(2)
        person = await _welcome(desk, 2)
        if table == "question":  # asked anew
            await asyncio.sleep(1)
            assert (await person.outcome(await person.say("yes")))[0] == "decided"
            assert await person.outcome(said[1]) == ("answered", "")
        else:
            (row,) = (await person.export())["inputs"]
            assert row["outcome"] == "failed"
            assert row["detail"]
            again = await person.say("go")
            await person.frame("question")
            await asyncio.sleep(1)
            assert (await person.outcome(await person.say("yes")))[0] == "decided"
            assert await person.outcome(again) == ("answered", "")
        store: Any = desk.app.store
        assert await store.questions(open_only=True) == []


@pytest.mark.parametrize("body", BODIES)
async def test_one_of_three_questions_of_a_pause(tmp_path: Path, body: str | bytes):
    @tool(parallel_safe=True)
    async def confirm(what: int, context: ToolContext) -> str:
        """Asks."""
        yes = await context.interrupt(message=f"Sure of {what}?", response_schema=bool)
        return f"{what}: {yes}"

    calls = [call("confirm", what=number) for number in (1, 2, 3)]
    model = Script(calls, ["whole"])
    agent = Agent("t", model, "", [confirm], parallel_tool_calls=True)
    async with Desk(tmp_path, agent) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        said = await ann.say("go")
        for _ in range(3):
            await ann.frame("question")
        await asyncio.sleep(1)
        await desk.kill()
        corrupt(tmp_path, "question SET body = ? WHERE position = 2", body)
        await desk.start()
        ann = await desk.person("ann")
        open_now = ann.frames[0]["data"]["snapshot"]["questions"]
        assert [q["message"] for q in open_now] == ["Sure of 1?", "Sure of 3?"]
        for text in ("1: yes", "no"):
            assert (await ann.outcome(await ann.say(text)))[0] == "decided"
            await asyncio.sleep(1)
        asked = await ann.frame("question", lambda d: d["question"]["message"] == "Sure of 2?")
        await asyncio.sleep(1)
        assert (await ann.outcome(await ann.press(asked, "yes")))[0] == "decided"
        assert await ann.outcome(said) == ("answered", "")
        results = [text for kind, text in messages(model.requests[-1]) if kind == "result"]
        assert results == ["1: True", "2: True", "3: False"]
