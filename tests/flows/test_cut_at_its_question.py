"""What a call reads that asked, was answered, and could not go on: it ran up to its question."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.core.messages import ToolResult
from gateway.runs.context import ToolContext
from gateway.runs.tools import tool
from tests.flows.asking import asked, asker, two
from tests.flows.desk import Desk, Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime


async def read(desk: Desk) -> list[tuple[str, str | None]]:
    """The results of all calls, with their codes."""
    return [(m.content, m.error) for m in await desk.history() if isinstance(m, ToolResult)]


@pytest.mark.parametrize(
    ("text", "other", "reason"),
    [
        ("cancel", 'The user declined to answer "Delete?"', "USER_SIGINT"),
        ("/stop", 'The user declined to answer "Delete?"', "USER_SIGINT"),
        ("/now do this", "The user moved on without answering", "NOW_PRIORITY_INPUT"),
    ],
)
async def test_while_its_neighbour_s_question_is_open(
    tmp_path: Path, text: str, other: str, reason: str
) -> None:
    desk = await two(tmp_path)
    await desk.say("1: yes")
    await desk.settle(1)
    await desk.say(text)
    await desk.settle(1)
    assert await read(desk) == [
        (f"Interrupted: {reason}", "TOOL_INTERRUPTED"),
        (other, "DECLINED"),
    ]
    await desk.close()


async def test_while_it_waits_to_go_on(tmp_path: Path) -> None:
    desk = await asked(tmp_path, bool, limit=1)
    desk.router.wiring.slots.take("another run", lambda: None, resume=False)
    await desk.say("yes")
    await desk.settle(1)
    await desk.say("/stop")
    await desk.settle(1)
    assert await read(desk) == [("Interrupted: USER_SIGINT", "TOOL_INTERRUPTED")]
    await desk.close()


async def test_a_call_that_was_only_allowed_has_not_started(tmp_path: Path) -> None:
    @tool(approval=True, parallel_safe=True)
    async def deploy(context: ToolContext) -> str:
        """Deploys."""
        return "deployed"

    model = Script([call("deploy"), call("ask")], ["fine"])
    agent = agent_of(model, deploy, asker("Well?", bool), parallel_tool_calls=True)
    desk = await open_desk(tmp_path / "a.db", agent)
    await desk.say("go")
    await desk.settle(1)
    await desk.say("1: yes")
    await desk.settle(1)
    await desk.say("cancel")
    await desk.settle(1)
    declined = ('The user declined to answer "Well?"', "DECLINED")
    assert await read(desk) == [("Not started", "NOT_STARTED"), declined]
    await desk.close()
