"""What people send becomes inputs: each once, whole, in order, and only what is for the bot."""

import asyncio
from pathlib import Path

import pytest

from gateway.core.messages import UserMessage
from tests.acceptance.scripted import Script
from tests.fakes.telegram.faults import Refusal
from tests.telegram.agents import agent, said
from tests.telegram.desk import BOB, GROUP, TelegramDesk

pytestmark = pytest.mark.looptime
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 50


def heard(model: Script) -> list[str]:
    return [said(request) for request in model.requests]


async def test_a_long_paste_in_three_pieces_is_one_input(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        text = "".join(chr(97 + n % 26) if n % 7 else " " for n in range(9000))
        ann.paste(text[:4096], text[4096:8192], text[8192:])
        await ann.shows("ok")
        assert heard(model) == [text]
        await asyncio.sleep(1)
        assert await desk.inputs("telegram:1001") == [(text, "answered")]


async def test_a_long_text_alone_waits_for_no_more_than_a_moment(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("x" * 4000)
        await ann.shows("ok", within=2.0)
        assert len(model.requests) == 1


async def test_an_album_is_one_input_with_every_picture(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.photo(PNG + b"1", "what is this", album="a")
        ann.photo(PNG + b"2", album="a")
        ann.photo(PNG + b"3", album="a")
        await ann.shows("ok")
        message = model.requests[0].messages[-1]
        assert isinstance(message, UserMessage)
        assert message.text == "what is this"
        assert [a.media_type for a in message.attachments] == ["image/png"] * 3
        assert len({a.blob for a in message.attachments}) == 3


async def test_pieces_survive_a_kill_and_are_known_when_they_come_again(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("hello")
        await ann.shows("hello there")
        before = list(desk.bot.updates)
        ann.paste("y" * 4096, "y" * 4096)
        pieces = list(desk.bot.updates)[-2:]
        await asyncio.sleep(0.5)
        await desk.kill()
        await desk.start()
        ann.say("tail")
        await ann.shows("ok")
        await asyncio.sleep(5)
        assert "y" * 8192 + "tail" in heard(model)
        count = len(model.requests)
        for update in [*before, *pieces]:
            desk.bot.put_again(update)
        await asyncio.sleep(10)
        assert len(model.requests) == count


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


async def test_a_file_that_can_t_be_fetched_is_told_with_an_id(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        desk.may_fail = True
        ann = desk.private(language="ru")
        desk.server.fault("getFile", Refusal(400, "Bad Request: wrong file_id"))
        ann.photo(PNG, "what is this")
        told = await ann.shows("Не удалось получить ваш файл")
        error_id = told.text.split("ошибка ")[1].split(")")[0]
        assert error_id in desk.log.getvalue()
        assert model.requests == []


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


async def test_an_album_before_a_mention_counts_with_it(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.group()
        ann.photo(PNG + b"1", album="a")
        message = ann.photo(PNG + b"2", f"@{desk.bot.username} what is this", album="a")
        assert message.id
        await ann.shows("ok")
        last = model.requests[0].messages[-1]
        assert isinstance(last, UserMessage)
        assert len(last.attachments) == 2


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


async def test_a_group_that_moves_keeps_its_conversation(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.group()
        ann.mention("hello one")
        await ann.shows("hello there")
        moved = ann.migrate(-1009)
        moved.mention("hello two")
        await moved.shows("hello there")
        assert len(model.requests[1].messages) == 3
        await desk.restart()
        moved.mention("echo three")
        await moved.shows("you said")
        assert len(await desk.inputs(f"telegram:{GROUP}")) == 3


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


async def test_a_queued_message_that_is_edited_changes(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester, queue_mode="enqueue") as desk:
        ann = desk.private()
        ann.say("slow")
        await asyncio.sleep(1)
        waiting = ann.say("echo old")
        await asyncio.sleep(1)
        ann.edit(waiting, "echo new words")
        ann.edit(waiting, "echo new words")
        await asyncio.sleep(1)
        await asyncio.sleep(40)
        assert "echo new words" in heard(model)
        assert "echo old" not in heard(model)


async def test_an_edit_of_what_is_worked_on_is_offered_as_a_correction(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        working = ann.say("slow")
        await asyncio.sleep(1)
        ann.edit(working, "slow")
        await asyncio.sleep(1)
        assert ann.texts() == []
        ann.edit(working, "hello instead")
        offer = await ann.asks("You changed a message")
        press = ann.press(offer, "Go on")
        assert await press.notice() == "Going on with the change."
        await ann.shows("hello there")
        assert heard(model)[-1] == "hello instead"
        await asyncio.sleep(2)
        assert offer.buttons == []


async def test_an_edit_of_a_command_or_of_what_is_done_does_nothing(tmp_path: Path):
    tester, model = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        done = ann.say("hello")
        await ann.shows("hello there")
        command = ann.say("/status")
        await ann.shows("Running")
        ann.edit(done, "hello twice")
        ann.edit(command, "/new")
        await asyncio.sleep(3)
        assert len(model.requests) == 1
        assert len(ann.texts()) == 2
