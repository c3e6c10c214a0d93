"""Row 23: NEXT stops nothing; where the mode steers it joins last, after the tool results."""

from pathlib import Path

import pytest

from tests.acceptance.desk import Desk
from tests.acceptance.scripted import messages
from tests.acceptance.work import users, worker

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("wish", ["next", None])
async def test_it_joins_before_the_next_model_call(tmp_path: Path, wish: str | None):
    agent, model = worker()
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        first = await ann.say("work")
        await ann.frame("call", state="started")
        joins = await ann.say("be brief", override=wish)
        assert await ann.outcome(joins, within=5) == ("steered", "")
        assert await ann.outcome(first, within=5) == ("answered", "")
        assert messages(model.requests[1]) == [
            ("user", "work"),
            ("call", "work"),
            ("result", "worked"),
            ("user", "be brief"),
        ]
        assert len(model.requests) == 2


async def test_elsewhere_it_waits(tmp_path: Path):
    agent, model = worker()
    async with Desk(tmp_path, agent, queue_mode="enqueue") as desk:
        ann = await desk.person("ann")
        first = await ann.say("work")
        await ann.frame("call", state="started")
        waits = await ann.say("/next be brief")
        assert await ann.outcome(first, within=5) == ("answered", "")
        assert await ann.outcome(waits, within=5) == ("answered", "")
        assert users(model.requests[1]) == ["work"]
        assert users(model.requests[2]) == ["work", "be brief"]
