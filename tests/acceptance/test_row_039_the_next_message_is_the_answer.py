"""Row 39: the next message of the person asked is the answer, not a new run."""

from pathlib import Path

import pytest

from tests.acceptance.asking import asked, asking_agent, requests_of, results
from tests.acceptance.desk import Desk

pytestmark = pytest.mark.looptime


async def test_the_tool_goes_on_in_the_same_run(tmp_path: Path):
    agent = asking_agent(bool)
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        question = await asked(ann)
        yes = await ann.say("да")
        ended = await ann.ended(within=2)
        assert (ended["run"], ended["end"]) == (question["data"]["run"], "completed")
        assert await ann.outcome(yes) == ("decided", question["data"]["question"]["id"])
        assert await results(ann) == ["ask=True"]
        assert len({frame["run"] for frame in ann.find("run")}) == 1
        assert len(requests_of(agent)) == 2
