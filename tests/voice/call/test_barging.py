"""Talking over a reply: it stops at once, what was heard is saved, the words are an input."""

import asyncio

import numpy as np
import pytest

from gateway import Agent
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script

pytestmark = CALLING

LONG = "I found three servers. All of them are idle since Monday. They cost ten dollars a day."


def bodies(log, kind):
    return [entry["body"] for entry in log["entries"] if entry["kind"] == kind]


async def test_a_sentence_stops_the_reply_and_is_the_next_input(tmp_path):
    async with CallDesk(tmp_path, Agent("a", Script([LONG], ["All right."]), "")) as desk:
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("All of them")
        said = await ann.say("delete the first one")
        assert said["outcome"] == "input"
        await ann.hears("All right.")
        await asyncio.sleep(2)
        log = await (await desk.person("ann")).export()
        cut, whole = bodies(log, "assistant")
        assert cut["metadata"]["interrupted"]
        assert cut["text"] + cut["metadata"]["unheard"] == LONG
        assert whole["text"] == "All right."
        assert [body["text"] for body in bodies(log, "user")] == [
            "show my servers",
            "delete the first one",
        ]
        assert ann.captions() == [cut["text"], "All right."]


async def test_noise_loses_and_repeats_no_sample(tmp_path):
    async with CallDesk(tmp_path, Agent("a", Script([LONG]), "")) as desk:
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("found")
        ann.cough(200)
        await ann.hears("a day.")
        await asyncio.sleep(2)
        assert np.array_equal(ann.line.sound_heard(), desk.engines.mouth.sound())
        sounds = [data["sound"] for data in ann.line.told("sound")]
        assert sounds == ["ducked", "held", "plain"]


async def test_a_stop_taken_back_goes_on_with_the_first_unheard_word(tmp_path):
    async with CallDesk(tmp_path, Agent("a", Script([LONG]), "")) as desk:
        desk.engines.ears.rewrites["murmur murmur murmur"] = ""
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("found")
        said = await ann.say("murmur murmur murmur")
        assert said["outcome"] == "unclear"
        await ann.hears("a day.")
        await asyncio.sleep(2)
        log = await (await desk.person("ann")).export()
        (body,) = bodies(log, "assistant")
        assert body["text"] == LONG
        assert "interrupted" not in body["metadata"]
        first, note, last = ann.captions()
        assert note == "I didn't understand that. Please say it again."
        assert last == LONG
        assert LONG.startswith(first)
        spoken = " ".join(clause.spoken.text for clause, _ in desk.engines.mouth.made)
        assert spoken.count("found") == 1


@pytest.mark.parametrize(
    ("made", "outcome"),
    [("mm-hmm", "backchannel"), ("go on", "resume"), ("one moment", "hold"), ("", "unclear")],
)
async def test_a_reply_that_one_word_stopped_at_its_pause_in_vain_goes_on_once(
    tmp_path, made, outcome
):
    async with CallDesk(tmp_path, Agent("a", Script([LONG], ["Again."]), "")) as desk:
        desk.engines.ears.rewrites["murmur"] = made
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("found")
        assert (await ann.say("murmur"))["outcome"] == outcome
        assert ann.line.told("clear")
        await ann.until(lambda: "a day." in ann.caption(), 20, "said")
        await asyncio.sleep(2)
        log = await (await desk.person("ann")).export()
        (body,) = bodies(log, "assistant")
        assert body["text"] == LONG
        assert "interrupted" not in body["metadata"]
        assert [body["text"] for body in bodies(log, "user")] == ["show my servers"]
        spoken = " ".join(clause.spoken.text for clause, _ in desk.engines.mouth.made)
        assert spoken.count("found") == 1


async def test_what_goes_on_behind_the_pause_that_stopped_the_reply_is_one_input(tmp_path):
    async with CallDesk(tmp_path, Agent("a", Script([LONG], ["All right."]), "")) as desk:
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("found")
        ann.speak("Paris")
        ann.pause(400)
        assert (await ann.say("tomorrow morning"))["outcome"] == "input"
        await ann.hears("All right.")
        await asyncio.sleep(2)
        log = await (await desk.person("ann")).export()
        said = [body["text"] for body in bodies(log, "user")]
        assert said == ["show my servers", "Paris tomorrow morning"]
        assert len(ann.line.told("clear")) == 1


@pytest.mark.parametrize("then", ["stop", "hang up", "kill"])
async def test_what_was_heard_counts_once_while_the_rest_waits_behind_a_notice(tmp_path, then):
    async with CallDesk(tmp_path, Agent("a", Script([LONG], ["Again."]), "")) as desk:
        desk.engines.ears.rewrites["murmur murmur murmur"] = ""
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("All of")
        ann.speak("murmur murmur murmur")
        await ann.until(lambda: bool(ann.line.told("clear")), 5, "stopped")
        heard, heard_ms = ann.caption(), ann.line.heard_by[1] * 1000 // ann.line.rate
        await ann.hears("I didn't understand")
        await asyncio.sleep(0.5)
        if then == "stop":
            await page.stop()
            await page.ended()
        elif then == "hang up":
            ann.actor.hang_up()
            await page.ended()
        else:
            ann.leave()
            await desk.kill()
            ann.line.close()
            await desk.start()
            page = await desk.person("ann")
            await asyncio.sleep(2)
        cut = bodies(await page.export(), "assistant")[0]
        assert cut["text"] == (LONG if then == "hang up" else heard)
        if then != "kill":
            assert 0 <= heard_ms - cut["metadata"]["heard_ms"] <= 40
            assert cut["metadata"]["total_ms"] > heard_ms


async def test_who_never_stops_speaking_loses_no_word(tmp_path):
    """They are answered in between; what they say goes on as the next input."""
    said = [f"w{number}" for number in range(150)]
    replies = [["Let me see."] for _ in range(9)]
    async with CallDesk(tmp_path, Agent("a", Script(*replies), "")) as desk:
        ann = await desk.caller()
        for number, word in enumerate(said):
            ann.speak(word)
            if number % 7 == 6:
                ann.pause(150)
        await asyncio.sleep(60)
        assert [told["outcome"] for told in ann.outcomes()] == ["input", "input"]
        assert " ".join(told["text"] for told in ann.outcomes()).split() == said
        await ann.is_("listening")
