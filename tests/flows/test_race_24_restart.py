"""RACES 24, and 20 where it crashes: a restart with a run in flight, waiting or asking."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Gate, Script, call, messages
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime
SLOW = ["one ", 1.0, "two ", 1.0, "three ", 60.0, "four"]


async def test_the_partial_is_closed_and_the_same_run_goes_on(tmp_path: Path):
    @tool
    async def look() -> str:
        """Looks."""
        return "seen"

    model = Script(["Looking. ", call("look")], SLOW, ["whole"], ["next"])
    async with Desk(tmp_path, Agent("tester", model, "", [look])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        await asyncio.sleep(1.6)
        await desk.kill()
        await desk.start()
        ann = await desk.person("ann")
        assert await ann.outcome(said) == ("answered", "")
        first, second, third = model.requests
        assert first.run == second.run == third.run
        done = [("user", "go"), ("assistant", "Looking. "), ("call", "look"), ("result", "seen")]
        assert messages(second) == done
        assert messages(third) == [*done, ("assistant", "one two [interrupted: HOLDER_LOST]")]
        entries = (await ann.export())["entries"]
        marks = [e["body"].get("metadata") for e in entries if e["kind"] == "assistant"]
        assert marks == [None, {"interrupted": True, "reason": "HOLDER_LOST"}, None]
        assert ann.texts()[-1] == "whole"
        assert (await ann.outcome(await ann.say("more")))[0] == "answered"
        assert messages(model.requests[3])[-2:] == [("assistant", "whole"), ("user", "more")]


async def test_after_sigterm_the_run_is_ended_and_retry_is_offered(tmp_path: Path):
    model = Script(SLOW, ["whole"])
    async with Desk(tmp_path, Agent("tester", model)) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        await asyncio.sleep(1.6)
        await desk.restart()
        ann = await desk.person("ann")
        log = await ann.export()
        assert [(i["seq"], i["outcome"], i["detail"]) for i in log["inputs"]] == [
            (said["input"], "interrupted", "SYSTEM_SHUTDOWN")
        ]
        partial = log["entries"][1]["body"]
        assert partial["text"] == "one two "
        assert partial["metadata"] == {"interrupted": True, "reason": "SYSTEM_SHUTDOWN"}
        ended = ann.frames[0]["data"]["snapshot"]["lastEnded"]
        assert (ended["reason"], ended["retry"]) == ("SYSTEM_SHUTDOWN", True)
        await asyncio.sleep(30)
        assert len(model.requests) == 1
        assert (await ann.outcome(await ann.say("/retry")))[0] == "answered"


@pytest.mark.parametrize("end", ["kill", "sigterm"])
async def test_an_asking_run_stands_with_its_expiry(tmp_path: Path, end: str):
    @tool
    async def ask(context: ToolContext) -> str:
        """Asks."""
        return str(
            await context.interrupt(message="Sure?", response_schema=bool, expires_in=3600.0)
        )

    model = Script([call("ask")], ["expired"])
    async with Desk(tmp_path, Agent("tester", model, "", [ask])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        await ann.frame("question")
        await asyncio.sleep(1)
        (before,) = (await ann.hello("local:1"))["snapshot"]["questions"]
        for _ in range(4):  # more often than a run may crash
            await asyncio.sleep(600)
            if end == "kill":
                await desk.kill()
                await desk.start()
            else:
                await desk.restart()
        ann = await desk.person("ann")
        (after,) = ann.frames[0]["data"]["snapshot"]["questions"]
        assert after == before
        await asyncio.sleep(3600 - 4 * 600 - 10)
        assert len(model.requests) == 1
        assert await ann.outcome(said, within=30) == ("answered", "")
        assert "Nobody answered" in messages(model.requests[1])[-1][1]


async def test_the_third_crash_in_a_row_ends_the_run_failed(tmp_path: Path):
    gates = [Gate() for _ in range(4)]
    model = Script(*([gate, "whole"] for gate in gates))
    async with Desk(tmp_path, Agent("tester", model)) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        said = await ann.say("go")
        for gate in gates[:3]:
            await gate.reached.wait()
            await desk.kill()
            gate.open()
            await desk.start()
        ann = await desk.person("ann")
        await asyncio.sleep(1)
        (row,) = (await ann.export())["inputs"]
        assert (row["seq"], row["outcome"]) == (said["input"], "failed")
        assert row["detail"]
        assert len(model.requests) == 3
        gates[3].open()
        assert (await ann.outcome(await ann.say("/retry")))[0] == "answered"


async def test_a_step_between_crashes_begins_the_count_anew(tmp_path: Path):
    ran: list[int] = []

    @tool
    async def look(page: int) -> str:
        """Looks."""
        ran.append(page)
        return "seen"

    gates = [Gate() for _ in range(3)]
    steps: list[list[object]] = []
    for number, gate in enumerate(gates):
        steps += [[gate, "lost"], [call("look", page=number)]]
    model = Script(*steps, ["whole"])
    async with Desk(tmp_path, Agent("tester", model, "", [look])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        for gate in gates:
            await gate.reached.wait()
            await desk.kill()
            gate.open()
            await desk.start()
        ann = await desk.person("ann")
        assert await ann.outcome(said) == ("answered", "")
        assert ran == [0, 1, 2]


async def test_orderly_ends_are_no_crashes_of_a_run_that_waits_for_a_slot(tmp_path: Path):
    gate = Gate()
    model = Script([gate, "whole"])
    async with Desk(tmp_path, Agent("tester", model), max_concurrent_runs=1) as desk:
        people = [await desk.person(f"p{n}", f"local:{n}") for n in range(6)]
        said = [await person.say("me") for person in people]
        for _ in range(4):
            await asyncio.sleep(1)
            await desk.restart()
        last = await desk.person("p5", "local:5")
        assert [run["state"] for run in last.frames[0]["data"]["snapshot"]["runs"]] == ["starting"]
        gate.open()
        assert await last.outcome(said[-1]) == ("answered", "")


async def test_20_what_was_to_join_is_back_in_its_old_place(tmp_path: Path):
    gate = Gate()

    @tool
    async def look() -> str:
        """Looks."""
        await gate.wait()
        return "seen"

    model = Script([call("look")], ["first"], ["second"], ["third"])
    async with Desk(tmp_path, Agent("tester", model, "", [look])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        await gate.reached.wait()
        later = await ann.say("at the end", override="later")
        joins = await ann.say("this too")
        await asyncio.sleep(1)
        await desk.kill()
        gate.open()
        await desk.start()
        ann = await desk.person("ann")
        assert await ann.outcome(said) == ("answered", "")
        assert await ann.outcome(joins) == ("steered", "")
        assert await ann.outcome(later) == ("answered", "")
        users = [text for kind, text in messages(model.requests[-1]) if kind == "user"]
        assert users == ["go", "this too", "at the end"]


async def test_a_fresh_start_that_waited_for_a_run_to_end_survives_the_crash(tmp_path: Path):
    gate = Gate()

    @tool
    async def pay() -> str:
        """Pays, and can't be cut."""
        await gate.wait()
        return "paid"

    model = Script([call("pay")], ["hello"])
    async with Desk(tmp_path, Agent("tester", model, "", [pay])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("pay")
        await gate.reached.wait()
        new = await ann.say("/new")
        assert await ann.outcome(new) == ("handled", "NEW_CONVERSATION")
        await desk.kill()
        gate.open()
        await desk.start()
        ann = await desk.person("ann")
        assert (await ann.outcome(await ann.say("hi")))[0] == "answered"
        assert messages(model.requests[1]) == [("user", "hi")]
        log = await ann.export()
        outcomes = {row["seq"]: (row["outcome"], row["detail"]) for row in log["inputs"]}
        assert outcomes[said["input"]] == ("interrupted", "SESSION_RELEASED")


async def test_no_life_reuses_the_number_of_a_step_that_another_one_showed(tmp_path: Path):
    gates = [Gate() for _ in range(3)]
    model = Script(*([f"life {number} ", gate, "ends"] for number, gate in enumerate(gates)))
    fake = FakeChannel("fake", share=1.0)
    async with Desk(tmp_path, Agent("t", model), channels=[fake], allow=["ann"]) as desk:
        ann = desk.member("ann", "fake:1", "fake")
        await ann.say("go")
        for gate in gates[:2]:
            await gate.reached.wait()  # shown, not stored
            await desk.kill()
            gate.open()
            await desk.start()
        await gates[2].reached.wait()
        gates[2].open()
        await asyncio.sleep(2)
        texts = {ref.step: text for ref, text in fake.given.items()}
        assert list(texts.values()) == ["life 0 ", "life 1 ", "life 2 ends"]
        assert len({ref.run for ref in fake.given}) == 1
