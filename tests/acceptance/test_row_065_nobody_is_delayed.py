"""Row 65: one person's slow run delays nobody; stop, press, answer and command reach their thread
at once.
"""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, by_text, call
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime


@tool(behavior="COOPERATIVE")
async def slow(context: ToolContext) -> str:
    """Works for 30 seconds, or until stopped."""
    try:
        async with asyncio.timeout(30):
            await context.signal.wait()
    except TimeoutError:
        return "worked"
    context.signal.checkpoint()
    return "not reached"


@tool
async def ask(context: ToolContext) -> str:
    """Asks yes or no."""
    yes = await context.interrupt(message="Go on?", response_schema=bool)
    return f"yes={yes}"


def step(request):
    if type(request.messages[-1]).__name__ == "ToolResult":
        return ["done"]
    return by_text(slow=[call("slow")], ask=[call("ask")], hello=["hello"])(request)


def desk_of(directory: Path, channel: FakeChannel | None = None) -> Desk:
    return Desk(
        directory,
        Agent("tester", Script(step), "", [slow, ask]),
        channels=[channel] if channel else [],
        allow=["ann", "bob"],
        shared=["fake:g"],
    )


async def test_a_is_in_a_30_s_run_b_is_answered_a_stops_with_one_acknowledgement(tmp_path: Path):
    async with desk_of(tmp_path) as desk:
        ann = await desk.person("ann", thread="local:ann")
        bob = await desk.person("bob", thread="local:bob")
        hers = await ann.say("slow")
        await ann.frame("call", state="started")
        await asyncio.sleep(1)
        assert await bob.outcome(await bob.say("hello"), within=0.5) == ("answered", "")
        began = desk.time()
        stop = await ann.say("/stop")
        assert await ann.outcome(hers, within=0.5) == ("interrupted", "USER_SIGINT")
        assert await ann.outcome(stop, within=0.5) == ("handled", "STOPPED")
        assert desk.time() - began < 0.5
        await asyncio.sleep(3)
        assert ann.codes().count("STOPPED") == 1
        assert "STOPPED" not in bob.codes()


async def test_press_answer_and_command_arrive_while_others_run(tmp_path: Path):
    async with desk_of(tmp_path) as desk:
        ann = await desk.person("ann", thread="local:ann")
        await ann.say("slow")
        await ann.frame("call", state="started")
        for how in ("press", "answer"):
            person = await desk.person(how, thread=f"local:{how}")
            said = await person.say("ask")
            question = await person.frame("question", within=0.5)
            if how == "press":
                receipt = await person.press(question, "yes")
            else:
                receipt = await person.say("yes")
            assert (await person.outcome(receipt, within=0.5))[0] == "decided"
            assert await person.outcome(said, within=0.5) == ("answered", "")
        command = await ann.say("/queue")
        assert (await ann.outcome(command, within=0.5))[0] == "handled"
        assert "QUEUE" in ann.codes()
        assert ann.find("run", state="ended") == []


async def test_in_a_group_a_run_of_one_delays_no_stop_of_another(tmp_path: Path):
    fake = FakeChannel("fake", share=1.0)
    async with desk_of(tmp_path, fake) as desk:
        ann, bob = (desk.member(name, "fake:g", "fake") for name in ("ann", "bob"))
        private = desk.member("bob", "fake:bob", "fake")
        await ann.say("slow")
        await asyncio.sleep(1)
        assert (await private.say("hello")).code == ""
        await asyncio.sleep(0.5)
        assert "hello" in fake.texts()
        assert (await bob.stop()).code == ""
        await asyncio.sleep(0.5)
        assert fake.codes("bob") == ["NOTHING_TO_STOP"]
        assert fake.codes("ann").count("STOPPED") == 0
        assert [u for u in fake.of_type("run") if u["state"] == "stopping"] == []
        await ann.say("стоп")
        await asyncio.sleep(0.5)
        assert fake.codes("ann").count("STOPPED") == 1
