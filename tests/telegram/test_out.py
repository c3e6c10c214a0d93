"""What the agent says is seen once, whole, in time, whatever Telegram answers."""

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest

from gateway import Agent
from tests.acceptance.scripted import Script
from tests.fakes.telegram.faults import NOT_MODIFIED, Refusal, bad, flood
from tests.fakes.telegram.methods import units
from tests.telegram.agents import agent
from tests.telegram.desk import BOB, TelegramDesk

pytestmark = pytest.mark.looptime
LONG = "\n\n".join(f"Paragraph {n}: " + "some words of it " * 20 for n in range(40))


def saying(*steps) -> Agent:
    return Agent("a", Script(*steps), "")


def copies(window, text: str) -> int:
    return sum(text in shown for shown in window.texts())


async def test_a_long_reply_is_split_and_seen_once(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying([LONG])) as desk:
        ann = desk.private()
        ann.say("hi")
        await ann.shows("Paragraph 39")
        await asyncio.sleep(30)
        assert " ".join(ann.texts()).split() == LONG.split()
        assert all(units(text) <= 4096 for text in ann.texts())
        assert all(not m.buttons for m in ann.visible())


async def test_a_long_reply_streams_over_the_border(tmp_path: Path):
    words = [f"word{n} " for n in range(1500)]
    step = [item for at in range(0, 1500, 50) for item in ("".join(words[at : at + 50]), 0.5)]
    async with TelegramDesk(tmp_path, saying(step)) as desk:
        ann = desk.private()
        ann.say("hi")
        await ann.shows("word1499")
        await asyncio.sleep(20)
        assert " ".join(ann.texts()).split() == "".join(words).split()


@pytest.mark.parametrize("lost", ["before", "after"])
@pytest.mark.parametrize("method", ["sendMessage", "editMessageText"])
@pytest.mark.parametrize("skip", [0, 1])
async def test_a_call_of_unknown_outcome_doubles_nothing(
    tmp_path: Path, method: str, lost: str, skip: int
):
    text = "one two three four five six seven"
    async with TelegramDesk(tmp_path, saying([text, 3.0, " eight"])) as desk:
        ann = desk.private()
        desk.server.fault(method, lost=lost, skip=skip)
        ann.say("hi")
        await ann.shows("eight")
        await asyncio.sleep(10)
        assert copies(ann, "six seven") == 1
        assert copies(ann, f"{text} eight") == 1
        prefixes = [shown for shown in ann.texts() if "eight" not in shown]
        assert all(shown in ("one two three", "…") for shown in prefixes)
        assert len(prefixes) <= (method == "sendMessage" and lost == "after" and skip == 0)


async def test_not_modified_is_delivered(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying(["one two three four"])) as desk:
        ann = desk.private()
        desk.server.fault("editMessageText", lost="after")
        ann.say("hi")
        await asyncio.sleep(10)
        assert ann.texts() == ["one two three four"]
        desk.server.fault("editMessageText", bad(NOT_MODIFIED))
        ann.say("again")
        await asyncio.sleep(10)
        assert len(ann.texts()) == 2


async def test_an_entity_error_is_sent_once_more_as_plain_text(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying(["this is **bold** text"])) as desk:
        ann = desk.private()
        desk.server.fault("editMessageText", bad("can't parse entities: x"))
        ann.say("hi")
        await asyncio.sleep(5)
        assert ann.texts() == ["this is **bold** text"]
        ann.say("again")
        await asyncio.sleep(5)
        assert ann.texts()[1] == "this is bold text"
        assert ann.visible()[1].entities[0]["type"] == "bold"


async def test_model_text_never_breaks_formatting(tmp_path: Path):
    text = "a_b * c [x] `y\\_z` <b>&amp;</b> ```not a fence``` _ __ ** ]( ~~"
    async with TelegramDesk(tmp_path, saying([text])) as desk:
        ann = desk.private()
        ann.say("hi")
        await asyncio.sleep(5)
        assert ann.texts()[0].replace("`", "") == text.replace("`", "")


async def test_a_reply_target_that_is_gone_is_left_out(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying([1.0, "one two three"])) as desk:
        ann = desk.group()
        said = ann.mention("hi")
        await asyncio.sleep(0.5)
        ann.delete(said)
        await ann.shows("one two three")
        assert ann.visible()[0].reply_to is None


async def test_other_refusals_are_dead_letters(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying(["one two"], ["three four"])) as desk:
        desk.may_fail = True
        ann = desk.private()
        desk.server.fault("sendMessage", bad("TOPIC_CLOSED"))
        ann.say("hi")
        await asyncio.sleep(5)
        assert ann.texts() == []
        ann.say("again")
        await ann.shows("three four")
        await asyncio.sleep(2)
        assert len(desk.calls("sendMessage")) == 2


async def test_a_5xx_is_tried_again(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying(["one two three four"])) as desk:
        ann = desk.private()
        for method in ("sendMessage", "editMessageText"):
            desk.server.fault(method, Refusal(502, "Bad Gateway"), times=3)
        ann.say("hi")
        await ann.shows("three four")
        assert ann.texts() == ["one two three four"]


