"""Row 42: a bad answer is told why and asked again, twice; the third releases the question."""

from pathlib import Path

import pytest

from tests.acceptance.asking import asked, asking_agent, requests_of, results
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import messages

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize(("language", "word"), [("en", "yes"), ("ru", "да")])
async def test_asked_again_twice_then_moved_on(tmp_path: Path, language: str, word: str):
    agent = asking_agent(bool, ["as you wish"])
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann", language=language)
        await asked(ann)
        for _ in range(2):
            said = await ann.say("maybe")
            assert await ann.outcome(said) == ("refused", "INTERRUPT_ANSWER_INVALID")
            again = (await ann.frame("question"))["data"]
            assert word in again["again"]
            notice = (await ann.frame("notice", code="INTERRUPT_ANSWER_INVALID"))["data"]
            assert word in notice["text"]
        third = await ann.say("maybe")
        assert (await ann.frame("notice", code="MOVED_ON"))["data"]["text"]
        assert await ann.outcome(third) == ("answered", "")
        assert await results(ann) == ["The user moved on without answering"]
        assert messages(requests_of(agent)[1])[-1] == ("user", "maybe")
