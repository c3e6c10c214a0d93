"""RACES 16 over REST: what somebody says answers the questions that they were written."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, tool
from tests.acceptance.desk import Desk
from tests.acceptance.faults import SlowRead
from tests.acceptance.rest import rest
from tests.acceptance.scripted import Gate, Script, call

pytestmark = pytest.mark.looptime


async def test_race_16_a_question_that_came_while_another_was_written_is_not_seen(tmp_path: Path):
    ran: list[str] = []

    @tool(approval=True)
    async def deploy(service: str) -> str:
        """Deploys."""
        ran.append(service)
        return f"{service} is up"

    steps = [call("deploy", service="api")], [call("deploy", service="db")], ["fine"], ["yes?"]
    agent = Agent("tester", Script(*steps), tools=[deploy])
    slow = SlowRead("question_thread")

    async with Desk(tmp_path, agent, wrap=slow) as desk, rest(desk, "ann") as ann:
        run = await ann.done("go")
        (first,) = run["interrupts"]
        slow.gate = gate = Gate()
        listing = asyncio.create_task(ann.get("/v1/pauses"))
        await gate.reached.wait()
        router, thread = desk.app.router, run["thread"]
        await router.resume(thread, "ann", {first["id"]: {"approved": True}}, "local")
        await asyncio.sleep(2)
        (later,) = await desk.app.store.questions(thread=thread, open_only=True)
        gate.open()
        _, listed = await listing
        assert [pause["id"] for pause in listed["pauses"]] == [first["id"]]
        status, said = await ann.start("yes")
        assert (status, said["status"]) == (202, "queued")
        assert ran == ["api"]
        _, listed = await ann.get("/v1/pauses")
        assert [pause["id"] for pause in listed["pauses"]] == [later.id]
        status, answered = await ann.start("yes", waitSeconds=9)
        assert (answered["id"], ran) == (run["id"], ["api", "db"])
