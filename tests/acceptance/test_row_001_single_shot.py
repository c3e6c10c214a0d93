"""Row 1: a cancellation signal is single-shot and belongs to one run."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, InterruptReason, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.log import bodies
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime


async def test_a_stopped_runs_reason_never_reaches_the_next_run(tmp_path: Path):
    reasons: list[InterruptReason | None] = []

    @tool(behavior="COOPERATIVE")
    async def work(context: ToolContext) -> str:
        """Works for three seconds, or until stopped."""
        try:
            async with asyncio.timeout(3):
                await context.signal.wait()
        except TimeoutError:
            reasons.append(context.signal.reason)
            return "worked"
        reasons.append(context.signal.reason)
        context.signal.checkpoint()
        return "not reached"

    model = Script([call("work")], [call("work")], ["done"])
    async with Desk(tmp_path, Agent("tester", model, "", [work])) as desk:
        ann = await desk.person("ann")
        first = await ann.say("A")
        await ann.frame("call", state="started")
        await ann.stop()
        assert await ann.outcome(first, within=1) == ("interrupted", "USER_SIGINT")
        second = await ann.say("B")
        assert await ann.outcome(second, within=5) == ("answered", "")
        assert reasons == [InterruptReason.USER_SIGINT, None]
        assert ann.texts() == ["done"]

        log = await ann.export()
        run_of = {row["text"]: row["run"] for row in log["inputs"]}
        assert run_of["A"] != run_of["B"]
        of_b = [entry for entry in log["entries"] if entry["run"] == run_of["B"]]
        assert "USER_SIGINT" not in str(of_b)
        assert bodies(log, "tool_result", run_of["B"])[0]["content"] == "worked"
        reported = [d for d in ann.find("run") if d["run"] == run_of["B"]]
        assert {d["reason"] for d in reported} == {None}
        assert all("USER_SIGINT" not in str(request.messages[-1]) for request in model.requests[2:])
