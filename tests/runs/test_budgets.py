"""Budgets stop a run, in the middle of a tool too; a tool's own timeout stops the tool."""

import asyncio
import threading

import pytest

from gateway.core.cancellation import InterruptBehavior, InterruptReason
from gateway.core.errors import RunEnded
from gateway.core.events import CallReturned, End, Ended
from gateway.ports.agent import RunOptions
from gateway.runs import memory
from gateway.runs.budgets import Ceiling, read_checkpoint
from gateway.runs.context import SyncToolContext, ToolContext
from gateway.runs.tools import tool
from tests.fakes.host import RecordingHost
from tests.fakes.model import Call, ScriptedModel, Spent
from tests.runs.building import a_runtime, a_start, an_agent, until

pytestmark = pytest.mark.looptime
OVER = InterruptReason.BUDGET_EXCEEDED


@tool
async def again() -> str:
    """Once more."""
    return "again"


async def test_iterations_fail_the_run_by_default():
    host, model = RecordingHost(), ScriptedModel(last=[Call("again")])
    handle = an_agent(model, again, max_iterations=3).start(a_start(), host)
    handle.follow_up("and then")
    result = await handle.result
    assert (result.end, result.error, result.reason) == (End.FAILED, "BUDGET_EXCEEDED", OVER)
    assert (model.calls, handle.queued) == (3, ["and then"])
    assert result.error_id


async def test_iterations_can_stop_the_run_and_give_back_what_waited():
    host, model = RecordingHost(), ScriptedModel(last=[Call("again")])
    agent = an_agent(model, again, max_iterations=25, on_iteration_limit="stop")
    handle = agent.start(a_start(options=RunOptions(max_iterations=2)), host)
    handle.follow_up("and then")
    result = await handle.result
    assert (result.end, result.reason) == (End.INTERRUPTED, OVER)
    assert (result.undelivered, model.calls) == (("and then",), 2)
    assert host.of(Ended)[0].undelivered == ("and then",)
    assert not handle.follow_up("too late")


@pytest.mark.parametrize(
    ("limits", "calls"), [({"max_tokens": 100}, 2), ({"max_cost_usd": 0.05}, 1)]
)
async def test_tokens_and_cost_stop_the_run_before_the_next_model_call(limits, calls):
    host, model = RecordingHost(), ScriptedModel(last=[Spent(50, 0.05), Call("again")])
    result = await an_agent(model, again, **limits).start(a_start(), host).result
    assert (result.end, result.reason, model.calls) == (End.INTERRUPTED, OVER, calls)


async def test_the_runs_time_stops_it_in_the_middle_of_a_tool():
    @tool(behavior=InterruptBehavior.COOPERATIVE)
    async def sleeps(context: ToolContext) -> str:
        """Sleeps past the deadline."""
        return f"woken: {await context.signal.wait()}"

    model = ScriptedModel([Call("sleeps")])
    result = await memory.run(an_agent(model, sleeps, timeout_seconds=5), "go")
    assert (result.end, result.reason) == (End.INTERRUPTED, OVER)
    assert asyncio.get_running_loop().time() == pytest.approx(5)


async def timed_out(host_tool, **about):
    host, model = RecordingHost(), ScriptedModel([Call(host_tool.name)], ["I see"])
    agent = an_agent(model, host_tool, **about)
    result = await agent.start(a_start(), host).result
    assert result.end is End.COMPLETED
    return host.of(CallReturned)[0].result


async def test_a_tool_out_of_time_is_an_error_that_says_whether_it_still_runs():
    @tool(timeout_seconds=2)
    async def slow() -> str:
        """Takes long."""
        await asyncio.sleep(60)
        return "late"

    @tool(timeout_seconds=2, behavior=InterruptBehavior.THREAD_INTERRUPT)
    async def slow_but_cancellable() -> str:
        """Takes long."""
        await asyncio.sleep(60)
        return "late"

    result = await timed_out(slow)
    assert (result.error, result.content) == (
        "TOOL_TIMED_OUT",
        "slow did not return within 2 s; it may still be running",
    )
    result = await timed_out(slow_but_cancellable)
    assert (result.error, result.content) == (
        "TOOL_TIMED_OUT",
        "slow_but_cancellable did not return within 2 s",
    )


