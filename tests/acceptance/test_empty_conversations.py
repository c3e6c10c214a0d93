"""Who looks at a conversation and leaves has begun none."""

from pathlib import Path

import pytest

from tests.acceptance.desk import Desk
from tests.acceptance.work import worker

pytestmark = pytest.mark.looptime


async def test_a_conversation_begins_with_its_first_message(tmp_path: Path):
    agent, _ = worker()
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann", thread="local:plans")
        assert await ann.call("threads.list") == []
        await ann.leave()
        again = await desk.person("ann", thread="local:other")
        await again.outcome(await again.say("hi"))
        assert [line["thread"] for line in await again.call("threads.list")] == ["local:other"]
        await again.leave()
