"""Row 66: duplicate, access, stop words and commands, pending question, queue mode, in this order;
a refused person changes nothing.
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
    """Asks for a number."""
    number = await context.interrupt(
        message="How many?", response_schema={"type": "integer", "minimum": 1, "maximum": 5}
    )
    return f"number={number}"


def step(request):
    if type(request.messages[-1]).__name__ == "ToolResult":
        return ["done"]
    return by_text(slow=[call("slow")], ask=[call("ask")], hello=["hello"])(request)


def desk_of(directory: Path, **settings) -> Desk:
    return Desk(
        directory,
        Agent("tester", Script(step), "", [slow, ask]),
        channels=[FakeChannel("fake", share=1.0)],
        allow=["ann", "bob"],
        shared=["fake:g"],
        **settings,
    )


@pytest.mark.parametrize("thread", ["fake:g", "fake:1"])
@pytest.mark.parametrize("busy", ["slow", "ask"])
async def test_a_stranger_changes_nothing(tmp_path: Path, thread: str, busy: str):
    """Not allowed at all in the group; allowed elsewhere, but not in somebody's private chat."""
    async with desk_of(tmp_path) as desk:
        fake = desk.channels["fake"]
        ann = desk.member("ann", thread, "fake")
        stranger = desk.member("eve" if thread == "fake:g" else "bob", thread, "fake")
        await ann.say(busy)
        await asyncio.sleep(1)
        viewer = await desk.person("ann", thread=thread)
        before, told = await viewer.export(), len(fake.notices)
        for text in ("stop", "/stop", "/queue reject", "/new", "3", "yes", "cancel", "hello"):
            receipt = await stranger.say(text)
            assert (receipt.code, receipt.row) == ("THREAD_ACCESS_DENIED", None)
        assert (await stranger.say("hello", override="now")).code == "THREAD_ACCESS_DENIED"
        assert (await stranger.stop()).code == "THREAD_ACCESS_DENIED"
        if busy == "ask":
            assert (await stranger.press("3")).code == "THREAD_ACCESS_DENIED"
        await asyncio.sleep(2)
        assert await viewer.export() == before
        assert len(fake.notices) == told
        if busy == "ask":
            await ann.say("3")
            await asyncio.sleep(1)
            assert (await viewer.export())["inputs"][0]["outcome"] == "answered"


async def test_duplicate_is_first_a_stop_delivered_again_stops_no_later_run(tmp_path: Path):
    async with desk_of(tmp_path) as desk:
        ann = desk.member("ann", "fake:1", "fake")
        await ann.say("slow")
        await asyncio.sleep(1)
        for text in ("/stop", "стоп"):
            again = {"dedup": f"fake:bot:{text}"}
            assert not (await ann.say(text, **again)).duplicate
            await asyncio.sleep(1)
            await ann.say("slow")
            await asyncio.sleep(1)
            assert (await ann.say(text, **again)).duplicate
            await asyncio.sleep(2)
            viewer = await desk.person("ann", thread="fake:1")
            rows = (await viewer.export())["inputs"]
            assert rows[-1]["outcome"] is None
        await desk.restart()
        await ann.say("slow")
        await asyncio.sleep(1)
        assert (await ann.say("/stop", dedup="fake:bot:/stop")).duplicate
        await asyncio.sleep(2)
        viewer = await desk.person("ann", thread="fake:1")
        assert (await viewer.export())["inputs"][-1]["outcome"] is None


async def test_duplicate_is_first_an_answer_delivered_again_answers_nothing_new(tmp_path: Path):
    async with desk_of(tmp_path) as desk:
        ann = desk.member("ann", "fake:1", "fake")
        for duplicate in (False, True):
            await ann.say("ask")
            await asyncio.sleep(1)
            receipt = await ann.say("3", dedup="fake:bot:three")
            assert receipt.duplicate is duplicate
            await asyncio.sleep(1)
        viewer = await desk.person("ann", thread="fake:1")
        assert [row["outcome"] for row in (await viewer.export())["inputs"]] == [
            "answered",
            "decided",
            None,
        ]


@pytest.mark.parametrize("text", ["stop", "/stop", "стоп", "/отмена", "cancel"])
async def test_stop_words_are_before_the_pending_question(tmp_path: Path, text: str):
    async with desk_of(tmp_path) as desk:
        ann = await desk.person("ann")
        said = await ann.say("ask")
        await ann.frame("question", within=1)
        await ann.say(text)
        assert await ann.outcome(said, within=1) == ("interrupted", "USER_SIGINT")
        assert (await ann.outcome(await ann.say("3"), within=1))[0] == "answered"


async def test_commands_are_before_the_pending_question_and_no_try(tmp_path: Path):
    async with desk_of(tmp_path) as desk:
        ann = await desk.person("ann")
        said = await ann.say("ask")
        question = await ann.frame("question", within=1)
        for text in ("/queue", "/status", "/help", "/questions"):
            assert (await ann.outcome(await ann.say(text), within=1))[0] == "handled"
        assert ann.find("question") == [question["data"]]
        assert (await ann.outcome(await ann.say("3"), within=1))[0] == "decided"
        assert await ann.outcome(said, within=1) == ("answered", "")


async def test_the_pending_question_is_before_the_queue_mode(tmp_path: Path):
    async with desk_of(tmp_path, queue_mode="reject") as desk:
        ann = await desk.person("ann")
        said = await ann.say("ask")
        await ann.frame("question", within=1)
        assert (await ann.outcome(await ann.say("3"), within=1))[0] == "decided"
        assert await ann.outcome(said, within=1) == ("answered", "")
        await ann.say("slow")
        await asyncio.sleep(1)
        assert await ann.outcome(await ann.say("3"), within=1) == ("refused", "THREAD_BUSY")
