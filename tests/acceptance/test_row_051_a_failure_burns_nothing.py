"""Row 51: a failure after the decision doesn't burn it: the retry runs nothing again."""

from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.asking import asked, results
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime


def deploying(ran: list[int], *steps: Any) -> Agent:
    @tool(approval=True)
    async def deploy(context: ToolContext) -> str:
        """Deploys."""
        ran.append(1)
        return "deployed"

    return Agent("tester", Script(*steps), tools=[deploy])


@pytest.mark.parametrize("restart", [False, True])
async def test_a_model_that_fails_after_the_tool_ran(tmp_path: Path, restart: bool):
    ran: list[int] = []
    agent = deploying(ran, [call("deploy")], [ConnectionError("500")], ["all is well"])
    async with Desk(tmp_path, agent) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        await asked(ann)
        await ann.say("yes")
        ended = await ann.ended()
        assert ended["end"] == "failed"
        if restart:
            await desk.restart()
            ann = await desk.person("ann")
        await ann.say("/retry", id_="again")
        assert (await ann.ended())["end"] == "completed"
        assert ran == [1]
        assert await results(ann) == ["deployed"]
        assert not ann.find("question")[1:]


@pytest.mark.parametrize("restart", [False, True])
async def test_a_decision_of_a_call_that_did_not_come_to_run_still_holds(
    tmp_path: Path, restart: bool
):
    """Two calls to approve; the first one's decision outlives a kill while the second is open."""
    ran: list[int] = []
    agent = deploying(ran, [call("deploy"), call("deploy")], ["all is well"])
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        await asked(ann)
        await ann.say("yes")
        await ann.frame("question")
        assert ran == [1]
        if restart:
            await desk.kill()
            await desk.start()
            ann = await desk.person("ann")
        await ann.say("yes", id_="second")
        await ann.ended()
        assert ran == [1, 1]
