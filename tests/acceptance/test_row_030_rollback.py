"""Row 30: rollback keeps what it abandons on a branch; the history goes on from before it."""

from pathlib import Path

import pytest

from tests.acceptance.desk import Desk
from tests.acceptance.log import bodies
from tests.acceptance.scripted import messages
from tests.acceptance.work import users, worker

pytestmark = pytest.mark.looptime


async def test_log_against_history(tmp_path: Path):
    agent, model = worker()
    async with Desk(tmp_path, agent, queue_mode="rollback") as desk:
        ann = await desk.person("ann")
        await ann.outcome(await ann.say("hi"))
        wrong = await ann.say("finish wrong")
        await ann.frame("call", state="started")
        right = await ann.say("right")
        assert await ann.outcome(wrong, within=5) == ("interrupted", "NOW_PRIORITY_INPUT")
        assert await ann.outcome(right, within=5) == ("answered", "")
        assert messages(model.requests[-1]) == [
            ("user", "hi"),
            ("assistant", "done hi"),
            ("user", "right"),
        ]
        log = await ann.export()
        assert [b["text"] for b in bodies(log, "user")] == ["hi", "finish wrong", "right"]
        assert [b["content"] for b in bodies(log, "tool_result")] == ["finished"]
        branch = {e["body"].get("text"): e["branch"] for e in log["entries"] if e["kind"] == "user"}
        assert branch["finish wrong"] == branch["hi"] != branch["right"]
        await desk.restart()
        ann = await desk.person("ann")
        assert await ann.outcome(await ann.say("more")) == ("answered", "")
        assert users(model.requests[-1]) == ["hi", "right", "more"]


async def test_a_run_that_was_resumed_is_interrupted_instead(tmp_path: Path):
    agent, model = worker()
    async with Desk(tmp_path, agent, queue_mode="rollback") as desk:
        ann = await desk.person("ann")
        await ann.say("ask then")
        await ann.frame("question")
        await ann.say("/next work")
        await ann.outcome(await ann.say("yes"))
        await ann.frame("call", state="started", name="work")
        now = await ann.say("/now other")
        assert await ann.outcome(now, within=5) == ("answered", "")
        assert users(model.requests[-1])[0] == "ask then"
