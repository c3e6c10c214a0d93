"""Row 55: approvals and plans are questions: shown, denied with a reason, edited, remembered."""

from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.asking import asked, results
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime


def deploying(ran: list[Any], *, destructive: bool = False) -> Agent:
    @tool(approval=True, destructive=destructive)
    async def deploy(service: str, context: ToolContext) -> str:
        """Deploys."""
        ran.append(service)
        return f"deployed {service}"

    step = [call("deploy", service="api")]
    again = [call("deploy", service="api")]
    return Agent("tester", Script(step, ["fine"], again, ["fine"]), tools=[deploy])


async def test_an_approval_shows_its_call_and_why_it_is_asked(tmp_path: Path):
    ran: list[Any] = []
    async with Desk(tmp_path, deploying(ran)) as desk:
        ann = await desk.person("ann")
        shown = (await asked(ann))["data"]["question"]
        assert (shown["kind"], shown["reason"]) == ("approval", "tool_call")
        assert shown["details"] == {
            "reason": "deploy needs an approval each time it runs",
            "rule": None,
            "suggestedRule": "deploy",
            "arguments": {"service": "api"},
        }
        await ann.say("yes")
        await ann.ended()
        assert ran == ["api"]
        log = await ann.export()
        (entry,) = [e["body"] for e in log["entries"] if e["kind"] == "approval"]
        assert (entry["interruptId"], entry["approved"], entry["by"]) == (shown["id"], True, "ann")


@pytest.mark.parametrize("how", ["text", "button", "response"])
async def test_a_denial(tmp_path: Path, how: str):
    ran: list[Any] = []
    async with Desk(tmp_path, deploying(ran)) as desk:
        ann = await desk.person("ann")
        question = await asked(ann)
        if how == "text":
            await ann.say("no")
        elif how == "button":
            await ann.press(question, "deny")
        else:
            await ann.press(question, "value", {"approved": False, "reason": "on Friday never"})
        await ann.ended()
        assert not ran
        (result,) = await results(ann)
        assert result.startswith("Denied")
        assert ("on Friday never" in result) == (how == "response")
        assert (await ann.frame("decided"))["data"]["status"] == "denied"


@pytest.mark.parametrize("destructive", [False, True])
async def test_remember_never_holds_for_what_destroys(tmp_path: Path, destructive: bool):
    ran: list[Any] = []
    async with Desk(tmp_path, deploying(ran, destructive=destructive)) as desk:
        ann = await desk.person("ann")
        question = await asked(ann)
        await ann.press(question, "value", {"approved": True, "remember": True})
        await ann.ended()
        await desk.restart()
        ann = await desk.person("ann")
        await ann.say("again", id_="again")
        if destructive:
            await ann.frame("question")
            assert ran == ["api"]
        else:
            await ann.ended()
            assert ran == ["api", "api"]


async def test_a_denial_that_is_remembered_allows_nothing(tmp_path: Path):
    ran: list[Any] = []
    async with Desk(tmp_path, deploying(ran)) as desk:
        ann = await desk.person("ann")
        question = await asked(ann)
        await ann.press(question, "value", {"approved": False, "remember": True})
        await ann.ended()
        await asked(ann, "again")
        assert not ran


async def test_a_plan_is_shown_and_followed_or_not(tmp_path: Path):
    @tool
    async def migrate(context: ToolContext) -> str:
        """Migrates."""
        verdict = await context.interrupt(
            message="Shall I?", kind="plan", details={"plan": ["stop", "copy", "start"]}
        )
        return f"approved: {verdict['approved']}"

    agent = Agent("tester", Script([call("migrate")], ["ok"]), tools=[migrate])
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        shown = (await asked(ann))["data"]["question"]
        assert (shown["kind"], shown["details"]["plan"]) == ("plan", ["stop", "copy", "start"])
        await ann.say("да")
        await ann.ended()
        assert await results(ann) == ["approved: True"]
