"""The harness itself: say, see, restart, kill."""

from pathlib import Path

import pytest

from gateway import Agent
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Gate, Script, by_text
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime


async def test_a_person_says_something_and_sees_the_answer(tmp_path: Path):
    async with Desk(tmp_path, Agent("tester", Script(["Hel", 0.1, "lo"]))) as desk:
        ann = await desk.person("ann")
        said = await ann.say("hi")
        assert await ann.outcome(said, within=2) == ("answered", "")
        assert ann.texts() == ["Hello"]
        log = await ann.export()
        assert [entry["body"].get("text") for entry in log["entries"]] == ["hi", "Hello"]
        assert 'bargein_inputs_total{outcome="answered"} 1.0' in await desk.metrics()


async def test_a_kill_and_a_restart_go_on_from_the_file(tmp_path: Path):
    gate = Gate()
    model = Script(["partial ", gate], ["whole"])
    async with Desk(tmp_path, Agent("tester", model)) as desk:
        ann = await desk.person("ann")
        said = await ann.say("hi")
        await gate.reached.wait()
        await desk.kill()
        await desk.start()
        ann = await desk.person("ann")
        assert await ann.outcome(said, within=5) == ("answered", "")
        await desk.restart()
        ann = await desk.person("ann")
        assert [i["outcome"] for i in (await ann.export())["inputs"]] == ["answered"]


async def test_people_on_a_fake_channel(tmp_path: Path):
    model = Script(by_text(one=["first"], two=["second"]))
    fake = FakeChannel("fake", share=1.0)
    desk = Desk(
        tmp_path,
        Agent("tester", model),
        channels=[fake],
        allow=["ann", "bob"],
        shared=["fake:g"],
    )
    async with desk:
        ann, bob = (desk.member(name, "fake:g", "fake") for name in ("ann", "bob"))
        assert (await ann.say("one")).code == ""
        assert (await bob.say("two")).code == ""
        cat = desk.member("cat", "fake:g", "fake")
        assert (await cat.say("one")).code == "THREAD_ACCESS_DENIED"
