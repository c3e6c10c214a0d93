"""Row 74: every reply is visible exactly once."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent
from tests.acceptance.scripted import Script
from tests.acceptance.telegram import TelegramDesk
from tests.fakes.telegram.faults import NOT_MODIFIED, bad
from tests.fakes.telegram.methods import units

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
@pytest.mark.parametrize("skip", [0, 1, 2])
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
        assert not (await ann.shows("eight")).buttons
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
