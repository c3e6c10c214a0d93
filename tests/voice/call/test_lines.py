"""Connections that are lost, taken over or closed; microphones that are closed; ends of calls."""

import asyncio

import numpy as np
import pytest

from gateway import Agent, tool
from gateway.core.errors import AccessDenied
from tests.acceptance.asking import asking_agent, results
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script, call

pytestmark = CALLING

LONG = "I found three servers. All of them are idle since Monday. They cost ten dollars a day."


async def test_a_line_that_comes_back_goes_on_where_it_was(tmp_path):
    async with CallDesk(tmp_path, Agent("a", Script([LONG]), "")) as desk:
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("All of")
        first = ann.line
        before = first.sound_heard()
        position = first.heard_by[1]
        ann.actor.played(1, 0, position)
        first.close()
        ann.actor.lost(first)
        await asyncio.sleep(4)
        await ann.call(call=ann.actor.id)
        assert ann.line.told("ready")[0]["resumed"] is True
        await ann.hears("a day.")
        await asyncio.sleep(1)
        after = ann.line.sound_heard()
        assert np.array_equal(np.concatenate([before, after]), desk.engines.mouth.sound())


async def test_a_line_that_does_not_come_back_hangs_up(tmp_path):
    async with CallDesk(tmp_path, Agent("a", Script([LONG]), "")) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("All of")
        ann.line.close()
        ann.actor.lost(ann.line)
        await asyncio.sleep(9)
        assert not page.find("run", state="ended")
        assert (await page.ended(within=3))["end"] == "completed"
        assert desk.calls.count() == 0


async def test_a_second_page_takes_the_call_over(tmp_path):
    async with CallDesk(tmp_path, asking_agent(bool, message="Shall I delete them?")) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await ann.hears("delete them?")
        old = ann.line
        await ann.call()
        assert old.bye == "elsewhere"
        assert ann.line.told("ready")[0]["resumed"] is False
        ann.actor.lost(old)
        await ann.until(lambda: not ann.playing(), 20, "prompt over")
        assert (await ann.say("yes"))["outcome"] == "answer"
        await ann.hears("fine")
        assert await results(page) == ["ask=True"]
        assert desk.calls.count() == 1


async def test_push_to_talk(tmp_path):
    """Let go, the microphone is silence; letting go ends the turn at once."""
    async with CallDesk(tmp_path, Agent("a", Script(["Booked."]), "")) as desk:
        ann = await desk.caller()
        ann.actor.talk(False)
        ann.speak("nobody hears this")
        await asyncio.sleep(3)
        assert ann.line.told("caller") == []
        ann.actor.talk(True)
        ann.speak("book the table and")
        await asyncio.sleep(1.1)
        ann.actor.talk(False)
        let_go = desk.time()
        await ann.until(lambda: bool(ann.outcomes()), 2, "settled")
        assert desk.time() - let_go <= 0.3
        assert ann.outcomes()[0]["text"] == "book the table and"
        await ann.hears("Booked.")


async def test_mute(tmp_path):
    async with CallDesk(tmp_path, Agent("a", Script(["Booked."]), "")) as desk:
        ann = await desk.caller()
        ann.actor.mute(True)
        ann.speak("nobody hears this")
        await asyncio.sleep(2)
        ann.actor.mute(False)
        assert (await ann.say("book the table"))["text"] == "book the table"


async def test_the_stop_button(tmp_path):
    async with CallDesk(tmp_path, Agent("a", Script([LONG]), "")) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("All of")
        pressed = desk.time()
        ann.actor.stop()
        ended = await page.ended()
        assert (ended["end"], ended["reason"]) == ("interrupted", "USER_SIGINT")
        cleared = ann.line.when("clear") / 1000
        assert cleared - pressed <= 0.02
        log = await page.export()
        cut = next(e["body"] for e in log["entries"] if e["kind"] == "assistant")
        assert cut["text"] == ann.caption()


async def test_a_stop_typed_on_the_page_silences_the_call(tmp_path):
    async with CallDesk(tmp_path, Agent("a", Script([LONG]), "")) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("All of")
        await page.stop()
        await page.ended()
        assert ann.line.told("clear")
        assert page.texts() == [ann.caption()]


