"""RACES 9, 11 to 16, 18 and 26, by voice."""

import asyncio

import pytest

from gateway import Agent, ToolContext, tool
from gateway.ports.rows import NewInput
from tests.acceptance.asking import REGION, asker, asking_agent, results
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script, call

pytestmark = CALLING

LONG = "I found three servers. All of them are idle since Monday. They cost ten dollars a day."


async def prompted(ann, message="Well?"):
    await ann.hears(message)
    await ann.until(lambda: not ann.playing(), 20, "prompt over")


async def test_9_a_now_against_a_call_that_cannot_be_cut(tmp_path):
    """The sound stops at once; the call finishes, its result is in the next model input."""

    @tool
    async def book() -> str:
        """Can't be cut."""
        await asyncio.sleep(4)
        return "booked 7"

    def last(request):
        return ["I have ", str([m.content for m in request.messages if hasattr(m, "content")])]

    model = Script(["Let me book that for you, it takes a moment. ", call("book")], last)
    async with CallDesk(tmp_path, Agent("a", model, tools=[book])) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("book it")
        await ann.hears("Let me book")
        said = await ann.say("no wait make it Tuesday")
        assert said["outcome"] == "input"
        await ann.hears("One moment, I have to finish something first.")
        await ann.hears("booked 7", within=20)
        assert (await page.ended())["reason"] == "NOW_PRIORITY_INPUT"
        assert await results(page) == ["booked 7"]


async def test_11_words_that_are_no_answer_leave_the_question(tmp_path):
    async with CallDesk(
        tmp_path, asking_agent(REGION, message="Which region do you want?")
    ) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await ann.hears("region do you want?")
        said = await ann.say("banana")
        assert said["outcome"] == "input"
        await ann.until(
            lambda: sum("Which region do you want?" in c for c in ann.captions()) == 2, 20, "again"
        )
        assert any("not one of" in c or "did not understand" in c for c in ann.captions())
        await ann.until(lambda: not ann.playing(), 20, "prompt over")
        assert (await ann.say("eu"))["outcome"] == "answer"
        await ann.hears("fine")
        assert await results(page) == ["ask='eu'"]


@pytest.mark.parametrize(("language", "go", "word"), [("en", "go", "eu"), ("ru", "начни", "eu")])
async def test_12_the_answer_is_a_word_just_spoken(tmp_path, language, go, word):
    async with CallDesk(tmp_path, asking_agent(REGION, message="Is it us, asia, or eu")) as desk:
        page = await desk.person("ann", language=language)
        ann = await desk.caller(language=language)
        await ann.say(go)
        await ann.hears("or eu")
        assert (await ann.say(word))["outcome"] == "answer"
        await ann.hears("fine")
        assert await results(page) == ["ask='eu'"]


async def test_13_done_and_still_speaking(tmp_path):
    """The run delivers until it was heard; a barge-in then saves what was heard."""
    async with CallDesk(tmp_path, Agent("a", Script([LONG], ["Fine."]), "")) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("show my servers")
        await page.frame("run", state="delivering")
        assert not page.find("run", state="ended")
        await ann.hears("idle")
        await ann.say("delete the first one")
        ended = await page.ended()
        assert ended["reason"] == "NOW_PRIORITY_INPUT"
        await ann.hears("Fine.")
        await page.ended()
        log = await page.export()
        cut = next(e["body"] for e in log["entries"] if e["kind"] == "assistant")
        assert cut["text"] == ann.captions()[0]


async def test_13_typing_waits_for_what_is_spoken_by_its_mode(tmp_path):
    """A message typed meanwhile joins or waits; the voice does not say its reply."""
    async with CallDesk(tmp_path, Agent("a", Script([LONG], ["Typed reply."]), "")) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("idle")
        await page.say("and then this")
        await ann.hears("a day.")
        await page.shows("Typed reply.")
        await asyncio.sleep(3)
        assert ann.captions() == [LONG]


@pytest.mark.parametrize(
    ("language", "hum"), [("en", "hello"), ("ru", "алло"), ("en", "uh-huh"), ("ru", "угу")]
)
async def test_14_a_hum_while_nothing_plays_stops_nothing(tmp_path, language, hum):
    @tool
    async def look_up() -> str:
        """Takes a while."""
        await asyncio.sleep(8)
        return "found"

    model = Script([call("look_up")], ["It is there."])
    async with CallDesk(tmp_path, Agent("a", model, tools=[look_up])) as desk:
        page = await desk.person("ann", language=language)
        ann = await desk.caller(language=language)
        await ann.say("look it up" if language == "en" else "найди это")
        assert (await ann.say(hum))["outcome"] in ("presence", "backchannel")
        await ann.hears("It is there.", within=15)
        assert (await page.ended())["end"] == "completed"


