"""Row 59: what a platform delivers again is handled once; ids out of order are all handled."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Gate, Script, call
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime


async def test_the_same_update_twelve_times_is_one_input(tmp_path: Path):
    fake = FakeChannel("fake", share=1.0)
    model = Script(["whole"])
    async with Desk(tmp_path, Agent("t", model), channels=[fake], allow=["ann"]) as desk:
        ann = desk.member("ann", "fake:1", "fake")
        at_once = [asyncio.create_task(ann.say("hi", dedup="fake:bot:7")) for _ in range(6)]
        receipts = [await task for task in at_once]
        await asyncio.sleep(2)
        receipts += [await ann.say("hi", dedup="fake:bot:7") for _ in range(3)]
        await desk.restart()
        receipts += [await ann.say("hi", dedup="fake:bot:7") for _ in range(3)]
        await asyncio.sleep(2)
        assert [r.code for r in receipts] == [""] * 12
        assert sorted(r.duplicate for r in receipts) == [False] + [True] * 11
        assert {r.row.seq for r in receipts} == {1}
        assert len(await desk.app.store.inputs("fake:1")) == 1
        assert len(model.requests) == 1
        assert [text for text, _ in fake.closed.values()] == ["whole"]


async def test_ids_out_of_order_are_all_handled_in_the_order_they_came(tmp_path: Path):
    fake = FakeChannel("fake", share=1.0)
    model = Script(["whole"])
    desk = Desk(tmp_path, Agent("t", model), channels=[fake], allow=["ann"], queue_mode="enqueue")
    async with desk:
        ann = desk.member("ann", "fake:1", "fake")
        for number in (8, 7, 10, 9):
            await ann.say(f"update {number}", dedup=f"fake:bot:{number}")
        await asyncio.sleep(5)
        rows = await desk.app.store.inputs("fake:1")
        assert [(row.new.text, row.outcome) for row in rows] == [
            (f"update {number}", "answered") for number in (8, 7, 10, 9)
        ]


async def test_the_same_number_on_another_account_or_channel_is_another_input(tmp_path: Path):
    channels = [FakeChannel("fake", share=1.0), FakeChannel("other", share=1.0)]
    model = Script(["whole"])
    async with Desk(tmp_path, Agent("t", model), channels=channels, allow=["ann"]) as desk:
        ann = desk.member("ann", "fake:1", "fake")
        for dedup in ("fake:a:7", "fake:b:7", "other:a:7"):
            assert not (await ann.say("hi", dedup=dedup)).duplicate
            await asyncio.sleep(1)
        assert len(model.requests) == 3


async def test_a_stop_delivered_again_stops_no_later_run(tmp_path: Path):
    fake = FakeChannel("fake", share=1.0)
    model = Script(["one ", 100.0, "two"], ["so ", 1.0, "far"])
    async with Desk(tmp_path, Agent("t", model), channels=[fake], allow=["ann"]) as desk:
        ann = desk.member("ann", "fake:1", "fake")
        await ann.say("count")
        await asyncio.sleep(1)
        await ann.say("/stop", dedup="fake:bot:stop")
        await asyncio.sleep(1)
        await ann.say("again")
        await asyncio.sleep(0.5)
        assert (await ann.say("/stop", dedup="fake:bot:stop")).duplicate
        await asyncio.sleep(2)
        rows = await desk.app.store.inputs("fake:1")
        assert [row.outcome for row in rows] == ["interrupted", "handled", "answered"]


async def test_a_press_and_a_message_of_the_socket_delivered_again(tmp_path: Path):
    ran: list[object] = []
    gate = Gate()

    @tool
    async def deploy(context: ToolContext) -> str:
        """Asks."""
        ran.append(await context.interrupt(message="Sure?", response_schema=bool))
        await gate.wait()
        return "deployed"

    model = Script([call("deploy")], ["whole"])
    async with Desk(tmp_path, Agent("t", model, "", [deploy])) as desk:
        ann = await desk.person("ann")
        first = await ann.say("deploy", id_="same")
        question = await ann.frame("question")
        again = await ann.say("deploy", id_="same")
        assert (first["duplicate"], again["duplicate"]) == (False, True)
        assert first["input"] == again["input"]
        await asyncio.sleep(1)
        token = question["data"]["token"]
        press = {"type": "press", "id": "p", "token": token, "option": "yes"}
        for _ in range(3):
            await ann.send(press)
        await gate.reached.wait()
        gate.open()
        assert await ann.outcome(first) == ("answered", "")
        assert ran == [True]
        assert len((await ann.export())["inputs"]) == 2
