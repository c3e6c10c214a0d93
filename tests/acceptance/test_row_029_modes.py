"""Row 29: every mode, set for the deployment, the channel or the thread; the reply says where."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway.settings import Settings
from tests.acceptance.desk import Desk
from tests.acceptance.log import bodies
from tests.acceptance.work import most_at_once, users, worker
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime

TWO_MESSAGES = {
    "steer": ("answered", "steered"),
    "enqueue": ("answered", "answered"),
    "collect": ("answered", "answered"),
    "interrupt": ("interrupted", "answered"),
    "rollback": ("interrupted", "answered"),
    "reject": ("answered", "refused"),
    "parallel": ("answered", "answered"),
}


@pytest.mark.parametrize("where", ["deployment", "channel", "thread"])
@pytest.mark.parametrize("mode", TWO_MESSAGES)
async def test_two_messages(tmp_path: Path, mode: str, where: str):
    agent, model = worker()
    other = "enqueue" if mode != "enqueue" else "reject"
    desk = Desk(tmp_path, agent, queue_mode=mode if where == "deployment" else other)
    if where != "deployment":
        on_channel: Any = {"local": {"queue_mode": mode if where == "channel" else other}}
        channels = Settings(channels=on_channel).channels
        desk.settings = desk.settings.model_copy(update={"channels": channels})
    async with desk:
        ann = await desk.person("ann")
        if where == "thread":
            await ann.outcome(await ann.say(f"/queue {mode}"))
        await ann.say("/queue")
        told = (await ann.frame("notice", code="QUEUE"))["data"]
        assert (told["params"]["mode"], told["params"]["source"]) == (mode, where)
        first = await ann.say("work")
        await ann.frame("call", state="started")
        second = await ann.say("two")
        await asyncio.sleep(10)
        got = (await ann.outcome(first), await ann.outcome(second))
        assert tuple(outcome for outcome, _ in got) == TWO_MESSAGES[mode]
        assert most_at_once(ann.find("run")) == (2 if mode == "parallel" else 1)
        texts = [body["text"] for body in bodies(await ann.export(), "user")]
        assert texts == (["work"] if mode == "reject" else ["work", "two"])
        expected = {"rollback": ["two"], "parallel": ["work"], "reject": ["work"]}
        assert users(model.requests[-1]) == expected.get(mode, ["work", "two"])


async def test_in_a_shared_thread_only_an_admin_sets_it(tmp_path: Path):
    agent, _ = worker()
    fake = FakeChannel("fake", share=1.0)
    async with Desk(
        tmp_path,
        agent,
        channels=[fake],
        allow=["ann"],
        admins=["root"],
        shared=["fake:g"],
    ) as desk:
        ann, root = (desk.member(name, "fake:g", "fake") for name in ("ann", "root"))
        await ann.say("/queue reject")
        await ann.say("/queue")
        await asyncio.sleep(1)
        told = [n.params for n in fake.notices if n.code == "QUEUE"]
        assert (told[-1]["mode"], told[-1]["source"]) == ("enqueue", "deployment")
        assert "ADMINS_ONLY" in ann.told()
        await root.say("/queue reject")
        await ann.say("/queue")
        await asyncio.sleep(1)
        told = [n.params for n in fake.notices if n.code == "QUEUE"]
        assert (told[-1]["mode"], told[-1]["source"]) == ("reject", "thread")
