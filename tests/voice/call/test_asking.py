"""Questions by voice: confirmed twice where it destroys, repeated, read back, doubted."""

import asyncio

import pytest

from gateway import Agent, tool
from tests.acceptance.asking import asking_agent, results
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script, call

pytestmark = CALLING


@tool(approval=True, destructive=True)
async def delete_servers(names: list[str]) -> str:
    """Deletes them."""
    return f"deleted {len(names)}"


@tool(approval=True)
async def restart(name: str) -> str:
    """Restarts it."""
    return f"restarted {name}"


def deleting():
    model = Script([call("delete_servers", names=["alpha", "beta"])], ["fine"])
    return Agent("tester", model, tools=[delete_servers, restart])


async def put(ann, text):
    await ann.hears(text)
    await ann.until(lambda: not ann.playing(), 20, "prompt over")
    await asyncio.sleep(0.3)


both = pytest.mark.parametrize(
    ("language", "go", "yes", "no", "confirm"),
    [
        ("en", "go", "yes", "no", "You want this: delete servers, names alpha, beta. Yes or no?"),
        ("ru", "начни", "да", "нет", "Вы хотите вот что: delete servers, names alpha, beta."),
    ],
)


@both
async def test_what_destroys_is_confirmed(tmp_path, *, language, go, yes, no, confirm):
    async with CallDesk(tmp_path, deleting()) as desk:
        page = await desk.person("ann", language=language)
        ann = await desk.caller(language=language)
        await ann.say(go)
        await put(ann, "delete servers, names alpha, beta?")
        assert (await ann.say(yes))["outcome"] == "answer"
        await put(ann, confirm)
        assert not page.find("decided")
        await ann.say(yes)
        await ann.hears("fine")
        assert page.find("decided")[0]["status"] == "approved"
        assert await results(page) == ["deleted 2"]


@both
async def test_a_no_to_the_confirmation_denies(tmp_path, *, language, go, yes, no, confirm):
    async with CallDesk(tmp_path, deleting()) as desk:
        page = await desk.person("ann", language=language)
        ann = await desk.caller(language=language)
        await ann.say(go)
        await put(ann, "delete servers, names alpha, beta?")
        await ann.say(yes)
        await put(ann, confirm)
        await ann.say(no)
        await ann.hears("fine")
        assert page.find("decided")[0]["status"] == "denied"


async def test_one_yes_twice_in_a_row_does_not_confirm(tmp_path):
    """The second yes came before the confirmation was heard."""
    async with CallDesk(tmp_path, deleting()) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await put(ann, "delete servers, names alpha, beta?")
        ann.speak("yes")
        ann.pause(700)
        ann.speak("yes")
        await ann.until(lambda: len(ann.outcomes()) >= 3, 10, "both settled")
        await asyncio.sleep(3)
        assert not page.find("decided")


async def test_what_destroys_nothing_is_asked_once(tmp_path):
    model = Script([call("restart", name="alpha")], ["fine"])
    async with CallDesk(tmp_path, Agent("tester", model, tools=[restart])) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await put(ann, "May I do this: restart, name alpha?")
        await ann.say("yes")
        await ann.hears("fine")
        assert await results(page) == ["restarted alpha"]


@pytest.mark.parametrize(("language", "go", "yes"), [("en", "go", "yes"), ("ru", "начни", "да")])
async def test_a_yes_that_may_have_been_misheard_is_asked_for_once_more(
    tmp_path, *, language, go, yes
):
    model = Script([call("restart", name="alpha")], ["fine"])
    async with CallDesk(tmp_path, Agent("tester", model, tools=[restart])) as desk:
        page = await desk.person("ann", language=language)
        ann = await desk.caller(language=language)
        desk.engines.ears.doubted.add(yes)
        await ann.say(go)
        await put(ann, "restart, name alpha?")
        await ann.say(yes)
        confirm = "You want this: restart" if language == "en" else "Вы хотите вот что: restart"
        await put(ann, confirm)
        assert not page.find("decided")
        await ann.say(yes)
        await ann.hears("fine")
        assert await results(page) == ["restarted alpha"]


async def test_a_no_that_may_have_been_misheard_denies(tmp_path):
    async with CallDesk(tmp_path, deleting()) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        desk.engines.ears.doubted.add("no")
        await ann.say("go")
        await put(ann, "delete servers, names alpha, beta?")
        await ann.say("no")
        await ann.hears("fine")
        assert page.find("decided")[0]["status"] == "denied"


async def test_a_recogniser_gets_ready_for_a_question_and_tells_what_it_cant_hear(tmp_path):
    schema = {"enum": ["eu", "us"]}
    async with CallDesk(tmp_path, asking_agent(schema, message="Which region?")) as desk:
        desk.engines.ears.unknown = ("eu",)
        ann = await desk.caller()
        await ann.say("go")
        await ann.hears("Which region?")
        ((language, expected),) = desk.engines.ears.expected
        assert (language, expected.schema, expected.languages[0]) == ("en", schema, "en")
        told = [line for line in desk.log.getvalue().splitlines() if "know" in line]
        assert len(told) == 1
        assert "words of answers: eu" in told[0]