async def test_a_blocked_bot_tries_once_and_goes_on_after_it_is_unblocked(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying(["one two"], ["three four"])) as desk:
        ann = desk.private()
        ann.chat.refuses = "Forbidden: bot was blocked by the user"
        ann.say("hi")
        await asyncio.sleep(60)
        assert len(desk.calls("sendMessage")) == 1
        await desk.restart()
        ann.unblock()
        ann.say("again")
        await ann.shows("three four")


async def test_a_429_holds_up_its_own_chat_only(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying(["one two three four"])) as desk:
        ann, bob = desk.private(), desk.private(BOB, "Bob")
        desk.server.fault("editMessageText", flood(41), chat=ann.chat.id)
        ann.say("hi")
        await asyncio.sleep(1)
        bob.say("hi")
        await bob.shows("three four", within=3.0)
        assert "three four" not in ann.screen()
        await asyncio.sleep(38)
        assert "three four" not in ann.screen()
        await ann.shows("three four", within=5.0)
        assert ann.texts() == ["one two three four"]


async def test_a_ten_minute_stream_into_a_group_stays_below_the_limit(tmp_path: Path):
    step = [item for n in range(1190) for item in (f"w{n} ", 0.5)]
    async with TelegramDesk(tmp_path, saying(step), limits=True) as desk:
        ann = desk.group()
        ann.mention("hi")
        await asyncio.sleep(700)
        times = [s.at for s in ann.chat.log if s.what in ("sent", "edited") and s.message > 1]
        for at in times:
            assert ann.chat.sent_between(at, at + 60) <= 20
        assert " ".join(ann.texts()).split() == [f"w{n}" for n in range(1190)]
        gaps = [b - a for a, b in pairwise(times)]
        assert len(times) > 100
        assert sum(gap >= 3.9 for gap in gaps) > len(gaps) * 0.9


async def test_two_edits_are_never_in_flight_and_the_latest_text_wins(tmp_path: Path):
    step = [item for n in range(20) for item in (f"w{n} ", 0.5)]
    async with TelegramDesk(tmp_path, saying(step)) as desk:
        ann = desk.private()
        gate = asyncio.Event()
        desk.server.fault("editMessageText", hold=gate)
        ann.say("hi")
        await asyncio.sleep(6)
        before = len(desk.calls("editMessageText"))
        assert before == 1
        gate.set()
        await ann.shows("w19")
        await asyncio.sleep(5)
        assert ann.texts() == [" ".join(f"w{n}" for n in range(20))]


async def test_typing_is_renewed_while_working_and_ends(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying([12.0, "done now"])) as desk:
        ann = desk.private()
        ann.say("hi")
        await ann.shows("done now")
        typed = [seen.at for seen in ann.chat.log if seen.what == "typing"]
        assert len(typed) == 3
        await asyncio.sleep(30)
        assert len([s for s in ann.chat.log if s.what == "typing"]) == 3


async def test_a_kill_while_streaming_leaves_one_reply_and_a_mark(tmp_path: Path):
    async with TelegramDesk(
        tmp_path, saying(["one two three ", 2.0, "four five ", 30.0, "six"], ["seven eight"])
    ) as desk:
        ann = desk.private()
        ann.say("hi")
        await ann.shows("four five")
        await asyncio.sleep(1)
        await desk.kill()
        await desk.start()
        await ann.shows("seven eight")
        await asyncio.sleep(5)
        assert ann.texts() == ["one two three four five\n\n⏹ interrupted", "seven eight"]


async def test_a_kill_after_the_reply_is_whole_delivers_it_once(tmp_path: Path):
    async with TelegramDesk(tmp_path, saying(["one two three four five"])) as desk:
        ann = desk.private()
        gate = asyncio.Event()
        desk.server.fault("sendMessage", hold=gate)
        ann.say("hi")
        await asyncio.sleep(2)
        await desk.kill()
        gate.set()
        await desk.start()
        await ann.shows("four five")
        await asyncio.sleep(5)
        assert copies(ann, "four five") == 1


async def test_status_reactions(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester, telegram={"reactions": True}) as desk:
        ann = desk.private()
        first = ann.say("slow")
        await asyncio.sleep(1)
        assert ann.chat.reactions[first.id] == "✍"
        ann.say("/queue enqueue")
        second = ann.say("hello")
        await asyncio.sleep(1)
        assert ann.chat.reactions[second.id] == "👀"
        ann.say("стоп")
        await asyncio.sleep(3)
        assert ann.chat.reactions == {first.id: "🤷", second.id: "🤷"}
        third = ann.say("hello")
        await asyncio.sleep(3)
        assert ann.chat.reactions[third.id] == "👌"


async def test_a_failure_is_told_with_an_id_in_the_person_s_language(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        desk.may_fail = True
        ann = desk.private(language="ru")
        ann.say("fail")
        told = await ann.shows("/retry")
        assert "ошибка" in told.text.lower()
        error_id = told.text.split("ошибка ")[1].split(")")[0]
        assert error_id in desk.log.getvalue()
