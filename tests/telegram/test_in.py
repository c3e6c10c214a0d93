"""What people send becomes inputs: each once, whole, in order, and only what is for the bot."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway.core.errors import StoreFailed
from gateway.core.messages import UserMessage
from tests.acceptance.scripted import Script
from tests.acceptance.telegram import BOB, GROUP, TelegramDesk
from tests.acceptance.telegram_agents import agent, said
from tests.fakes.telegram.faults import Refusal

pytestmark = pytest.mark.looptime
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 50


def heard(model: Script) -> list[str]:
    return [said(request) for request in model.requests]


async def test_the_same_update_twelve_times_and_out_of_order_ids(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("hello one")
        first = desk.bot.updates[-1]
        for _ in range(11):
            desk.bot.put_again(first)
        await ann.shows("hello there")
        await desk.restart()
        desk.bot.put_again(first)
        await asyncio.sleep(2)
        assert heard(model) == ["hello one"]


async def test_nothing_is_lost_between_fetch_and_store(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        await asyncio.sleep(1)
        desk._mortal.dead = True
        ann.say("hello")
        await asyncio.sleep(5)
        assert desk.bot.confirmed < 1001
        await desk.kill()
        await desk.start()
        await ann.shows("hello there")
        assert heard(model) == ["hello"]


class Full:
    """A store whose disk is full for the next few inputs."""

    def __init__(self, store: Any, times: int) -> None:
        self.store = store
        self.times = times

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    async def accept(self, new: Any, at: Any) -> Any:
        if self.times > 0:
            self.times -= 1
            raise StoreFailed("STORE_FULL", "full")
        return await self.store.accept(new, at)


async def test_what_could_not_be_stored_comes_again_and_holds_nobody_up(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester, wrap=lambda store: Full(store, 3)) as desk:
        desk.may_fail = True
        ann, bob = desk.private(), desk.private(BOB, "Bob")
        ann.say("hello one")
        bob.say("hello two")
        await ann.shows("hello there")
        await bob.shows("hello there")
        assert sorted(heard(model)) == ["hello one", "hello two"]


async def test_files_places_and_people(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.document(b"a,b\n1,2\n", "table.csv", "text/csv", "look")
        await ann.shows("ok")
        ann.say("", location={"latitude": 1.5, "longitude": 2.5})
        ann.say("", contact={"first_name": "Bo", "phone_number": "+1"})
        await asyncio.sleep(5)
        assert "look" in heard(model)
        assert any("1.5, 2.5" in text for text in heard(model))
        assert any("Bo, +1" in text for text in heard(model))


async def test_groups_hear_only_what_is_for_the_bot(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann, bob = desk.group(), desk.group(BOB, "Bob")
        ann.say("hello all")
        bob.say("stop")
        await asyncio.sleep(3)
        assert model.requests == []
        assert ann.texts() == []
        ann.mention("hello you")
        reply = await ann.shows("hello there")
        assert reply.reply_to is not None
        bob.say("hello again", reply_to=reply)
        await asyncio.sleep(3)
        assert heard(model) == ["hello you", "hello again"]
        senders = [m.sender for m in model.requests[1].messages if isinstance(m, UserMessage)]
        assert senders == ["Ann", "Bob"]
        bob.say(f"/status@{desk.bot.username}")
        await bob.shows("Waiting: 0")


async def test_topics_are_threads_of_their_own(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        one, two = desk.group().in_topic(11), desk.group().in_topic(12)
        one.mention("hello one")
        two.mention("echo two")
        await one.shows("hello there")
        await two.shows("you said")
        assert (len(one.texts()), len(two.texts())) == (1, 1)
        assert await desk.inputs(f"telegram:{GROUP}:11") == [("hello one", "answered")]


async def test_a_second_poller_is_said_clearly(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        desk.may_fail = True
        ann = desk.private()
        for _ in range(2):
            desk.server.fault("getUpdates", Refusal(409, "Conflict: terminated by other"))
        ann.say("hello")
        await ann.shows("hello there")
        assert desk.log.getvalue().count("TELEGRAM_CONFLICT") == 1


async def test_pending_updates_are_never_dropped(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        await desk.stop()
        ann = desk.private()
        ann.say("hello")
        await desk.start()
        await ann.shows("hello there")
        assert not desk.bot.dropped


async def test_a_reason_that_could_not_be_stored_comes_again(tmp_path: Path):
    tester, _ = agent()
    full = Full(None, 0)

    def wrap(store: Any) -> Full:
        full.store = store
        return full

    async with TelegramDesk(tmp_path, tester, wrap=wrap) as desk:
        desk.may_fail = True
        ann = desk.private()
        ann.say("deploy")
        question = await ann.asks("May deploy run?")
        ann.press(question, "with a reason")
        why = await ann.shows("Why not?")
        await asyncio.sleep(0.5)
        full.times = 2
        ann.say("it is friday", reply_to=why)
        await ann.shows("result: Denied: it is friday")
        ann.say("once more", reply_to=why)
        await ann.shows("This question has been decided already.")


@pytest.mark.parametrize("message", [{}, {"chat": None}, "x"])
@pytest.mark.parametrize("kind", ["message", "edited_message", "callback_query"])
async def test_an_update_that_can_t_be_read_costs_no_other(tmp_path: Path, kind: str, message: Any):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        desk.may_fail = True
        ann = desk.private()
        body = {"id": "1", "message": message} if kind == "callback_query" else message
        desk.bot.put(**{kind: body})
        ann.say("hello one")
        await ann.shows("hello there")
        assert heard(model) == ["hello one"]
