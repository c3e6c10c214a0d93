"""Row 41: what is not clearly a yes runs nothing."""

from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.asking import asked
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime
UNCLEAR = [
    "не надо",
    "yes but not now",
    "no problem",
    "да нет",
    "maybe",
    "?",
    "1",
    "yes no",
    "hold on",
    "wait, yes",
    "not yes",
    "👍👎",
]


@pytest.mark.parametrize("text", UNCLEAR)
async def test_the_tool_does_not_run(tmp_path: Path, text: str):
    ran = []

    @tool(approval=True, destructive=True)
    async def wipe(context: ToolContext) -> str:
        """Deletes everything."""
        ran.append(1)
        return "gone"

    model = Script([call("wipe")], ["fine"])
    async with Desk(tmp_path, Agent("tester", model, tools=[wipe])) as desk:
        ann = await desk.person("ann")
        await asked(ann)
        said = await ann.say(text)
        await ann.outcome(said)
        assert not ran
        decided = ann.find("decided")
        assert all(card["status"] in ("denied", "cancelled") for card in decided)
