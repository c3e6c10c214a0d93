"""Row 89: silence asks again twice, then the question stays; idle counts from the last sound heard,
and not while a tool works.
"""

import asyncio
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from gateway import Agent, tool
from tests.acceptance.asking import asker, asking_agent, results
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script, call

pytestmark = CALLING

both = pytest.mark.parametrize(
    ("language", "go", "yes", "stays"),
    [
        ("en", "go", "yes", "The question stays open. Answer whenever you like"),
        ("ru", "начни", "да", "Вопрос остаётся открытым."),
    ],
)


@both
async def test_asked_again_twice_then_told(
    tmp_path: Path, language: str, go: str, yes: str, stays: str
):
    async with CallDesk(tmp_path, asking_agent(bool)) as desk:
        page = await desk.person("ann", language=language)
        ann = await desk.caller(language=language)
        await ann.say(go)
        prompts = []
        for count in (1, 2, 3):
            await ann.until(partial(_has_prompts, ann, count), 20, f"prompt {count}")
            await ann.until(lambda: not ann.playing(), 10, "its end")
            prompts.append(desk.time())
        await ann.hears(stays)
        waits = [later - sooner for sooner, later in pairwise(prompts)]
        assert all(6.0 < wait < 10.0 for wait in waits)
        await asyncio.sleep(30)
        assert _prompts(ann) == 3
        assert (await ann.say(yes))["outcome"] == "answer"
        await ann.hears("fine")
        assert await results(page) == ["ask=True"]


def _has_prompts(ann, count: int) -> bool:
    return _prompts(ann) == count


def _prompts(ann) -> int:
    return sum(text.startswith("Well?") for text in ann.captions())


async def test_not_while_a_tool_works(tmp_path: Path):
    @tool
    async def slow() -> str:
        """Takes a while."""
        await asyncio.sleep(25)
        return "done"

    model = Script([call("slow")], [call("ask")], ["fine"])
    agent = Agent("tester", model, tools=[slow, asker("Well?", bool)])
    async with CallDesk(tmp_path, agent) as desk:
        ann = await desk.caller()
        await ann.say("go")
        await asyncio.sleep(20)
        assert ann.captions() == []
        assert ann.state() == "thinking"
        await ann.hears("Well?", within=30)


@pytest.mark.parametrize(
    ("language", "go", "said", "told"),
    [
        ("en", "go", "hello", "I'm still working on it."),
        ("ru", "начни", "алло", "Я ещё занимаюсь этим."),
    ],
)
async def test_who_asks_whether_anybody_is_there_is_told(
    tmp_path: Path, language: str, go: str, said: str, told: str
):
    @tool
    async def slow() -> str:
        """Takes a while."""
        await asyncio.sleep(10)
        return "done"

    model = Script([call("slow")], ["It is done."])
    async with CallDesk(tmp_path, Agent("tester", model, tools=[slow])) as desk:
        ann = await desk.caller(language=language)
        await ann.say(go)
        assert (await ann.say(said))["outcome"] == "presence"
        await ann.hears(told)
        await ann.hears("It is done.", within=15)
