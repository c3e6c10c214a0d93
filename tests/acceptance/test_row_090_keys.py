"""Row 90: keys beat speech for the open question; digits map to options, several are a number."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, tool
from tests.acceptance.asking import REGION, asking_agent, results
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script, call

pytestmark = CALLING


@pytest.mark.parametrize(
    ("schema", "keys", "value"),
    [
        (bool, "1", True),
        (bool, "2", False),
        (REGION, "2", "us"),
        ({"type": "integer"}, "25#", 25),
        ({"type": "integer"}, "7*25#", 25),
        ({"type": "string", "pattern": r"^\d{4}$"}, "0123", "0123"),
    ],
)
async def test_during_the_prompt(tmp_path: Path, schema: object, keys: str, value: object):
    async with CallDesk(tmp_path, asking_agent(schema)) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await ann.hears("Well? Please")
        ann.speak("no")
        for key in keys:
            ann.actor.key(key)
            await asyncio.sleep(0.3)
        await ann.hears("fine")
        assert await results(page) == [f"ask={value!r}"]
        assert not any(text.endswith(("numbers.", "or no.")) for text in ann.captions())


async def test_a_number_is_over_after_a_while(tmp_path: Path):
    async with CallDesk(tmp_path, asking_agent({"type": "integer"})) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await ann.hears("Well?")
        for key in "12":
            ann.actor.key(key)
        pressed = desk.time()
        await ann.hears("fine")
        assert await results(page) == ["ask=12"]
        assert 3.0 <= desk.time() - pressed <= 8.0


async def test_words_are_no_answer_while_keys_are_pressed(tmp_path: Path):
    async with CallDesk(tmp_path, asking_agent({"type": "integer"})) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await ann.hears("Well?")
        ann.actor.key("4")
        said = await ann.say("seven")
        assert said["outcome"] == "keys"
        ann.actor.key("#")
        await ann.hears("fine")
        assert await results(page) == ["ask=4"]


@tool(approval=True, destructive=True)
async def delete_servers(names: list[str]) -> str:
    """Deletes them."""
    return f"deleted {len(names)}"


async def test_an_approval_takes_no_key_before_it_was_heard(tmp_path: Path):
    model = Script([call("delete_servers", names=["a1", "b2"])], ["fine"])
    async with CallDesk(tmp_path, Agent("tester", model, tools=[delete_servers])) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await ann.hears("May I")
        ann.actor.key("1")
        await asyncio.sleep(0.5)
        assert not page.find("decided")
        await ann.hears("delete servers, names a1, b2?")
        ann.actor.key("2")
        await ann.hears("fine")
        assert page.find("decided")[0]["status"] == "denied"


async def test_without_a_question_keys_do_nothing(tmp_path: Path):
    async with CallDesk(tmp_path, Agent("a", Script(["Hello there."]), "")) as desk:
        ann = await desk.caller()
        ann.actor.key("1")
        ann.actor.key("x")
        await ann.say("hi you")
        await ann.hears("Hello there.")


MANY = {"type": "string", "enum": [f"{letter}1" for letter in "abcdefghijkl"]}


@pytest.mark.parametrize(("keys", "value"), [("12", "l1"), ("05", "e1"), ("2", "b1"), ("1", "a1")])
async def test_more_than_nine_options(tmp_path: Path, keys: str, value: str):
    async with CallDesk(tmp_path, asking_agent(MANY)) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await ann.hears("Well?")
        for key in keys:
            ann.actor.key(key)
            await asyncio.sleep(0.5)
        await ann.hears("fine")
        assert await results(page) == [f"ask={value!r}"]


@pytest.mark.parametrize("keys", ["13", "00", "0#", "#"])
async def test_keys_that_stand_for_nothing_have_it_asked_again(tmp_path: Path, keys: str):
    async with CallDesk(tmp_path, asking_agent(MANY)) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await ann.hears("Well?")
        for key in keys:
            ann.actor.key(key)
        await ann.hears("I didn't understand that. Well?", within=8)
        for key in "*3#":
            ann.actor.key(key)
        await ann.hears("fine")
        assert await results(page) == ["ask='c1'"]


async def test_a_second_yes_by_key_has_to_hear_what_it_confirms(tmp_path: Path):
    model = Script([call("delete_servers", names=["a1", "b2"])], ["fine"])
    async with CallDesk(tmp_path, Agent("tester", model, tools=[delete_servers])) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await ann.hears("delete servers, names a1, b2?")
        await ann.until(lambda: not ann.playing(), 20, "prompt over")
        await asyncio.sleep(0.3)
        await ann.say("yes")
        await ann.hears("You want")
        ann.actor.key("1")
        await asyncio.sleep(0.5)
        assert not page.find("decided")
        await ann.hears("You want this: delete servers, names a1, b2. Yes or no?")
        ann.actor.key("1")
        await ann.hears("fine")
        assert page.find("decided")[0]["status"] == "approved"