async def test_16_speech_before_the_question_was_put_never_approves(tmp_path):
    """A yes over the text that leads to the question is a hum, not leave."""

    @tool(approval=True)
    async def delete() -> str:
        """Deletes."""
        return "deleted"

    model = Script(
        ["I could delete all of them right away, if that is fine. ", call("delete")], ["ok"]
    )
    async with CallDesk(tmp_path, Agent("a", model, tools=[delete])) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("clean up")
        await ann.hears("all of them")
        assert (await ann.say("yes"))["outcome"] == "backchannel"
        await ann.hears("May I do this: delete?")
        assert not page.find("decided")
        await ann.until(lambda: not ann.playing(), 20, "prompt over")
        await ann.say("no")
        await ann.hears("ok")
        assert page.find("decided")[0]["status"] == "denied"


async def test_18_what_is_typed_during_the_prompt_folds_it(tmp_path):
    async with CallDesk(
        tmp_path, asking_agent(bool, message="Shall I delete all of them?")
    ) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await ann.hears("Shall I")
        await page.frame("question")
        await page.say("yes")
        await ann.hears("fine")
        assert await results(page) == ["ask=True"]
        assert not any("them?" in text for text in ann.captions())


async def test_18_a_spoken_yes_after_it_was_decided_elsewhere_starts_nothing(tmp_path):
    """The answer was on its way as the page decided: told so, no run of its own."""
    async with CallDesk(tmp_path, asking_agent(bool)) as desk:
        desk.engines.ears.final_seconds = 1.5
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        question = await page.frame("question")
        await prompted(ann)
        ann.speak("yes")
        await asyncio.sleep(0.8)
        await page.press(question, "no")
        await ann.until(lambda: len(ann.outcomes()) == 2, 5, "settled")
        assert ann.outcomes()[-1]["outcome"] == "late"
        await ann.until(lambda: "fine" in ann.captions(), 20, "the reply")
        assert await results(page) == ["ask=False"]
        assert len(page.find("run", state="ended")) == 1


@pytest.mark.parametrize(
    ("language", "go", "yes", "no"),
    [("en", "go", "yes", "no stop"), ("ru", "начни", "да", "нет стой")],
)
async def test_26_no_stop_after_a_yes(tmp_path, language, go, yes, no):
    @tool
    async def slow(context: ToolContext) -> str:
        """Asks, then works."""
        await context.interrupt(message="Well?", response_schema=bool)
        await asyncio.sleep(6)
        return "done"

    model = Script([call("slow")], ["It is done."])
    async with CallDesk(tmp_path, Agent("a", model, tools=[slow])) as desk:
        page = await desk.person("ann", language=language)
        ann = await desk.caller(language=language)
        await ann.say(go)
        await prompted(ann)
        await ann.say(yes)
        await page.frame("decided")
        await ann.say(no)
        ended = await page.ended(within=15)
        assert ended["reason"] == "USER_SIGINT"
        assert page.find("decided")[0]["value"] is True


async def test_26_another_value_is_a_correction(tmp_path):
    @tool
    async def slow(context: ToolContext) -> str:
        """Asks, then works."""
        value = await context.interrupt(message="How many?", response_schema=int)
        await asyncio.sleep(6)
        return f"{value} done"

    model = Script([call("slow")], ["Corrected."])
    async with CallDesk(tmp_path, Agent("a", model, tools=[slow])) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await prompted(ann, "How many?")
        await ann.say("two")
        await page.frame("decided")
        await ann.say("three")
        ended = await page.ended(within=20)
        assert ended["reason"] == "NOW_PRIORITY_INPUT"
        await ann.hears("Corrected.", within=20)


async def test_two_people_ask_in_one_thread_each_hear_their_own(tmp_path):
    tools = [asker("Well?", bool)]
    model = Script([call("ask")], ["fine"])
    desk = CallDesk(tmp_path, Agent("a", model, tools=tools), shared=["local:1"])
    async with desk:
        page = await desk.person("ann")
        ann, bob = await desk.caller("ann"), await desk.caller("bob")
        await ann.say("go")
        await prompted(ann)
        assert bob.captions() == []
        await ann.say("yes")
        await ann.hears("fine")
        assert await results(page) == ["ask=True"]
        assert bob.captions() == []


async def test_a_reply_to_a_decided_question_never_answers_another(tmp_path):
    """Both are open; the first is decided while a yes to it is on its way."""
    tools = [asker("The first?", bool, name="first"), asker("The second?", bool, name="second")]
    model = Script([call("first"), call("second")], ["fine"])
    agent = Agent("a", model, tools=tools, parallel_tool_calls=True)
    async with CallDesk(tmp_path, agent) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        frames = [await page.frame("question"), await page.frame("question")]
        first = next(f for f in frames if f["data"]["question"]["message"] == "The first?")
        began = desk.clock.now()
        await asyncio.sleep(0.5)
        await page.press(first, "no")
        await page.frame("decided")
        new = NewInput(
            dedup="voice:x:1",
            thread="local:1",
            channel="voice",
            principal="ann",
            text="yes",
            how="voice",
            reply_to=first["data"]["question"]["id"],
            said_at=began,
        )
        receipt = await desk.app.router.accept(new)
        assert receipt.row is not None
        await asyncio.sleep(1)
        assert len(page.find("decided")) == 1
        (row,) = [r for r in await desk.app.store.inputs("local:1") if r.seq == receipt.row.seq]
        assert (row.outcome, row.detail) == ("refused", "INTERRUPT_ALREADY_DECIDED")
