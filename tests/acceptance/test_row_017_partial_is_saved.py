"""Row 17: streamed text that was shown is saved, marked as interrupted; models read the mark."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent
from tests.acceptance.desk import Desk
from tests.acceptance.log import bodies
from tests.acceptance.scripted import Gate, Script, messages
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime


async def test_a_stop_after_three_deltas(tmp_path: Path):
    gate = Gate()
    model = Script(["One. ", 0.1, "Two. ", 0.1, "Three.", gate, "Four."], ["next"])
    async with Desk(tmp_path, Agent("tester", model)) as desk:
        ann = await desk.person("ann")
        said = await ann.say("count")
        await gate.reached.wait()
        await ann.shows("Three.")
        await ann.stop()
        assert await ann.outcome(said, within=1) == ("interrupted", "USER_SIGINT")
        log = await ann.export()
        (body,) = bodies(log, "assistant")
        assert body["text"] == "One. Two. Three."
        assert body["metadata"] == {"interrupted": True, "reason": "USER_SIGINT"}
        assert ann.texts() == ["One. Two. Three."]
        (closed,) = ann.find("closed")
        assert (closed["text"], closed["reason"]) == ("One. Two. Three.", "USER_SIGINT")

        await ann.outcome(await ann.say("go on"))
        assert messages(model.requests[1]) == [
            ("user", "count"),
            ("assistant", "One. Two. Three. [interrupted by the user]"),
            ("user", "go on"),
        ]


async def test_what_is_saved_is_what_a_channel_showed_not_what_it_was_given(tmp_path: Path):
    gate, half = Gate(), FakeChannel("half", share=0.5)
    model = Script(["0123456789", gate], ["next"])
    desk = Desk(tmp_path, Agent("tester", model), channels=[half], allow=["ann"])
    async with desk:
        ann = desk.member("ann", "half:1", "half")
        await ann.say("count")
        await gate.reached.wait()
        await asyncio.sleep(1)
        await ann.stop()
        await asyncio.sleep(1)
        export = await (await desk.person("ann", thread="half:1")).export()
        (body,) = bodies(export, "assistant")
        assert body["text"] == "01234"
        assert body["metadata"] == {
            "interrupted": True,
            "reason": "USER_SIGINT",
            "unheard": "56789",
        }
        await ann.say("go on")
        await asyncio.sleep(1)
        assert messages(model.requests[1])[1] == ("assistant", "01234 [interrupted by the user]")
        assert "56789" not in str(model.requests[1])


@pytest.mark.parametrize(
    ("reason", "mark"),
    [
        ("NOW_PRIORITY_INPUT", "[interrupted by the user]"),
        ("SYSTEM_SHUTDOWN", "[interrupted: SYSTEM_SHUTDOWN]"),
        ("BUDGET_EXCEEDED", "[interrupted: BUDGET_EXCEEDED]"),
    ],
)
async def test_the_mark_names_the_reason(tmp_path: Path, reason: str, mark: str):
    model = Script(["One.", 1000.0], ["next"])
    async with Desk(tmp_path, Agent("tester", model, timeout_seconds=20)) as desk:
        ann = await desk.person("ann")
        first = await ann.say("count")
        await ann.shows("One.")
        if reason == "NOW_PRIORITY_INPUT":
            await ann.say("go on", override="now")
        elif reason == "SYSTEM_SHUTDOWN":
            await desk.restart()
            ann = await desk.person("ann")
            await ann.say("go on")
        else:
            await asyncio.sleep(25)
            await ann.say("go on")
        await asyncio.sleep(2)
        rows = {row["text"]: row for row in (await ann.export())["inputs"]}
        assert (rows["count"]["outcome"], rows["count"]["detail"]) == ("interrupted", reason)
        assert first["code"] == ""
        assert messages(model.requests[1])[1] == ("assistant", f"One. {mark}")