async def test_a_shutdown_saves_what_was_heard_and_says_goodbye(tmp_path):
    async with CallDesk(tmp_path, Agent("a", Script([LONG]), "")) as desk:
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("All of")
        heard = ann.caption()
        await desk.stop()
        assert ann.line.bye == "shutdown"
        await desk.start()
        page = await desk.person("ann")
        log = await page.export()
        cut = next(e["body"] for e in log["entries"] if e["kind"] == "assistant")
        assert cut["text"] == heard
        assert cut["metadata"]["reason"] == "SYSTEM_SHUTDOWN"


async def test_after_a_kill_what_was_heard_stands_marked(tmp_path):
    async with CallDesk(tmp_path, Agent("a", Script([LONG], ["Again."]), "")) as desk:
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("idle")
        await asyncio.sleep(0.3)
        ann.leave()
        await desk.kill()
        ann.line.close()
        await desk.start()
        page = await desk.person("ann")
        await asyncio.sleep(2)
        log = await page.export()
        cut = next(e["body"] for e in log["entries"] if e["kind"] == "assistant")
        assert "idle" in cut["text"]
        assert cut["text"] + cut["metadata"]["unheard"] == LONG


async def test_a_stranger_is_not_let_in(tmp_path):
    async with CallDesk(tmp_path, Agent("a", Script(["Hi."]), "")) as desk:
        await desk.caller("ann")
        with pytest.raises(AccessDenied):
            await desk.caller("bob")


@tool(approval=True)
async def restart(name: str) -> str:
    """Restarts it."""
    return f"restarted {name}"


async def test_a_page_that_counts_anew_is_heard_when_it_speaks(tmp_path):
    """What it says was not said later than it was, and answers nothing that it could not hear."""
    model = Script([call("restart", name="alpha")], ["fine"])
    async with CallDesk(tmp_path, Agent("tester", model, tools=[restart])) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.wait(60)
        await ann.say("go")
        await ann.hears("Please answer")
        desk.engines.ears.final_seconds = 3.6
        ann.cough(200)
        await asyncio.sleep(1.4)
        ann.leave()
        again = await desk.caller()
        await again.hears("May I do")
        again.speak("yes")
        await again.until(lambda: len(again.outcomes()) == 2, 10, "both settled")
        assert [told["outcome"] for told in again.outcomes()] == ["noise", "early"]
        await asyncio.sleep(1)
        assert not page.find("decided")


async def test_who_vanishes_without_a_word_is_shown_the_rest_and_the_run_goes_on(tmp_path):
    """The network is gone, and ends no connection; the page's end is noticed later."""
    async with CallDesk(tmp_path, Agent("a", Script([LONG]), "")) as desk:
        desk.may_fail = True
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("All of")
        ann.quiet = True
        ann.line.close()
        await asyncio.sleep(5)
        assert page.texts() == [ann.caption()]
        assert not page.find("run", state="ended")
        await asyncio.sleep(10)
        assert page.texts() == [LONG]
        assert page.find("run", state="ended")[-1]["end"] == "completed"
        assert desk.calls.count() == 1
        ann.actor.lost(ann.line)
        await asyncio.sleep(10.5)
        assert desk.calls.count() == 0


async def test_who_is_back_before_they_were_missed_goes_on_with_the_call(tmp_path):
    """A page takes a silent line for lost sooner than the server does: the reply is spoken on."""
    async with CallDesk(tmp_path, Agent("a", Script([LONG], ["Gladly."]), "")) as desk:
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("All of")
        ann.quiet = True
        old = ann.line
        old.call = None
        await asyncio.sleep(5.5)
        await ann.call(call=ann.actor.id)
        ann.quiet = False
        assert old.bye == "elsewhere"
        assert ann.line.told("ready")[0]["resumed"] is True
        ann.actor.lost(old)
        await ann.hears("a day.")
        await asyncio.sleep(11)
        assert (await ann.say("thanks a lot for that"))["outcome"] == "input"
        await ann.hears("Gladly.")
        assert desk.calls.count() == 1
