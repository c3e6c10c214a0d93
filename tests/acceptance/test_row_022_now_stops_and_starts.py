"""Row 22: NOW stops the run that is on, and its text starts the next with no further message."""

from pathlib import Path

import pytest

from tests.acceptance.desk import Desk
from tests.acceptance.log import bodies
from tests.acceptance.work import most_at_once, users, worker

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("mode", ["steer", "enqueue", "collect", "interrupt", "reject"])
async def test_now_while_a_tool_runs_then_silence(tmp_path: Path, mode: str):
    agent, model = worker()
    async with Desk(tmp_path, agent, queue_mode=mode) as desk:
        ann = await desk.person("ann")
        first = await ann.say("work on this")
        await ann.frame("call", state="started")
        now = await ann.say("/now that instead")
        assert await ann.outcome(first, within=1) == ("interrupted", "NOW_PRIORITY_INPUT")
        assert await ann.outcome(now, within=1) == ("answered", "")
        assert ann.texts()[-1] == "done that instead"
        assert users(model.requests[-1]) == ["work on this", "that instead"]
        assert most_at_once(ann.find("run")) == 1


async def test_now_while_it_speaks_keeps_what_was_shown(tmp_path: Path):
    agent, model = worker()
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        await ann.say("talk")
        await ann.shows("one two")
        now = await ann.say("hold on, do the other", override=None)
        assert await ann.outcome(now, within=1) == ("answered", "")
        said = bodies(await ann.export(), "assistant")
        assert said[0]["text"] == "one two "
        assert said[0]["metadata"]["interrupted"] is True
        assert len(model.requests) == 2
