"""Row 104: a run without a thread is recorded cancelled; a thread that goes ends its run."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent, InterruptReason, ToolContext, tool
from tests.acceptance.desk import Desk
from tests.acceptance.library import program, soon
from tests.acceptance.scripted import Script, call

pytestmark = pytest.mark.looptime


def worker(reasons: list[InterruptReason | None]):
    @tool(behavior="COOPERATIVE")
    async def work(context: ToolContext) -> str:
        """Works until stopped."""
        await context.signal.wait()
        reasons.append(context.signal.reason)
        context.signal.checkpoint()
        return "not reached"

    return work


async def test_deleting_a_thread_ends_its_run(tmp_path: Path):
    reasons: list[InterruptReason | None] = []
    model = Script([call("work")], ["again"])
    async with Desk(tmp_path, Agent("tester", model, "", [worker(reasons)])) as desk:
        ann, bob = await desk.person("ann"), await desk.person("bob", thread="local:bob")
        await ann.say("go")
        await ann.frame("call", state="started")
        assert await bob.call("threads.delete", thread="local:bob") == {"deleted": "local:bob"}
        await asyncio.sleep(1)
        assert reasons == []
        await ann.call("threads.delete", thread="local:1")
        assert reasons == [InterruptReason.SESSION_RELEASED]
        bye = await ann.frame("bye", within=1)
        assert bye["data"]["reason"] == "deleted"
        metrics = await desk.metrics()
        assert 'bargein_runs_total{end="interrupted",reason="SESSION_RELEASED"} 1.0' in metrics
        again = await desk.person("ann")
        assert again.frames[0]["data"]["snapshot"]["entries"] == []
        assert await again.outcome(await again.say("hello")) == ("answered", "")


async def test_a_fresh_start_ends_the_run(tmp_path: Path):
    reasons: list[InterruptReason | None] = []
    model = Script([call("work")], ["again"])
    async with Desk(tmp_path, Agent("tester", model, "", [worker(reasons)])) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        await ann.frame("call", state="started")
        await ann.say("/new")
        assert await ann.outcome(said, within=1) == ("interrupted", "SESSION_RELEASED")
        assert reasons == [InterruptReason.SESSION_RELEASED]
        assert await ann.outcome(await ann.say("hello")) == ("answered", "")
        assert len(model.requests[1].messages) == 1


@pytest.mark.parametrize("how", ["stop", "abort"])
async def test_a_run_without_a_thread_is_recorded_cancelled_not_failed(tmp_path: Path, how: str):
    reasons: list[InterruptReason | None] = []
    agent = Agent("tester", Script([call("work")], ["never"]), "", [worker(reasons)])
    async with program(tmp_path, agent) as gateway:
        handle = await gateway.start("go")
        await asyncio.sleep(0.5)
        await soon(getattr(handle, how)())
        result = await soon(handle.result())
        assert (result.status, result.reason) == ("cancelled", "TASK_CANCELLED")
        assert (result.error, result.error_id, result.thread) == (None, None, "")
        assert reasons == [InterruptReason.TASK_CANCELLED]


async def test_the_control_with_a_thread_it_is_the_persons_stop(tmp_path: Path):
    reasons: list[InterruptReason | None] = []
    agent = Agent("tester", Script([call("work")], ["never"]), "", [worker(reasons)])
    async with program(tmp_path, agent) as gateway:
        handle = await gateway.start("go", thread="t1")
        await asyncio.sleep(0.5)
        await soon(handle.stop())
        result = await soon(handle.result())
        assert (result.status, result.reason) == ("interrupted", "USER_SIGINT")
        assert reasons == [InterruptReason.USER_SIGINT]
