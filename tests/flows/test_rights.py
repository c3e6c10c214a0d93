"""Who may run a tool, and what a typed no does."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, tool
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Gate, Script, call, messages
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime


async def test_a_tool_runs_only_for_those_on_its_list(tmp_path: Path):
    ran: list[str] = []

    @tool
    async def deploy() -> str:
        """Deploys."""
        ran.append("deployed")
        return "deployed"

    def play(request):
        kind, _ = messages(request)[-1]
        return [call("deploy")] if kind == "user" else ["told"]

    model = Script(play)
    desk = Desk(tmp_path, Agent("t", model, "", [deploy]), tools={"deploy": ("ann",)})
    async with desk:
        bob = await desk.person("bob", "local:2")
        assert (await bob.outcome(await bob.say("deploy")))[0] == "answered"
        assert ran == []
        assert "may not run" in messages(model.requests[-1])[-1][1]
        ann = await desk.person("ann", "local:1")
        assert (await ann.outcome(await ann.say("deploy")))[0] == "answered"
        assert ran == ["deployed"]


async def test_a_merged_run_may_what_all_its_senders_may(tmp_path: Path):
    ran: list[str] = []
    gate = Gate()

    @tool
    async def deploy() -> str:
        """Deploys."""
        ran.append("deployed")
        return "deployed"

    fake = FakeChannel("fake", share=1.0)
    model = Script([gate, "first"], [call("deploy")], ["told"])
    desk = Desk(
        tmp_path,
        Agent("t", model, "", [deploy]),
        channels=[fake],
        allow=["ann", "bob"],
        shared=["fake:g"],
        tools={"deploy": ("ann",)},
        shared_queue_mode="collect",
    )
    async with desk:
        ann, bob = (desk.member(name, "fake:g", "fake") for name in ("ann", "bob"))
        await ann.say("hello")
        await gate.reached.wait()
        await ann.say("deploy it")
        await bob.say("yes, do")
        await asyncio.sleep(5)
        gate.open()
        await asyncio.sleep(5)
        run = await desk.app.store.run(model.requests[-1].run)
        assert run is not None
        assert run.principals == ("ann", "bob")
        assert ran == []


@pytest.mark.parametrize("no", ["no", "нет", "don't"])
async def test_a_typed_no_runs_nothing(tmp_path: Path, no: str):
    ran: list[str] = []

    @tool(approval=True)
    async def deploy() -> str:
        """Deploys."""
        ran.append("deployed")
        return "deployed"

    model = Script([call("deploy")], ["told"])
    async with Desk(tmp_path, Agent("t", model, "", [deploy])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("deploy")
        await ann.frame("question")
        await asyncio.sleep(1)
        assert (await ann.outcome(await ann.say(no)))[0] == "decided"
        assert await ann.outcome(said) == ("answered", "")
        assert ran == []
        assert messages(model.requests[1])[-1][1].startswith("Denied")
