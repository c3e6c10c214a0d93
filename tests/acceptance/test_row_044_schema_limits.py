"""Row 44: a value outside the schema's limits is refused, and the question still waits."""

from pathlib import Path

import pytest

from tests.acceptance.asking import REPLICAS, asked, asking_agent, results
from tests.acceptance.desk import Desk

pytestmark = pytest.mark.looptime


async def test_seven_for_one_to_five(tmp_path: Path):
    async with Desk(tmp_path, asking_agent(REPLICAS)) as desk:
        ann = await desk.person("ann")
        question = await asked(ann)
        assert await ann.outcome(await ann.say("7")) == ("refused", "INTERRUPT_ANSWER_INVALID")
        pressed = await ann.press(question, "value", 7)
        assert await ann.outcome(pressed) == ("refused", "INTERRUPT_ANSWER_INVALID")
        told = (await ann.frame("notice", code="INTERRUPT_ANSWER_INVALID"))["data"]
        assert told["params"]["interruptId"] == question["data"]["question"]["id"]
        (pause,) = await ann.call("pauses.list")
        assert pause["status"] == "pending"
        await ann.say("5")
        await ann.ended()
        assert await results(ann) == ["ask=5"]
