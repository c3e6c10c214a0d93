"""Row 52: only the person asked answers; ids can't be guessed; the digest never leaves the host."""

import asyncio
import hashlib
import json
import uuid
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.asking import asked, asking_agent, results
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime


async def test_another_member_s_yes_is_no_answer(tmp_path: Path):
    fake = FakeChannel("fake", share=1.0)
    agent = asking_agent(bool, ["fine"], ["bob's"])
    desk = Desk(tmp_path, agent, channels=[fake], allow=["ann", "bob"], shared=["fake:g"])
    async with desk:
        ann, bob = (desk.member(name, "fake:g", "fake") for name in ("ann", "bob"))
        await ann.say("go")
        await asyncio.sleep(1)
        await bob.say("да")
        await bob.say("yes", reply_to=fake.prompts[0].question.id)
        pressed = await bob.press("yes")
        assert pressed.code == "THREAD_ACCESS_DENIED"
        await asyncio.sleep(2)
        assert not fake.of_type("decided")
        await ann.say("no")
        await asyncio.sleep(2)
        (card,) = fake.of_type("decided")
        assert (card["by"], card["value"]) == ("ann", False)


async def test_ids_are_random_and_no_frame_holds_the_digest(tmp_path: Path):
    @tool(approval=True)
    async def deploy(service: str, context: ToolContext) -> str:
        """Deploys."""
        return "done"

    model = Script([call("deploy", service="api")], ["fine"])
    async with Desk(tmp_path, Agent("tester", model, tools=[deploy])) as desk:
        ann = await desk.person("ann")
        question = await asked(ann)
        data = question["data"]
        assert uuid.UUID(data["question"]["id"]).version == 4
        assert uuid.UUID(data["token"]).version == 4
        assert data["token"] != data["question"]["id"]
        other = await desk.person("ann")
        await ann.say("yes")
        await ann.ended()
        await ann.call("pauses.list")
        await ann.export()
        digest = hashlib.sha256(b'{"service":"api"}').hexdigest()
        seen = json.dumps([ann.frames, other.frames])
        assert digest not in seen
        assert "igest" not in seen
        assert await results(ann) == ["done"]