async def test_a_call_that_was_given_up_can_do_nothing_more():
    refused = asyncio.Event()

    @tool(timeout_seconds=1)
    async def slow(context: ToolContext) -> str:
        """Takes long."""
        await asyncio.sleep(5)
        for late in (context.progress("x"), context.once("k", int), context.interrupt(message="?")):
            with pytest.raises(Exception, match="given up"):
                await late
        refused.set()
        return "late"

    assert (await timed_out(slow)).error == "TOOL_TIMED_OUT"
    await refused.wait()


async def test_a_call_out_of_time_can_do_nothing_while_it_unwinds():
    refused = []

    @tool(timeout_seconds=1, behavior=InterruptBehavior.THREAD_INTERRUPT)
    async def slow(context: ToolContext) -> None:
        """Takes long, and reports when it is cancelled."""
        try:
            await asyncio.sleep(60)
        finally:
            try:
                await context.progress("still here")
            except RunEnded:
                refused.append(1)

    assert (await timed_out(slow)).error == "TOOL_TIMED_OUT"
    assert refused == [1]


async def test_a_sync_loop_out_of_time_is_interrupted_and_a_process_terminated():
    terminated = threading.Event()

    @tool(timeout_seconds=0.1, behavior=InterruptBehavior.THREAD_INTERRUPT)
    def spins() -> None:
        """Never ends by itself."""
        while True:
            pass

    @tool(timeout_seconds=0.1, behavior=InterruptBehavior.EXTERNALLY_TERMINATED)
    def waits(context: SyncToolContext) -> None:
        """Waits for its terminator."""
        assert context.registrar is not None
        context.registrar.register(terminated.set)
        terminated.wait(20)

    runtime = a_runtime()
    assert (await timed_out(spins, runtime=runtime)).content == "spins did not return within 0.1 s"
    assert (await timed_out(waits, runtime=runtime)).content == "waits did not return within 0.1 s"
    await until(lambda: runtime.threads.abandoned == 0)


@pytest.mark.parametrize(
    "behavior", [b for b in InterruptBehavior if b.name != "NON_INTERRUPTIBLE"]
)
async def test_what_a_child_run_pays_stops_the_run_in_the_middle_of_the_tool(behavior):
    child_model = ScriptedModel(last=[Spent(10, 0.02), Call("again")])
    child = an_agent(child_model, again, name="child")

    @tool(behavior=behavior)
    async def delegate(context: ToolContext) -> str:
        """Hands over."""
        return (await context.run_child(child, "do it")).text

    model = ScriptedModel([Spent(10, 0.01), Call("delegate")])
    agent = an_agent(model, delegate, max_cost_usd=0.10)
    host = memory.start(agent, "go")
    result = await host.handle.result
    assert (result.end, result.reason) == (End.INTERRUPTED, OVER)
    assert child_model.calls == 5
    used = read_checkpoint(host.record.checkpoint).used
    assert (round(used.cost_usd, 6), used.tokens) == (0.11, 60)


async def test_what_is_paid_is_told_to_the_host():
    host, model = RecordingHost(), ScriptedModel([Spent(50, 0.05), "ok"])
    await an_agent(model).start(a_start(), host).result
    assert host.spendings == [(50, 0.05, False)]


async def test_no_option_goes_over_the_operators_ceiling():
    runtime = a_runtime(ceiling=Ceiling(max_cost_usd=0.08))
    model = ScriptedModel(last=[Spent(50, 0.05), Call("again")])
    agent = an_agent(model, again, runtime=runtime, max_cost_usd=5.0)
    start = a_start(options=RunOptions(max_cost_usd=100.0))
    result = await agent.start(start, RecordingHost()).result
    assert (result.end, result.reason, model.calls) == (End.INTERRUPTED, OVER, 2)
