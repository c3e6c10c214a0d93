"""Row 106: a right that is withdrawn after the decision, before the tool runs: it does not run."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.asking import results
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Gate, Script, call

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("withdrawn", [True, False])
async def test_the_approver_is_none_any_more_when_the_call_comes_to_run(
    tmp_path: Path, withdrawn: bool
):
    """The decision is stored while the run waits for a slot; then the operator's list changes."""
    ran = []
    gate = Gate()

    @tool
    async def refund(context: ToolContext) -> str:
        """Refunds."""
        await context.interrupt(message="Refund?", kind="approval", to="approvers")
        ran.append(1)
        return "refunded"

    model = Script([call("refund")], lambda request: [gate] if _busy(request) else ["fine"])
    agent = Agent("tester", model, tools=[refund])
    desk = Desk(tmp_path, agent, approvers=["boss", "chief"], max_concurrent_runs=1)
    async with desk:
        ann = await desk.person("ann")
        boss = await desk.person("boss", "local:boss")
        await ann.say("refund me")
        question = await boss.frame("question")
        other = await desk.person("bob", "local:2")
        await other.say("keep busy")
        await gate.reached.wait()
        await boss.press(question, "approve")
        await ann.frame("decided")
        await desk.kill()
        await asyncio.sleep(1)
        if withdrawn:
            access = desk.settings.access.model_copy(update={"approvers": ("chief",)})
            desk.settings = desk.settings.model_copy(update={"access": access})
        gate.open()
        await desk.start()
        ann = await desk.person("ann")
        await asyncio.sleep(5)
        assert bool(ran) == (not withdrawn)
        (result,) = await results(ann)
        assert ("may not run here" in result) == withdrawn


def _busy(request: object) -> bool:
    return "keep busy" in str(request)