@pytest.mark.parametrize(
    ("language", "go", "again", "yes"),
    [("en", "go", "repeat", "yes"), ("ru", "начни", "повтори", "да")],
)
async def test_repeat(tmp_path, language, go, again, yes):
    async with CallDesk(tmp_path, asking_agent(bool)) as desk:
        page = await desk.person("ann", language=language)
        ann = await desk.caller(language=language)
        await ann.say(go)
        await put(ann, "Well?")
        before = len(ann.captions())
        await ann.say(again)
        await ann.until(lambda: len(ann.captions()) > before, 10, "again")
        await put(ann, "Well?")
        await ann.say(yes)
        await ann.hears("fine")
        assert await results(page) == ["ask=True"]


@pytest.mark.parametrize("unclear", ["no problem", "maybe later", "if you must"])
async def test_unclear_never_approves(tmp_path, unclear):
    async with CallDesk(tmp_path, deleting()) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await put(ann, "delete servers, names alpha, beta?")
        await ann.say(unclear)
        await asyncio.sleep(12)
        assert not [card for card in page.find("decided") if card["status"] == "approved"]


async def test_hearings_that_disagree_decide_nothing(tmp_path):
    async with CallDesk(tmp_path, asking_agent({"type": "integer"})) as desk:
        desk.engines.ears.alternatives["four"] = ("four", "five")
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await put(ann, "Well?")
        assert (await ann.say("four"))["outcome"] == "unclear"
        await put(ann, "I didn't understand that. Well?")
        assert not page.find("decided")
        await ann.say("six")
        await ann.hears("fine")
        assert await results(page) == ["ask=6"]


async def test_a_yes_that_may_have_been_a_no_decides_nothing(tmp_path):
    async with CallDesk(tmp_path, asking_agent(bool)) as desk:
        desk.engines.ears.alternatives["yes"] = ("yes", "no")
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await put(ann, "Well?")
        await ann.say("yes")
        await put(ann, "I'm waiting for your answer. Well?")
        assert not page.find("decided")


async def test_another_hearing_may_fill_in_for_noise(tmp_path):
    async with CallDesk(tmp_path, asking_agent({"type": "integer"})) as desk:
        desk.engines.ears.alternatives["fur"] = ("four",)
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await put(ann, "Well?")
        assert (await ann.say("fur"))["outcome"] == "answer"
        await ann.hears("Understood: 4.")
        await ann.hears("fine")
        assert await results(page) == ["ask=4"]


async def test_an_answer_names_its_question_though_another_was_typed_meanwhile(tmp_path):
    """The spoken answer is bound to the question that was heard."""
    async with CallDesk(tmp_path, asking_agent(bool)) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await put(ann, "Well?")
        assert (await ann.say("yes"))["outcome"] == "answer"
        await ann.until(lambda: bool(page.find("decided")), 5, "decided")
        log = await page.export()
        answer = log["inputs"][-1]
        assert answer["outcome"] == "decided"
        assert answer["detail"] == page.find("question")[0]["question"]["id"]


@pytest.mark.parametrize("playing", [True, False])
@pytest.mark.parametrize(
    ("language", "go", "wait", "on", "yes"),
    [("en", "go", "wait", "go on", "yes"), ("ru", "начни", "подожди", "продолжай", "да")],
)
async def test_go_on_after_wait_is_no_leave(tmp_path, *, language, go, wait, on, yes, playing):
    """It lets the voice go on; what is asked stays open."""
    model = Script([call("restart", name="alpha")], ["fine"])
    async with CallDesk(tmp_path, Agent("tester", model, tools=[restart])) as desk:
        page = await desk.person("ann", language=language)
        ann = await desk.caller(language=language)
        await ann.say(go)
        await (ann.hears if playing else lambda text: put(ann, text))("name alpha?")
        assert (await ann.say(wait))["outcome"] == "hold"
        assert (await ann.say(on))["outcome"] == "resume"
        await asyncio.sleep(1)
        assert not page.find("decided")
        await put(ann, "name alpha?")
        await ann.say(yes)
        await ann.hears("fine")
        assert await results(page) == ["restarted alpha"]


async def test_go_on_is_leave_where_nobody_waits(tmp_path):
    model = Script([call("restart", name="alpha")], ["fine"])
    async with CallDesk(tmp_path, Agent("tester", model, tools=[restart])) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await put(ann, "name alpha?")
        await ann.say("go on")
        await ann.hears("fine")
        assert await results(page) == ["restarted alpha"]
