"""Row 11: a swallowed cancel never grants permission."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, tool
from tests.acceptance.desk import Desk
from tests.acceptance.faults import HoldingStore
from tests.acceptance.log import results
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime


async def test_a_stop_while_leave_to_run_is_being_stored(tmp_path: Path):
    ran: list[str] = []
    store = HoldingStore()

    @tool
    async def wipe() -> str:
        """Must not run."""
        ran.append("wipe")
        return "wiped"

    model = Script(["Let me ", 0.2, call("wipe")], ["not reached"])
    async with Desk(tmp_path, Agent("tester", model, "", [wipe]), wrap=store) as desk:
        ann = await desk.person("ann")
        said = await ann.say("wipe it")
        await ann.shows("Let me")
        store.hold()
        await asyncio.sleep(1)
        assert model.streams[0].finished
        await ann.stop()
        store.release()
        assert await ann.outcome(said, within=2) == ("interrupted", "USER_SIGINT")
        await asyncio.sleep(5)
        assert ran == []
        assert results(await ann.export())["wipe"][1] == "ABORTED_BEFORE_DISPATCH"
        assert len(model.requests) == 1


@pytest.mark.parametrize("how", ["button", "/stop", "cancel", "now"])
async def test_a_stop_while_the_approval_is_asked(tmp_path: Path, how: str):
    ran: list[str] = []

    @tool(approval=True)
    async def wipe() -> str:
        """Must not run."""
        ran.append("wipe")
        return "wiped"

    model = Script([call("wipe")], ["next"])
    async with Desk(tmp_path, Agent("tester", model, "", [wipe])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("wipe it")
        question = await ann.frame("question", within=1)
        if how == "button":
            await ann.stop()
        elif how == "now":
            await ann.say("forget it, what time is it?", override="now")
        else:
            await ann.say(how)
        reason = "NOW_PRIORITY_INPUT" if how == "now" else "USER_SIGINT"
        assert await ann.outcome(said, within=1) == ("interrupted", reason)
        late = await ann.press(question, "approve")
        if not late["code"]:
            assert (await ann.outcome(late))[0] == "refused"
        await ann.say("yes")
        await asyncio.sleep(5)
        assert ran == []
        log = await ann.export()
        assert results(log)["wipe"][1] is not None
        assert question["data"]["question"]["id"] not in str(
            [e for e in log["entries"] if e["kind"] == "approval" and e["body"]["approved"]]
        )


async def test_a_check_that_fails_is_no_permission(tmp_path: Path):
    ran: list[str] = []

    def needs(path: str) -> bool:
        raise asyncio.CancelledError if path == "/" else RuntimeError

    @tool(approval=needs)
    async def wipe(path: str) -> str:
        """Must not run."""
        ran.append(path)
        return "wiped"

    model = Script([call("wipe", path="/tmp")], ["gave up"])
    async with Desk(tmp_path, Agent("tester", model, "", [wipe])) as desk:
        ann = await desk.person("ann")
        assert await ann.outcome(await ann.say("wipe it")) == ("answered", "")
        assert ran == []
        assert results(await ann.export())["wipe"][1] == "TOOL_RAISED"
