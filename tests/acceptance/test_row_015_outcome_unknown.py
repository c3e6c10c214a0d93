"""Row 15: a call that was running gets no result in the log; what the model reads is repaired."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, repair_unanswered_tool_calls, tool
from tests.acceptance.desk import Desk
from tests.acceptance.log import bodies
from tests.acceptance.scripted import Script, call, messages

pytestmark = pytest.mark.looptime
UNKNOWN = "The run stopped before this tool call returned: outcome unknown, verify before retrying"


@pytest.mark.parametrize("killed", ["in the call", "while stopping"])
async def test_a_process_that_is_gone_in_a_call(tmp_path: Path, killed: str):
    ran: list[str] = []

    @tool
    async def pay(amount: int) -> str:
        """Pays; takes a minute."""
        ran.append(f"pay {amount}")
        await asyncio.sleep(60)
        return "paid"

    model = Script([call("pay", amount=5)], ["I don't know whether it was paid."])
    async with Desk(tmp_path, Agent("tester", model, "", [pay])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("pay 5")
        await ann.frame("call", state="started")
        await asyncio.sleep(1)
        if killed == "while stopping":
            await ann.stop()
            await ann.frame("run", within=0.3, state="stopping")
        await desk.kill()
        await desk.start()
        ann = await desk.person("ann")
        if killed == "while stopping":
            assert await ann.outcome(said, within=5) == ("interrupted", "USER_SIGINT")
            await ann.outcome(await ann.say("was it paid?"), within=5)
        else:
            assert await ann.outcome(said, within=5) == ("answered", "")
        assert ("result", UNKNOWN) in messages(model.requests[1])
        (result,) = [m for m in model.requests[1].messages if "call_id" in dir(m)]
        assert getattr(result, "error", None) == "OUTCOME_UNKNOWN"
        log = await ann.export()
        assert [body["name"] for body in bodies(log, "tool_call")] == ["pay"]
        assert bodies(log, "tool_result") == [] or killed == "in the call"
        assert UNKNOWN not in str(log["entries"])
        assert ran == ["pay 5"]


def test_repair_is_public_and_changes_nothing_that_is_whole():
    assert repair_unanswered_tool_calls([]) == []
