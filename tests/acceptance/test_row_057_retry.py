"""Row 57: `/retry` runs what was interrupted anew, cleanly, and what failed from its last step."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, tool
from gateway.core.messages import Attachment, UserMessage
from gateway.ports.agent import RunOptions
from tests.acceptance.desk import Desk
from tests.acceptance.people import Person
from tests.acceptance.scripted import Gate, Script, call, messages
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime
SLOW = ["one ", 1.0, "two ", 1.0, "three"]


async def _retry(ann: Person) -> tuple[dict[str, Any], str]:
    said = await ann.say("/retry")
    notice = (await ann.frame("notice", lambda d: d["input"] == said["input"], within=5))["data"]
    return said, notice["text"]


async def _interrupted(ann: Person, text: str) -> None:
    said = await ann.say(text)
    await asyncio.sleep(1.5)
    await ann.stop()
    assert await ann.outcome(said, within=5) == ("interrupted", "USER_SIGINT")


async def test_one_clean_trail_as_if_never_interrupted(tmp_path: Path):
    control = Script(["hello"], ["whole"], ["after"])
    async with Desk(tmp_path / "c", Agent("tester", control)) as desk:
        ann = await desk.person("ann")
        for text in ("hi", "count", "next"):
            assert (await ann.outcome(await ann.say(text)))[0] == "answered"
    model = Script(["hello"], SLOW, SLOW, SLOW, ["whole"], ["after"])
    async with Desk(tmp_path / "m", Agent("tester", model)) as desk:
        ann = await desk.person("ann")
        assert (await ann.outcome(await ann.say("hi")))[0] == "answered"
        await _interrupted(ann, "count")
        for _ in range(2):  # interrupted again and again
            said, text = await _retry(ann)
            assert text == "[retrying] count"
            await asyncio.sleep(1.5)
            await ann.stop()
            assert await ann.outcome(said) == ("interrupted", "USER_SIGINT")
        await desk.restart()
        ann = await desk.person("ann")
        said, text = await _retry(ann)
        assert text == "[retrying] count"
        assert await ann.outcome(said) == ("answered", "")
        assert (await ann.outcome(await ann.say("next")))[0] == "answered"
    inputs = [messages(request) for request in model.requests]
    assert inputs[2] == inputs[3] == inputs[4] == messages(control.requests[1])
    assert inputs[5] == messages(control.requests[2])


async def test_the_rewind_is_stored_before_the_new_run(tmp_path: Path):
    gate = Gate()
    model = Script(SLOW, [gate, "whole"])
    async with Desk(tmp_path, Agent("tester", model)) as desk:
        ann = await desk.person("ann")
        await _interrupted(ann, "count")
        said, _ = await _retry(ann)
        await gate.reached.wait()
        await desk.kill()
        gate.open()
        await desk.start()
        ann = await desk.person("ann")
        assert await ann.outcome(said) == ("answered", "")
        assert messages(model.requests[-1]) == [("user", "count")]
        log = await ann.export()
        assert [e["body"].get("text") for e in log["entries"] if e["kind"] == "user"] == [
            "count",
            "count",
        ]
        first, second = (e for e in log["entries"] if e["kind"] == "user")
        assert first["branch"] != second["branch"]


async def test_attachments_person_and_options_are_the_original_ones(tmp_path: Path):
    fake = FakeChannel("fake", share=1.0)
    model = Script(SLOW, ["whole"])
    desk = Desk(tmp_path, Agent("tester", model), channels=[fake], allow=["ann"])
    async with desk:
        ann = desk.member("ann", "fake:1", "fake")
        store: Any = desk.app.store
        blob = await store.put(b"png", "image/png")
        attached = (Attachment(blob, "image/png", "a.png", 3),)
        options = RunOptions(max_iterations=7, timeout_seconds=9.0)
        await ann.say("look", attachments=attached, options=options)
        await asyncio.sleep(1.5)
        await ann.stop()
        await asyncio.sleep(1)
        assert (await ann.say("/retry")).code == ""
        await asyncio.sleep(5)
        one, two = model.requests
        assert one.messages == two.messages
        assert two.messages[0] == UserMessage("look", attachments=attached)
        for request in (one, two):
            run = await desk.app.store.run(request.run)
            assert run is not None
            assert (run.options, run.principals) == (options, ("ann",))


async def test_refused_during_a_run_and_nothing_after_a_whole_answer(tmp_path: Path):
    gate = Gate()
    model = Script([gate, "whole"], ["again"])
    async with Desk(tmp_path, Agent("tester", model)) as desk:
        ann = await desk.person("ann")
        assert (await _retry(ann))[1] == "Nothing to retry"
        said = await ann.say("go")
        await gate.reached.wait()
        during, text = await _retry(ann)
        assert await ann.outcome(during) == ("handled", "RETRY_BUSY")
        assert "retrying" not in text
        gate.open()
        assert await ann.outcome(said) == ("answered", "")
        assert (await _retry(ann))[1] == "Nothing to retry"
        assert len(model.requests) == 1


async def test_only_the_persons_own_and_only_the_last_run_of_the_branch(tmp_path: Path):
    fake = FakeChannel("fake", share=1.0)
    model = Script(SLOW, ["bob's"], SLOW, ["fresh"])
    desk = Desk(
        tmp_path,
        Agent("tester", model),
        channels=[fake],
        allow=["ann", "bob"],
        shared=["fake:g"],
    )
    async with desk:
        ann, bob = (desk.member(name, "fake:g", "fake") for name in ("ann", "bob"))
        await ann.say("count")
        await asyncio.sleep(1.5)
        await ann.stop()
        await asyncio.sleep(1)
        await bob.say("/retry")
        await asyncio.sleep(1)
        assert bob.told()[-1] == "NOTHING_TO_RETRY"
        await bob.say("mine")
        await asyncio.sleep(1)
        await ann.say("/retry")  # bob's run is the last one now
        await asyncio.sleep(1)
        assert ann.told()[-1] == "NOTHING_TO_RETRY"
        assert len(model.requests) == 2


async def test_not_a_run_of_a_branch_that_was_left(tmp_path: Path):
    fake = FakeChannel("fake", share=1.0)
    model = Script(SLOW, ["fresh"])
    desk = Desk(tmp_path, Agent("tester", model), channels=[fake], allow=["ann"])
    async with desk:
        ann = desk.member("ann", "fake:1", "fake")
        await ann.say("count")
        await asyncio.sleep(1.5)
        await ann.stop()
        await asyncio.sleep(1)
        await ann.say("/new")
        await asyncio.sleep(1)
        await ann.say("/retry")
        await asyncio.sleep(1)
        assert ann.told()[-1] == "NOTHING_TO_RETRY"
        assert len(model.requests) == 1


async def test_after_a_failure_nothing_that_returned_runs_again(tmp_path: Path):
    ran: list[str] = []

    @tool
    async def fetch(page: int) -> str:
        """Fetches a page."""
        ran.append(f"page {page}")
        return f"page {page} says {page * 7}"

    model = Script(
        ["Looking. ", call("fetch", page=1)],
        [call("fetch", page=2)],
        ["Half an ans", RuntimeError("the provider is down")],
        ["Still half", RuntimeError("still down")],
        ["Seven and fourteen"],
        ["thanks"],
    )
    async with Desk(tmp_path, Agent("tester", model, "", [fetch])) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        said = await ann.say("compare")
        outcome, error_id = await ann.outcome(said)
        assert (outcome, bool(error_id)) == ("failed", True)
        again, text = await _retry(ann)
        assert text == "[retrying] compare"
        assert (await ann.outcome(again))[0] == "failed"
        await desk.restart()
        ann = await desk.person("ann")
        last, text = await _retry(ann)
        assert text == "[retrying] compare"
        assert await ann.outcome(last) == ("answered", "")
        assert ran == ["page 1", "page 2"]
        assert ann.texts()[-1] == "Seven and fourteen"
        before = [
            ("user", "compare"),
            ("assistant", "Looking. "),
            ("call", "fetch"),
            ("result", "page 1 says 7"),
            ("call", "fetch"),
            ("result", "page 2 says 14"),
        ]
        assert messages(model.requests[2]) == before
        resumed = messages(model.requests[4])
        assert resumed[:6] == before
        assert resumed[6:] == [
            ("assistant", "Half an ans [interrupted: FAILED]"),
            ("assistant", "Still half [interrupted: FAILED]"),
        ]
        assert (await ann.outcome(await ann.say("good")))[0] == "answered"
        assert messages(model.requests[5])[-2:] == [
            ("assistant", "Seven and fourteen"),
            ("user", "good"),
        ]


async def test_what_joined_the_run_is_part_of_what_is_run_anew(tmp_path: Path):
    model = Script([call("look")], SLOW, [call("look")], SLOW, ["whole"])

    @tool
    async def look() -> str:
        """Looks for a second."""
        await asyncio.sleep(1)
        return "seen"

    async with Desk(tmp_path, Agent("tester", model, "", [look])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("count to three")
        await asyncio.sleep(0.5)
        joined = await ann.say("in French")
        await asyncio.sleep(1.5)
        await ann.stop()
        assert await ann.outcome(said, within=5) == ("interrupted", "USER_SIGINT")
        assert await ann.outcome(joined) == ("steered", "")
        whole = [("user", "count to three"), ("user", "in French")]
        for again in (2, 4):  # interrupted once more, then to its end
            said, text = await _retry(ann)
            assert text == "[retrying] count to three; in French"
            await asyncio.sleep(2)
            assert messages(model.requests[again]) == whole
            await ann.stop()
        assert await ann.outcome(said, within=5) == ("answered", "")
        log = await ann.export()
        users = [entry for entry in log["entries"] if entry["kind"] == "user"]
        assert ["metadata" in entry["body"] for entry in users] == [False, True] + [False] * 4
