"""Row 26: a stop addressed to an ended run does nothing, a NOW to one becomes NEXT."""

from pathlib import Path

import pytest

from tests.acceptance.desk import Desk
from tests.acceptance.work import worker

pytestmark = pytest.mark.looptime


async def test_run_1_is_addressed_after_run_2_began(tmp_path: Path):
    agent, _ = worker()
    async with Desk(tmp_path, agent, queue_mode="enqueue") as desk:
        ann = await desk.person("ann")
        await ann.say("hi")
        old = (await ann.ended())["run"]
        second = await ann.say("work")
        await ann.frame("call", state="started")
        waits = await ann.say("waiting")
        stop = await ann.stop(run=old)
        now = await ann.say("urgent", override="now", run=old)
        assert await ann.outcome(stop, within=1) == ("handled", "NOTHING_TO_STOP")
        assert await ann.outcome(second, within=5) == ("answered", "")
        assert await ann.outcome(waits, within=5) == ("answered", "")
        assert await ann.outcome(now, within=5) == ("answered", "")
        done = [text for text in ann.texts() if text.startswith("done")]
        assert done == ["done hi", "done waiting", "done urgent"]


async def test_the_run_that_is_on_is_reached_by_its_address(tmp_path: Path):
    agent, _ = worker()
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        first = await ann.say("work")
        run = (await ann.frame("call", state="started"))["data"]["run"]
        stop = await ann.stop(run=run)
        assert await ann.outcome(stop, within=1) == ("handled", "STOPPED")
        assert await ann.outcome(first, within=1) == ("interrupted", "USER_SIGINT")
