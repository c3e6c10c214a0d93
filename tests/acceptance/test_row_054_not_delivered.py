"""Row 54: a prompt that could not be delivered arms nothing: the run goes on."""

import asyncio
from pathlib import Path

import pytest

from gateway.ports.channel import Delivery
from tests.acceptance.asking import asking_agent, requests_of
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import messages
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime
TEXT = 'The question "Well?" could not be delivered'


async def test_a_failing_send(tmp_path: Path):
    fake = FakeChannel("fake", share=1.0, asks=[Delivery.FAILED])
    agent = asking_agent(bool, ["on I go"], ["normal"])
    async with Desk(tmp_path, agent, channels=[fake], allow=["ann"]) as desk:
        ann = desk.member("ann", "fake:1", "fake")
        await ann.say("go")
        await asyncio.sleep(2)
        assert messages(requests_of(agent)[1])[-1] == ("result", TEXT)
        assert "UNDELIVERABLE" in ann.told()
        assert not fake.of_type("armed")
        said = await ann.say("yes")
        await asyncio.sleep(2)
        assert messages(requests_of(agent)[2])[-1] == ("user", "yes")
        assert said.code == ""


async def test_nobody_connected_for_a_day(tmp_path: Path):
    agent = asking_agent(bool)
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        await ann.say("go")
        await ann.leave()
        await asyncio.sleep(1)
        await desk.kill()
        await asyncio.sleep(24 * 3600)
        await desk.start()
        await asyncio.sleep(1)
        assert messages(requests_of(agent)[1])[-1] == ("result", TEXT)


async def test_a_question_waits_for_the_first_client(tmp_path: Path):
    agent = asking_agent(bool, expires_in=60)
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        await ann.say("go")
        await ann.leave()
        await asyncio.sleep(3600)
        ann = await desk.person("ann")
        await ann.frame("question")
        await asyncio.sleep(50)
        yes = await ann.say("yes", id_="yes")
        assert (await ann.outcome(yes))[0] == "decided"
