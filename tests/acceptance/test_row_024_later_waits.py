"""Row 24: LATER waits for the end of the run, never inside it."""

from pathlib import Path

import pytest

from tests.acceptance.desk import Desk
from tests.acceptance.work import most_at_once, users, worker

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("mode", ["steer", "enqueue", "collect", "interrupt", "parallel"])
async def test_it_comes_after_everything_else(tmp_path: Path, mode: str):
    agent, model = worker()
    async with Desk(tmp_path, agent, queue_mode=mode) as desk:
        ann = await desk.person("ann")
        first = await ann.say("work")
        await ann.frame("call", state="started")
        later = await ann.say("/later and then this")
        assert await ann.outcome(first, within=5) == ("answered", "")
        assert await ann.outcome(later, within=5) == ("answered", "")
        assert "and then this" not in users(model.requests[1])
        assert users(model.requests[2]) == ["work", "and then this"]
        assert most_at_once(ann.find("run")) == 1
