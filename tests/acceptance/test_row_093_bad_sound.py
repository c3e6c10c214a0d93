"""Row 93: frames that stop, garbage, bursts: no stuck speaking, no crash."""

import asyncio
from pathlib import Path

import numpy as np

from gateway import Agent
from tests.acceptance.calling import CALLING, FRAME, CallDesk
from tests.acceptance.scripted import Script
from tests.fakes.voice import RATE, silence

pytestmark = CALLING

LONG = "I found three servers. All of them are idle since Monday. They cost ten dollars a day."


async def test_frames_that_stop_end_the_voice(tmp_path: Path):
    async with CallDesk(tmp_path, Agent("a", Script(["Booked."]), "")) as desk:
        ann = await desk.caller()
        ann.speak("book the table now or never please")
        await asyncio.sleep(0.9)
        ann.quiet = True
        gone = desk.time()
        await ann.until(lambda: bool(ann.outcomes()), 4, "it is settled")
        assert ann.outcomes()[0]["text"].startswith("book the")
        assert desk.time() - gone <= 0.8 + 0.6 + 0.3
        await ann.hears("Booked.")


async def test_frames_that_stop_over_a_reply_let_it_go_on(tmp_path: Path):
    async with CallDesk(tmp_path, Agent("a", Script([LONG]), "")) as desk:
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("found")
        ann.cough(5_000)
        await asyncio.sleep(0.5)
        ann.quiet = True
        await ann.hears("a day.", within=15)
        await asyncio.sleep(1)
        assert np.array_equal(ann.line.sound_heard(), desk.engines.mouth.sound())


async def test_garbage_is_dropped(tmp_path: Path):
    async with CallDesk(tmp_path, Agent("a", Script(["Booked."]), "")) as desk:
        ann = await desk.caller()
        garbage = [
            (0, silence(0)),
            (0, np.full(3, np.nan, dtype=np.float32)),
            (2**32 - 1, silence(20)),
            (-5, silence(20)),
            (0, silence(60_000)),
            (1, silence(20)),
        ]
        for first, samples in garbage:
            ann.actor.frame(first, samples)
        said = await ann.say("book the table")
        assert said["text"] == "book the table"
        await ann.hears("Booked.")


async def test_a_frame_that_comes_twice_is_heard_once(tmp_path: Path):
    async with CallDesk(tmp_path, Agent("a", Script(["Booked."]), "")) as desk:
        ann = await desk.caller()
        frame = ann.actor.frame

        def twice(first, samples):
            frame(first, samples)
            frame(first, samples)

        setattr(ann.actor, "frame", twice)  # noqa: B010
        said = await ann.say("book the table")
        assert said["text"] == "book the table"
        fed = desk.engines.ears.heard[0].sound()
        spoken = desk.engines.ears.say("book the table")
        assert np.count_nonzero(fed) == len(spoken)


async def test_bursts_of_100_ms(tmp_path: Path):
    """Five frames at once, each 100 ms: the same words, at the same time."""
    async with CallDesk(tmp_path, Agent("a", Script(["Booked."]), "")) as desk:
        ann = await desk.caller()
        await asyncio.sleep(0.5)
        ann.leave()
        sound = np.concatenate(
            [silence(300), desk.engines.ears.say("book the table"), silence(2_000)]
        )
        start = ann._number
        for at in range(0, len(sound) - 5 * FRAME, 5 * FRAME):
            await asyncio.sleep(0.1)
            for first in range(at, at + 5 * FRAME, FRAME):
                ann.actor.frame(start + first, sound[first : first + FRAME])
        assert [told["text"] for told in ann.outcomes()] == ["book the table"]


async def test_a_lost_frame_is_silence_in_its_place(tmp_path: Path):
    async with CallDesk(tmp_path, Agent("a", Script(["Booked."]), "")) as desk:
        ann = await desk.caller()
        frame, count = ann.actor.frame, 0

        def lossy(first, samples):
            nonlocal count
            count += 1
            if count % 10:
                frame(first, samples)

        setattr(ann.actor, "frame", lossy)  # noqa: B010
        ann.speak("book the table")
        await ann.until(lambda: bool(ann.outcomes()), 5, "settled")
        fed = desk.engines.ears.heard[0].sound()
        assert len(fed) >= RATE


async def test_a_page_that_counts_anew_is_heard_again(tmp_path: Path):
    async with CallDesk(tmp_path, Agent("a", Script(["Booked."], ["Again."]), "")) as desk:
        ann = await desk.caller()
        await asyncio.sleep(3)
        ann._number = 0
        await asyncio.sleep(1)
        assert (await ann.say("book the table"))["text"] == "book the table"


async def test_a_caller_who_never_stops(tmp_path: Path):
    """After thirty seconds what was said is taken; the rest is a turn of its own."""
    async with CallDesk(tmp_path, Agent("a", Script(["One."], ["Two."]), "")) as desk:
        ann = await desk.caller()
        ann.speak(" ".join(["word", "after", "word"] * 50), word_ms=260)
        await ann.until(lambda: len(ann.outcomes()) >= 1, 40, "the first turn")
        assert 29_000 <= ann.line.when("caller", lambda t: t["outcome"] == "input") <= 32_000
        await ann.until(lambda: len(ann.outcomes()) >= 2, 40, "the second turn")
        total = sum(len(told["text"].split()) for told in ann.outcomes())
        assert total >= 149


async def test_a_client_that_lies_about_its_playback(tmp_path: Path):
    """Positions beyond what was sent, or of another time, gain at most what was sent."""
    async with CallDesk(tmp_path, Agent("a", Script([LONG]), "")) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.until(lambda: bool(ann.line.sent), 5, "sound")
        for generation, flight, position in [(1, 0, 2**31), (1, 9, 5), (99, 0, 5), (1, 0, -5)]:
            ann.actor.played(generation, flight, position)
        ann.actor.cleared(1, 2**31)
        ann.actor.stop()
        await page.ended()
        log = await page.export()
        (body,) = [e["body"] for e in log["entries"] if e["kind"] == "assistant"]
        assert body["metadata"]["heard_ms"] <= 200
        assert LONG.startswith(body["text"])
        assert len(body["text"].split()) <= 2


async def test_a_client_that_plays_nothing(tmp_path: Path):
    """What it is sent is shown instead, and the run ends."""
    async with CallDesk(tmp_path, Agent("a", Script([LONG]), "")) as desk:
        desk.may_fail = True
        page = await desk.person("ann")
        ann = await desk.caller(reports=False)
        await ann.say("show my servers")
        assert (await page.ended(within=15))["end"] == "completed"
        assert page.texts() == [LONG]
        assert ann.line.told("told")[0]["text"].startswith("Your side plays no sound.")
