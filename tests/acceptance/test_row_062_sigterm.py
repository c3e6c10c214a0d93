"""Row 62: SIGTERM ends what runs, keeps what asks, takes nothing half, exits 0 in time."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.people import Refused
from tests.acceptance.real_server import Server
from tests.acceptance.scripted import Script, call, messages

DEADLINE_SECONDS = 10.0


@pytest.mark.slow
@pytest.mark.process
async def test_a_real_process(tmp_path: Path):
    server = await Server(tmp_path / "a.db").ready()
    try:
        people = {}
        for number, text in enumerate(("talk to me", "search all", "ask me", "hello")):
            people[text] = await server.person(f"p{number}", f"local:{number}")
        said = {text: await person.say(text) for text, person in people.items()}
        await people["ask me"].frame("question")
        await people["talk to me"].shows("5 ")
        await people["search all"].frame("call", state="started")
        assert await people["hello"].outcome(said["hello"]) == ("answered", "")
        shown = people["talk to me"].texts()[-1]
        began = time.monotonic()
        assert await server.terminate(within=DEADLINE_SECONDS) == 0
        assert time.monotonic() - began < DEADLINE_SECONDS
        for person in people.values():
            await person.leave()
        server = await Server(tmp_path / "a.db").ready()
        talked = await server.person("p0", "local:0")
        log = await talked.export()
        assert log["inputs"][0]["detail"] == "SYSTEM_SHUTDOWN"
        partial = log["entries"][1]["body"]
        assert partial["text"].startswith(shown)
        assert partial["metadata"] == {"interrupted": True, "reason": "SYSTEM_SHUTDOWN"}
        ended = talked.frames[0]["data"]["snapshot"]["lastEnded"]
        assert (ended["reason"], ended["retry"]) == ("SYSTEM_SHUTDOWN", True)
        searched = await server.person("p1", "local:1")
        (row,) = (await searched.export())["inputs"]
        assert (row["outcome"], row["detail"]) == ("interrupted", "SYSTEM_SHUTDOWN")
        asked = await server.person("p2", "local:2")
        (question,) = asked.frames[0]["data"]["snapshot"]["questions"]
        assert question["message"] == "Sure?"
        assert (await asked.outcome(await asked.say("yes")))[0] == "decided"
        assert await asked.outcome(said["ask me"]) == ("answered", "")
        for person in (talked, searched, asked):
            await person.leave()
        assert await server.terminate(within=DEADLINE_SECONDS) == 0
    finally:
        server.kill()


@pytest.mark.looptime
async def test_what_is_said_while_it_ends_is_refused_or_kept(tmp_path: Path):
    ran: list[str] = []

    @tool
    async def pay(context: ToolContext) -> str:
        """Pays, for three seconds."""
        await asyncio.sleep(3)
        ran.append("paid")
        return "paid"

    model = Script([call("pay")], ["later"], ["last"])
    async with Desk(tmp_path, Agent("t", model, "", [pay])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("pay")
        waits = await ann.say("and then?", override="later")
        await asyncio.sleep(1)
        ends = asyncio.create_task(desk.stop())
        await asyncio.sleep(0.5)
        try:
            code = (await ann.say("one more"))["code"]
        except Refused as refused:
            code = refused.code
        assert code == "SHUTTING_DOWN"
        await ends
        await desk.start()
        ann = await desk.person("ann")
        log = await ann.export()
        assert log["inputs"][0]["outcome"] == "interrupted"
        assert "one more" not in str(log)
        assert ran == ["paid"]
        results = [e["body"]["content"] for e in log["entries"] if e["kind"] == "tool_result"]
        assert results == ["paid"]
        assert said["input"] < waits["input"]
        assert await ann.outcome(waits) == ("answered", "")
        assert messages(model.requests[1])[-2:] == [("result", "paid"), ("user", "and then?")]


@pytest.mark.looptime
async def test_a_tool_that_won_t_end_does_not_hold_the_process_up(tmp_path: Path):
    @tool
    async def hang() -> str:
        """Never comes back."""
        await asyncio.sleep(10_000)
        return "never"

    model = Script([call("hang")], ["later"])
    async with Desk(tmp_path, Agent("t", model, "", [hang])) as desk:
        ann = await desk.person("ann")
        await ann.say("go")
        await asyncio.sleep(1)
        began = desk.time()
        await desk.stop()
        assert desk.time() - began <= DEADLINE_SECONDS
        await desk.start()
        ann = await desk.person("ann")
        (row,) = (await ann.export())["inputs"]
        assert (row["outcome"], row["detail"]) == ("interrupted", "SYSTEM_SHUTDOWN")


@pytest.mark.looptime
async def test_a_stop_before_the_first_step_loses_nothing(tmp_path: Path):
    model = Script(["whole"])
    async with Desk(tmp_path, Agent("t", model)) as desk:
        ann = await desk.person("ann")
        for number in range(5):
            await ann.say(f"message {number}")
        await desk.restart()
        ann = await desk.person("ann")
        await asyncio.sleep(5)
        rows = (await ann.export())["inputs"]
        assert len(rows) == 5
        assert {row["outcome"] for row in rows} <= {"answered", "interrupted", "steered"}
