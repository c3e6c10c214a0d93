"""Row 48: a new request instead of an answer closes the question and is answered itself."""

from pathlib import Path

import pytest

from gateway import Agent
from tests.acceptance.asking import REGION, asked, asker, asking_agent, requests_of, results
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call, messages

pytestmark = pytest.mark.looptime
REQUEST = "please tell me about the weather in Paris today"


@pytest.mark.parametrize("text", [REQUEST, "wait, do something else", "стоп, не туда"])
async def test_a_sentence_is_answered_before_all_that_waits(tmp_path: Path, text: str):
    agent = asking_agent(REGION, ["sunny"], ["noted"])
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        question = await asked(ann)
        waits = await ann.say("remember the milk", override="later")
        said = await ann.say(text)
        closed = (await ann.frame("run", state="ended", run=question["data"]["run"]))["data"]
        assert (closed["end"], closed["reason"]) == ("interrupted", "NOW_PRIORITY_INPUT")
        assert await ann.outcome(said) == ("answered", "")
        assert await ann.outcome(waits) == ("answered", "")
        assert "MOVED_ON" in ann.codes()
        assert await results(ann) == ["The user moved on without answering"]
        lasts = [messages(request)[-1] for request in requests_of(agent)[1:]]
        assert lasts == [("user", text), ("user", "remember the milk")]
        (card,) = ann.find("decided")
        assert (card["status"], card["how"]) == ("cancelled", "moved_on")


async def test_calls_that_had_not_started_say_so(tmp_path: Path):
    model = Script([call("ask"), call("ask")], ["fine"])
    agent = Agent("tester", model, tools=[asker("Well?", REGION)])
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        await asked(ann)
        await ann.outcome(await ann.say(REQUEST))
        assert await results(ann) == ["The user moved on without answering", "Not started"]
