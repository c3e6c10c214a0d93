"""RACES 13: the model is done, and the reply is still being shown or spoken."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, tool
from gateway.ports.channel import Capabilities, TextRef
from tests.acceptance.desk import Desk
from tests.acceptance.people import Member
from tests.acceptance.scripted import Script, messages
from tests.acceptance.scripted import call as ask_for
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime
REPLY = "The train leaves at nine from platform four."
HEARD = "The train leaves"
UNHEARD = " at nine from platform four."


def a_channel(voice: bool) -> FakeChannel:
    return FakeChannel("line", Capabilities(voice=voice, durable=False), share=0.0)


@asynccontextmanager
async def calling(path: Path, model: Script, *, voice: bool = True) -> AsyncIterator[Call]:
    channel = a_channel(voice)
    desk = Desk(path, Agent("tester", model), channels=[channel], allow=["ann"])
    async with desk:
        yield Call(desk, voice)


class Call:
    """A person on a channel that says itself what was shown or heard."""

    def __init__(self, desk: Desk, voice: bool) -> None:
        self.desk = desk
        self.voice = voice

    @property
    def channel(self) -> FakeChannel:
        return self.desk.channels["line"]

    @property
    def ann(self) -> Member:
        return self.desk.member("ann", "line:1", "line")

    def ref(self, nth: int = -1) -> TextRef:
        return list(self.channel.given)[nth]

    async def crash(self) -> None:
        """The process dies, and with it all that its channel knew."""
        await self.desk.kill()
        self.desk.channels["line"] = a_channel(self.voice)
        await self.desk.start()
        await asyncio.sleep(5)

    async def log(self) -> list[dict[str, Any]]:
        entries = await self.desk.app.store.entries("line:1")
        return [{"kind": e.kind.value, **e.body} for e in entries]

    async def said(self) -> list[dict[str, Any]]:
        return [entry for entry in await self.log() if entry["kind"] == "assistant"]

    async def outcomes(self) -> list[tuple[str, str | None]]:
        rows = await self.desk.app.store.inputs("line:1")
        return [(row.new.text, row.outcome and row.outcome.value) for row in rows]


async def test_the_reply_is_appended_when_playout_settles_and_what_waits_waits(tmp_path: Path):
    model = Script([REPLY], ["second"])
    async with calling(tmp_path, model) as call:
        ann = call.ann
        await ann.say("when?")
        await asyncio.sleep(1)
        await ann.say("and back?", dedup="line:bot:b")
        await asyncio.sleep(20)
        assert await call.said() == []
        assert len(model.requests) == 1
        call.channel.play(call.ref())
        await asyncio.sleep(1)
        assert [entry["text"] for entry in await call.said()] == [REPLY]
        assert "metadata" not in (await call.said())[0]
        assert len(model.requests) == 2
        assert (await call.outcomes())[0] == ("when?", "answered")


async def test_a_barge_in_saves_what_was_heard_and_its_mark(tmp_path: Path):
    model = Script([REPLY], ["second"])
    async with calling(tmp_path, model) as call:
        ann = call.ann
        await ann.say("when?")
        await asyncio.sleep(1)
        call.channel.reveal(call.ref(), len(HEARD))
        await ann.say("no, tomorrow", override="now", dedup="line:bot:b")
        await asyncio.sleep(1)
        (entry,) = await call.said()
        assert entry["text"] == HEARD
        assert entry["metadata"] == {
            "interrupted": True,
            "reason": "NOW_PRIORITY_INPUT",
            "unheard": UNHEARD,
        }
        assert messages(model.requests[1]) == [
            ("user", "when?"),
            ("assistant", f"{HEARD} [interrupted by the user]"),
            ("user", "no, tomorrow"),
        ]
        assert (await call.outcomes())[0] == ("when?", "interrupted")


@pytest.mark.parametrize("voice", [True, False])
async def test_after_a_crash_the_entry_is_what_was_shown(tmp_path: Path, voice: bool):
    model = Script([REPLY])
    async with calling(tmp_path, model, voice=voice) as call:
        await call.ann.say("when?")
        await asyncio.sleep(3)
        call.channel.reveal(call.ref(), len(HEARD))
        await asyncio.sleep(0.3)
        ref = call.ref()
        await call.crash()
        (entry,) = await call.said()
        assert entry["text"] == HEARD
        assert entry["metadata"]["interrupted"] is True
        assert entry["metadata"]["unheard"] == UNHEARD
        assert await call.outcomes() == [("when?", "answered")]
        assert len(model.requests) == 1
        assert call.channel.given == ({} if voice else {ref: REPLY})


@pytest.mark.parametrize("voice", [True, False])
async def test_a_crash_as_soon_as_the_model_is_done(tmp_path: Path, voice: bool):
    model = Script([REPLY])
    async with calling(tmp_path, model, voice=voice) as call:
        await call.ann.say("when?")
        await asyncio.sleep(0.2)
        ref = call.ref()
        await call.crash()
        (entry,) = await call.said()
        assert (entry["text"], entry["metadata"]["unheard"]) == ("", REPLY)
        assert await call.outcomes() == [("when?", "answered")]
        assert len(model.requests) == 1
        assert call.channel.given == ({} if voice else {ref: REPLY})


async def test_a_durable_channel_settles_when_it_holds_the_reply(tmp_path: Path):
    channel = FakeChannel("line", Capabilities(durable=True), share=0.0)
    desk = Desk(tmp_path, Agent("t", Script([REPLY])), channels=[channel], allow=["ann"])
    async with desk:
        ann = desk.member("ann", "line:1", "line")
        await ann.say("when?")
        await asyncio.sleep(1)
        (row,) = await desk.app.store.inputs("line:1")
        assert row.outcome == "answered"
        assert [e.body["text"] for e in await desk.app.store.entries("line:1")] == ["when?", REPLY]


async def test_a_text_that_settled_during_its_call_is_not_waited_for_again(tmp_path: Path):
    @tool
    async def look() -> str:
        """Looks."""
        await asyncio.sleep(1)
        return "seen"

    channel = FakeChannel("line", Capabilities(voice=True, durable=False), settles=True)
    model = Script(["Looking. ", ask_for("look")], [REPLY], ["second"])
    desk = Desk(tmp_path, Agent("t", model, "", [look]), channels=[channel], allow=["ann"])
    async with desk:
        ann = desk.member("ann", "line:1", "line")
        await ann.say("when?")
        await asyncio.sleep(3)
        await ann.say("and back?")
        await asyncio.sleep(3)
        rows = await desk.app.store.inputs("line:1")
        assert [row.outcome for row in rows] == ["answered", "answered"]
        texts = [e.body["text"] for e in await desk.app.store.entries("line:1") if e.place == 1]
        assert texts == ["Looking. ", REPLY, "second"]
