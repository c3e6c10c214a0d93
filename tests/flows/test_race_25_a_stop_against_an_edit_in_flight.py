"""RACES 25: a stop against an edit in flight."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.faults import HoldingStore
from tests.acceptance.log import bodies
from tests.acceptance.scripted import Gate, Script, call
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime
COUNT = [part for number in range(1, 50) for part in (f"{number} ", 0.1)]


class Editing(FakeChannel):
    """Edits one message: an edit takes 300 ms, and counts as shown once it is confirmed.

    `screen` is what the person sees: an edit in flight at a stop lands there all the same.
    """

    def __init__(self) -> None:
        super().__init__("fake", share=0.0)
        self.screen = ""
        self.wanted: str | None = None
        self.flying: asyncio.TimerHandle | None = None

    def show(self, ref, text, final):
        super().show(ref, text, final)
        if ref not in self._cut:
            self._edit(ref, text)

    def close(self, ref, text, reason):
        super().close(ref, text, reason)
        self._edit(ref, f"{text}[{reason}]" if reason else text)

    def _edit(self, ref, text):
        self.wanted = text
        if self.flying is None:
            self._fly(ref)

    def _fly(self, ref):
        text, self.wanted = self.wanted, None
        if text is None:
            self.flying = None
            return
        loop = asyncio.get_running_loop()
        loop.call_later(0.2, lambda: setattr(self, "screen", text))
        self.flying = loop.call_later(0.3, self._landed, ref, text)

    def _landed(self, ref, text):
        if ref not in self.closed and ref not in self._cut:
            self._shown[ref] = text
        self._fly(ref)


@pytest.mark.parametrize("at", [0.45, 0.65, 0.85, 1.07])
@pytest.mark.parametrize("how", ["stop", "now"])
async def test_the_last_edit_writes_exactly_the_saved_text_and_its_mark(
    tmp_path: Path, at: float, how: str
):
    channel, done = Editing(), Gate()
    model = Script([*COUNT, 1000.0], [done, "x"])
    async with Desk(tmp_path, Agent("tester", model), channels=[channel], allow=["ann"]) as desk:
        ann = desk.member("ann", "fake:1", "fake")
        await ann.say("count")
        await asyncio.sleep(at)
        if how == "stop":
            await ann.stop()
        else:
            await ann.say("enough", override="now")
        shown_calls = len(channel.called("show"))
        await asyncio.sleep(3)
        viewer = await desk.person("ann", thread="fake:1")
        texts = bodies(await viewer.export(), "assistant")
        saved = texts[0]["text"] if texts else ""
        reason = "USER_SIGINT" if how == "stop" else "NOW_PRIORITY_INPUT"
        ((text, closed_as),) = channel.closed.values()
        assert (text, closed_as) == (saved, reason)
        assert channel.screen == f"{saved}[{reason}]"
        assert len(channel.called("show")) == shown_calls
        methods = [c.method for c in channel.journal if c.method in ("show", "cut", "close")]
        assert methods[methods.index("cut") :].count("show") == 0
        assert model.streams[0].closed_at is not None


@pytest.mark.parametrize("how", ["stop", "now"])
async def test_nothing_more_is_revealed_while_it_is_still_being_stored(tmp_path: Path, how: str):
    store, channel = HoldingStore(), FakeChannel("fake", share=1.0)
    model = Script([*COUNT, 1000.0])
    desk = Desk(tmp_path, Agent("tester", model), channels=[channel], allow=["ann"], wrap=store)
    async with desk:
        ann = desk.member("ann", "fake:1", "fake")
        await ann.say("count")
        await asyncio.sleep(1.01)
        store.hold()
        if how == "stop":
            await asyncio.sleep(0.5)
            await ann.stop()
        else:
            await ann.say("enough", override="now")
        (given,) = channel.texts()
        calls = len(channel.called("show"))
        await asyncio.sleep(2)
        assert channel.texts() == [given]
        assert len(channel.called("show")) == calls
        store.release()
        await asyncio.sleep(1)
        reason = "USER_SIGINT" if how == "stop" else "NOW_PRIORITY_INPUT"
        assert next(iter(channel.closed.values())) == (given, reason)


async def test_a_text_before_a_call_that_finishes_is_not_shown_further(tmp_path: Path):
    channel = FakeChannel("fake", share=0.5)

    @tool
    async def lookup(context: ToolContext) -> str:
        """Takes 300 ms; nobody may cut it."""
        await asyncio.sleep(0.3)
        return "found"

    model = Script(["0123456789", 0.2, call("lookup")], ["not reached"])
    agent = Agent("tester", model, "", [lookup])
    async with Desk(tmp_path, agent, channels=[channel], allow=["ann"]) as desk:
        ann = desk.member("ann", "fake:1", "fake")
        await ann.say("go")
        await asyncio.sleep(0.1)
        await ann.stop()
        given = len(channel.called("show"))
        await asyncio.sleep(2)
        assert len(channel.called("show")) == given
        viewer = await desk.person("ann", thread="fake:1")
        (body,) = bodies(await viewer.export(), "assistant")
        assert (
            list(channel.closed.values())
            == [(body["text"], "USER_SIGINT")]
            == [("01234", "USER_SIGINT")]
        )
