"""Row 92: hanging up stops nothing: what was heard is kept, the run goes on, the question stays."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, tool
from tests.acceptance.asking import asker, asking_agent, results
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.faults import HoldingStore, StuckThenFailing
from tests.acceptance.scripted import Script, call

pytestmark = CALLING

LONG = "I found three servers. All of them are idle since Monday. They cost ten dollars a day."


def replies(log) -> list:
    return [e["body"] for e in log["entries"] if e["kind"] == "assistant"]


async def test_while_a_reply_is_spoken(tmp_path: Path):
    async with CallDesk(tmp_path, Agent("a", Script([LONG]), "")) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("All of")
        heard = ann.caption()
        assert page.texts() == [heard]
        ann.actor.hang_up()
        ended = await page.ended()
        assert ended["end"] == "completed"
        (body,) = replies(await page.export())
        assert body["text"] == LONG
        assert 0 < body["metadata"]["heard_ms"] < body["metadata"]["total_ms"]
        assert page.texts() == [LONG]
        assert ann.line.told("numbers")[0]["heardRatio"] < 1


async def test_while_the_model_still_writes(tmp_path: Path):
    parts = [part + " " for part in LONG.split(". ")]
    steps = [item for part in parts for item in (part, 3.0)]
    async with CallDesk(tmp_path, Agent("a", Script(steps), "")) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("servers")
        ann.actor.hang_up()
        assert (await page.ended())["end"] == "completed"
        (body,) = replies(await page.export())
        assert body["text"] == "".join(parts)
        assert "interrupted" not in body["metadata"]


async def test_while_a_tool_works(tmp_path: Path):
    @tool
    async def slow() -> str:
        """Takes a while."""
        await asyncio.sleep(10)
        return "done"

    agent = Agent("a", Script([call("slow")], ["It is done."]), tools=[slow])
    async with CallDesk(tmp_path, agent) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("do it")
        ann.actor.hang_up()
        assert (await page.ended())["end"] == "completed"
        assert await results(page) == ["done"]
        assert page.texts() == ["It is done."]


@pytest.mark.parametrize("heard", [True, False])
async def test_while_it_asks(tmp_path: Path, heard: bool):
    """The same question is answered in the chat; or asked again on the next call."""
    async with CallDesk(tmp_path, asking_agent(bool, message="Shall I delete them?")) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        question = await page.frame("question")
        await ann.hears("delete them?" if heard else "Shall")
        ann.actor.hang_up()
        await asyncio.sleep(30)
        assert not page.find("decided")
        await page.press(question, "yes")
        await page.ended()
        assert await results(page) == ["ask=True"]


async def test_the_next_call_asks_it_again(tmp_path: Path):
    async with CallDesk(tmp_path, asking_agent(bool, message="Shall I delete them?")) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await ann.hears("delete them?")
        ann.actor.hang_up()
        await asyncio.sleep(5)
        await ann.call()
        await ann.hears("delete them?")
        await ann.until(lambda: not ann.playing(), 20, "prompt over")
        assert (await ann.say("yes"))["outcome"] == "answer"
        await ann.hears("fine")
        assert await results(page) == ["ask=True"]


async def test_a_question_asked_by_typing_is_asked_on_the_call_too(tmp_path: Path):
    agent = Agent("tester", Script([call("ask")], ["fine"]), tools=[asker("Well?", bool)])
    async with CallDesk(tmp_path, agent) as desk:
        page = await desk.person("ann")
        await page.say("go")
        await page.frame("question")
        ann = await desk.caller()
        await ann.hears("Well?")
        await ann.until(lambda: not ann.playing(), 20, "prompt over")
        assert (await ann.say("no"))["outcome"] == "answer"
        await page.ended()
        assert await results(page) == ["ask=False"]
        await asyncio.sleep(3)
        assert "fine" not in ann.captions()


async def test_the_last_words_are_not_lost(tmp_path: Path):
    """Said and hung up at once: they are taken all the same."""
    async with CallDesk(tmp_path, Agent("a", Script(["Booked."]), "")) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        ann.speak("book the table")
        await asyncio.sleep(0.82)
        ann.actor.hang_up()
        ann.leave()
        assert (await page.ended())["end"] == "completed"
        assert page.texts() == ["Booked."]


@tool(approval=True)
async def restart(name: str) -> str:
    """Restarts it."""
    return f"restarted {name}"


@tool(approval=True, destructive=True)
async def delete(name: str) -> str:
    """Deletes it."""
    return f"deleted {name}"


@pytest.mark.parametrize(
    ("what", "heard", "approved"),
    [(restart, True, True), (restart, False, False), (delete, True, False)],
)
async def test_the_last_word_is_an_answer(tmp_path: Path, what, heard: bool, approved: bool):
    """Said and hung up at once: it answers what was heard, and what needs no second yes."""
    model = Script([call(what.name, name="alpha")], ["fine"])
    async with CallDesk(tmp_path, Agent("tester", model, tools=[what])) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        await ann.hears("name alpha?" if heard else "May I do")
        if heard:
            await ann.until(lambda: not ann.playing(), 20, "prompt over")
            await asyncio.sleep(0.3)
        ann.speak("yes")
        await asyncio.sleep(0.5)
        ann.actor.hang_up()
        ann.leave()
        await asyncio.sleep(20)
        assert [card["status"] for card in page.find("decided")] == ["approved"] * approved
        assert await results(page) == ["restarted alpha"] * approved


async def calls_while_stuck(desk: CallDesk, store: HoldingStore) -> tuple[Any, Any]:
    """Ann's page, which is asked something, and her call: the storage is stuck as it begins."""
    page = await desk.person("ann")
    await page.say("go")
    await page.frame("question")
    store.hold()
    await page.say("/queue")
    return page, await desk.caller()


async def test_a_call_that_begins_while_the_storage_is_stuck_is_asked_once_it_is_not(
    tmp_path: Path,
):
    store = HoldingStore()
    agent = asking_agent(bool, ["done"])
    async with CallDesk(tmp_path, agent, wrap=store) as desk:
        page, ann = await calls_while_stuck(desk, store)
        await ann.wait(15)
        store.release()
        await ann.hears("Well?")
        await ann.say("yes")
        assert (await page.ended())["end"] == "completed"


async def test_a_call_that_begins_while_the_storage_fails_is_asked_once_it_does_not(tmp_path: Path):
    store = StuckThenFailing()
    agent = asking_agent(bool, ["done"])
    async with CallDesk(tmp_path, agent, wrap=store) as desk:
        desk.may_fail = True
        page, ann = await calls_while_stuck(desk, store)
        store.failing.code = "STORE_LOCKED"
        store.release()
        await ann.wait(5)
        store.failing.code = ""
        await ann.hears("Well?")
        await ann.say("yes")
        assert (await page.ended())["end"] == "completed"
