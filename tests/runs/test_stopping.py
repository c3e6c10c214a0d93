"""A stopped run: the four behaviours, the gates, the grace, what is left behind (rows 1–20)."""

import asyncio
import os
import subprocess
import sys
import threading
from functools import partial

import pytest

from gateway.core.cancellation import InterruptBehavior, InterruptReason
from gateway.core.errors import RunEnded
from gateway.core.events import CallReturned, CallStarted, End, Ended
from gateway.core.log import Kind
from gateway.core.messages import AssistantMessage, ToolResult, UserMessage
from gateway.ports.agent import Joined, RunOptions
from gateway.runs import memory
from gateway.runs.context import SyncToolContext, ToolContext
from gateway.runs.tools import tool
from gateway.supervise import DaemonExecutor, in_thread
from tests.fakes.host import RecordingHost
from tests.fakes.model import Call, Gate, ScriptedModel, Wait
from tests.runs.building import a_runtime, a_start, an_agent, until

pytestmark = pytest.mark.looptime
STOP = InterruptReason.USER_SIGINT
NOW = InterruptReason.NOW_PRIORITY_INPUT
COOPERATIVE = InterruptBehavior.COOPERATIVE
THREAD = InterruptBehavior.THREAD_INTERRUPT
EXTERNAL = InterruptBehavior.EXTERNALLY_TERMINATED


def at(seconds: float, call, *args) -> None:
    asyncio.get_running_loop().call_later(seconds, call, *args)


def now() -> float:
    return asyncio.get_running_loop().time()


async def stopped(*tools, reason=STOP, after=0.05, script=None, **about):
    """Run one call of each tool in one step, stop the run; its host in memory and its model."""
    model = ScriptedModel(script or [Call(each.name) for each in tools], ["never said"])
    host = memory.start(an_agent(model, *tools), "go", **about)
    at(after, host.handle.stop, reason)
    result = await host.handle.result
    assert result.end is End.INTERRUPTED
    assert result.reason is reason
    assert model.calls == 1, "no model call after a stop"
    return host, model


def results(host) -> list[tuple[str, str | None]]:
    """Name and error of each result that the log holds."""
    return [
        (entry.body["name"], entry.body["error"])
        for entry in host.record.entries
        if entry.kind is Kind.TOOL_RESULT
    ]


@tool
async def undeclared() -> str:
    """Takes 300 ms."""
    await asyncio.sleep(0.3)
    return "finished"


async def test_an_undeclared_tool_finishes_and_its_result_is_kept():
    host, _ = await stopped(undeclared)
    assert results(host) == [("undeclared", None)]
    assert now() == pytest.approx(0.3)


@tool(behavior=COOPERATIVE)
async def cooperative(context: ToolContext) -> str:
    """Polls."""
    for _ in range(30):
        context.signal.checkpoint()
        await asyncio.sleep(0.01)
    return "finished"


async def test_a_cooperative_tool_returns_an_error_that_names_the_reason():
    host, _ = await stopped(cooperative)
    (entry,) = [e for e in host.record.entries if e.kind is Kind.TOOL_RESULT]
    assert (entry.body["error"], entry.body["content"]) == (
        "TOOL_INTERRUPTED",
        "Interrupted: USER_SIGINT",
    )
    assert now() == pytest.approx(0.05, abs=0.011)


@tool(behavior=COOPERATIVE)
async def waiting(context: ToolContext) -> str:
    """Waits for the stop."""
    return f"left because of {await context.signal.wait()}"


async def test_an_async_tool_can_wait_for_the_stop():
    host, _ = await stopped(waiting)
    assert results(host) == [("waiting", None)]
    assert now() == pytest.approx(0.05)


async def test_an_async_thread_interrupt_tool_is_cancelled():
    ends = []

    @tool(behavior=THREAD)
    async def cancelled() -> str:
        """Takes 300 ms."""
        try:
            await asyncio.sleep(0.3)
        finally:
            ends.append(now())
        return "finished"

    host, _ = await stopped(cancelled)
    assert ends == [pytest.approx(0.05)]
    assert results(host) == [("cancelled", "TOOL_INTERRUPTED")]


async def test_a_sync_loop_gets_the_exception_at_its_next_bytecode():
    running, ended = threading.Event(), []

    @tool(behavior=THREAD)
    def spins() -> str:
        """Never ends by itself."""
        running.set()
        try:
            while True:
                pass
        finally:
            ended.append(threading.current_thread().name)

    model = ScriptedModel([Call("spins")])
    agent = an_agent(model, spins)
    host = memory.start(agent, "go")
    await in_thread(DaemonExecutor("waits"), running.wait, 5)
    host.handle.stop(STOP)
    result = await host.handle.result
    assert (result.end, result.abandoned) == (End.INTERRUPTED, False)
    assert ended == ["tool-spins"]
    assert results(host) == [("spins", "TOOL_INTERRUPTED")]
    assert agent.runtime.threads.abandoned == 0


@tool(behavior=EXTERNAL)
def child_process(context: SyncToolContext) -> int:
    """Runs a child that sleeps."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    registrar = context.registrar
    assert registrar is not None
    registrar.register(child.kill)
    context.progress(str(child.pid))
    code = child.wait()
    registrar.unregister(child.kill)
    return code


async def test_an_externally_terminated_tools_process_is_gone():
    pids: list[int] = []
    got = asyncio.Event()

    def progress(call_id: str, text: str, fraction: float | None) -> None:
        pids.append(int(text))
        got.set()

    model = ScriptedModel([Call("child_process")])
    host = memory.start(an_agent(model, child_process), "go", on_progress=progress)
    await got.wait()
    host.handle.stop(STOP)
    result = await host.handle.result
    assert (result.end, result.abandoned) == (End.INTERRUPTED, False)
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)
    assert results(host) == [("child_process", None)]


async def test_a_tool_that_ignores_the_stop_is_left_after_the_grace():
    late = asyncio.Event()

    @tool
    async def ignores(context: ToolContext) -> str:
        """Takes 10 s."""
        await asyncio.sleep(10)
        try:
            await context.progress("still here")
        finally:
            late.set()
        return "late"

    model = ScriptedModel([Call("ignores")])
    host = memory.start(an_agent(model, ignores), "go")
    at(0.05, host.handle.stop, STOP)
    result = await host.handle.result
    assert (result.end, result.reason, result.abandoned) == (End.INTERRUPTED, STOP, True)
    assert now() == pytest.approx(0.55)
    before = list(host.record.entries)
    await late.wait()
    await asyncio.sleep(0)
    assert host.record.entries == before
    assert host.record.messages()[-1] == ToolResult(
        "call_1",
        "ignores",
        "The run stopped before this tool call returned: outcome unknown, verify before retrying",
        "OUTCOME_UNKNOWN",
    )


async def test_a_now_waits_for_a_call_that_nobody_may_cut():
    @tool
    async def slow() -> str:
        """Takes 2 s."""
        await asyncio.sleep(2)
        return "ticket 4711"

    host, _ = await stopped(slow, reason=NOW)
    assert now() == pytest.approx(2)
    assert results(host) == [("slow", None)]


async def test_a_later_reason_shortens_the_grace_and_the_first_one_stays():
    @tool
    async def slow() -> None:
        """Takes 20 s."""
        await asyncio.sleep(20)

    model = ScriptedModel([Call("slow")])
    host = memory.start(an_agent(model, slow), "go")
    at(1, host.stop, NOW)
    at(2, host.stop, STOP)
    at(2.1, host.stop, InterruptReason.SYSTEM_SHUTDOWN)
    result = await host.handle.result
    assert result.reason is NOW
    assert now() == pytest.approx(2.5)


async def test_the_rest_of_a_batch_is_aborted_and_what_finished_is_kept():
    ran: list[str] = []

    @tool
    async def work(name: str) -> str:
        """Takes 100 ms."""
        ran.append(name)
        await asyncio.sleep(0.1)
        return f"{name} done"

    script = ["On it", *(Call("work", {"name": name}) for name in "abc")]
    host, _ = await stopped(work, script=script, after=0.15)
    assert ran == ["a", "b"]
    assert results(host) == [
        ("work", None),
        ("work", None),
        ("work", "ABORTED_BEFORE_DISPATCH"),
    ]
    said, *rest = host.record.messages()[1:]
    assert isinstance(said, AssistantMessage)
    assert [call.arguments["name"] for call in said.calls] == ["a", "b", "c"]
    assert len(rest) == 3


async def test_a_run_stopped_during_its_set_up_makes_no_model_call():
    held = asyncio.Event()

    async def check(text: str) -> None:
        await held.wait()

    model = ScriptedModel(["never said"])
    host = memory.start(an_agent(model, before_run=[check]), "go")
    await asyncio.sleep(0.1)
    host.handle.stop(STOP)
    held.set()
    result = await host.handle.result
    assert (result.end, model.calls) == (End.INTERRUPTED, 0)
    assert [entry.kind for entry in host.record.entries] == [Kind.USER]


async def test_a_stop_before_the_first_step_of_the_task_makes_no_model_call():
    model, recording = ScriptedModel(["never said"]), RecordingHost()
    handle = an_agent(model).start(a_start(), recording)
    handle.stop(STOP)
    assert (await handle.result).end is End.INTERRUPTED
    assert (model.calls, recording.names) == (0, ["Ended"])


async def test_the_models_stream_closes_at_once_and_the_shown_text_is_kept_with_its_mark():
    model = ScriptedModel(["One ", "two ", "three", Wait(60), " four"])
    host = memory.start(an_agent(model), "count")
    at(1, host.handle.stop, STOP)
    result = await host.handle.result
    assert model.closed_at == [pytest.approx(1)]
    assert (result.end, result.text) == (End.INTERRUPTED, "One two three")
    assert host.record.messages()[-1] == AssistantMessage(
        "One two three", interrupted=True, reason="USER_SIGINT"
    )


async def test_nothing_shown_nothing_saved():
    gate = Gate()
    model = ScriptedModel([gate, "One"])
    host = memory.start(an_agent(model), "count")
    await gate.reached.wait()
    host.handle.stop(STOP)
    await host.handle.result
    assert [entry.kind for entry in host.record.entries] == [Kind.USER]


async def test_fifty_steps_leave_one_listener_for_the_model():
    counts: set[int] = set()

    @tool(behavior=THREAD)
    async def quick(context: ToolContext) -> None:
        """Counts."""
        counts.add(context.signal.listeners)  # type: ignore[attr-defined]

    script = [[Call("quick")] for _ in range(50)]
    model = ScriptedModel(*script, ["done"])
    recording = RecordingHost()
    options = RunOptions(max_iterations=100)
    handle = an_agent(model, quick).start(a_start(options=options), recording)
    await handle.result
    assert counts == {2}, "the model's lever and the call's own"
    assert handle.signal.listeners == 0


async def test_a_swallowed_cancel_grants_no_permission():
    ran = []

    @tool
    async def guarded_tool() -> None:
        """Must not run."""
        ran.append(1)

    recording = RecordingHost()
    recording.leave_gate = asyncio.Event()
    model = ScriptedModel([Call("guarded_tool")])
    handle = an_agent(model, guarded_tool).start(a_start(), recording)
    await recording.leave_waits.wait()
    handle.stop(STOP)
    recording.leave_gate.set()
    result = await handle.result
    assert (result.end, ran) == (End.INTERRUPTED, [])
    assert recording.of(CallStarted) == []


async def test_a_call_whose_start_was_stored_but_was_stopped_before_it_ran_never_runs():
    ran = []

    @tool(parallel_safe=True)
    async def late() -> None:
        """Must not run."""
        ran.append(1)

    @tool(parallel_safe=True)
    def late_too() -> None:
        """Must not run."""
        ran.append(2)

    class StopsOnStart(RecordingHost):
        async def emit(self, event):
            await super().emit(event)
            if isinstance(event, CallStarted):
                await asyncio.sleep(0.1)
                handle.stop(STOP)

    recording = StopsOnStart()
    model = ScriptedModel([Call("late"), Call("late_too")])
    agent = an_agent(model, late, late_too, parallel_tool_calls=True)
    handle = agent.start(a_start(), recording)
    await handle.result
    assert ran == []
    assert [event.result.error for event in recording.of(CallReturned)] == [
        "ABORTED_BEFORE_DISPATCH",
        "ABORTED_BEFORE_DISPATCH",
    ]


async def test_nothing_is_asked_of_the_host_for_calls_after_the_stop():
    class StopsOnLeave(RecordingHost):
        async def may_run(self, facts):
            handle.stop(STOP)
            return await super().may_run(facts)

    @tool(parallel_safe=True)
    async def late() -> None:
        """Must not run."""

    recording = StopsOnLeave()
    model = ScriptedModel([Call("late"), Call("late")])
    agent = an_agent(model, late, parallel_tool_calls=True)
    handle = agent.start(a_start(), recording)
    await handle.result
    assert len(recording.asked_leave) == 1
    assert recording.names == ["Began", "Ended"]


async def test_a_stop_while_inputs_are_taken_makes_no_model_call():
    class StopsOnTake(RecordingHost):
        async def take(self, check, *, ending=False):
            handle.stop(STOP)
            return await super().take(check, ending=ending)

    recording, model = StopsOnTake(), ScriptedModel(["never"])
    handle = an_agent(model).start(a_start(), recording)
    await handle.result
    assert (model.calls, recording.of(Ended)[0].step) == (0, 0)


async def test_nothing_is_shown_after_the_stop_though_the_stream_holds_more():
    class StopsOnShow(RecordingHost):
        def say(self, step, more):
            super().say(step, more)
            handle.stop(STOP)

    recording = StopsOnShow()
    handle = an_agent(ScriptedModel(["One ", "two ", "three"])).start(a_start(), recording)
    await handle.result
    assert recording.shown == [(1, "One ")]


async def test_a_call_that_was_abandoned_reaches_its_host_no_more():
    refused: list[str] = []
    running, ended = asyncio.Event(), asyncio.Event()

    @tool
    async def ignores(context: ToolContext) -> str:
        """Takes 10 s."""
        running.set()
        await asyncio.sleep(10)
        for late in (context.progress("x"), context.once("k", int), context.run_child(None, "x")):
            try:
                await late
            except RunEnded as error:
                refused.append(error.code)
        ended.set()
        return "late"

    recording = RecordingHost()
    handle = an_agent(ScriptedModel([Call("ignores")]), ignores).start(a_start(), recording)
    await running.wait()
    handle.stop(STOP)
    handle.abandon()
    assert (await handle.result).abandoned
    await ended.wait()
    assert refused == ["RUN_ENDED"] * 3
    assert recording.progressed == []
    assert recording.names == ["Began", "CallStarted"]


async def test_a_call_cancelled_before_its_first_step_never_started():
    class StopsAtOnce(RecordingHost):
        async def emit(self, event):
            await super().emit(event)
            if isinstance(event, CallStarted):
                asyncio.get_running_loop().call_soon(handle.stop, STOP)

    ran = []

    @tool(behavior=THREAD)
    async def late() -> None:
        """Must not run."""
        ran.append(1)

    recording = StopsAtOnce()
    handle = an_agent(ScriptedModel([Call("late")]), late).start(a_start(), recording)
    await handle.result
    assert ran == []
    assert recording.of(CallReturned)[0].result.error == "ABORTED_BEFORE_DISPATCH"


async def test_a_reply_that_was_whole_when_the_stop_came_is_completed():
    class StopsOnLastWord(RecordingHost):
        def say(self, step, more):
            handle.follow_up("and then")
            handle.stop(STOP)

    recording = StopsOnLastWord()
    handle = an_agent(ScriptedModel(["All said"])).start(a_start(), recording)
    result = await handle.result
    assert (result.end, result.text) == (End.COMPLETED, "All said")
    assert (result.undelivered, handle.queued) == (("and then",), [])


async def test_a_stopped_run_takes_no_input_any_more():
    recording = RecordingHost()
    recording.joins = [[], [Joined(UserMessage("stays in the inbox"), "steer")]]
    model = ScriptedModel([Call("undeclared")])
    handle = an_agent(model, undeclared).start(a_start(), recording)
    at(0.1, handle.stop, STOP)
    await handle.result
    assert recording.of(CallReturned)[0].result.content == "finished"
    assert len(recording.joins) == 1


async def test_a_callback_that_blocks_or_raises_holds_up_nobodys_ending():
    held = threading.Event()

    def broken() -> None:
        raise LookupError("mine")

    ran: list[int] = []

    @tool(behavior=COOPERATIVE)
    async def registers(context: ToolContext) -> None:
        """Registers two listeners."""
        context.signal.on_cancel(broken)
        context.signal.on_cancel(lambda: ran.append(2))
        context.signal.on_cancel(lambda: held.wait(5))
        await context.signal.wait()

    model = ScriptedModel([Call("registers")])
    recording = RecordingHost()
    handle = an_agent(model, registers).start(a_start(), recording)
    at(0.05, handle.stop, STOP)
    result = await handle.result
    assert (result.end, held.is_set()) == (End.INTERRUPTED, False)
    assert recording.of(Ended)[0].reason is STOP
    held.set()
    await until(lambda: ran == [2])


async def test_a_stop_after_the_models_last_word_leaves_the_run_completed():
    class StopsAtTheEnd(RecordingHost):
        async def take(self, check, *, ending=False):
            return ()

    recording = StopsAtTheEnd()
    handle = an_agent(ScriptedModel(["All said"])).start(a_start(), recording)
    result = await handle.result
    handle.stop(STOP)
    assert (result.end, result.text) == (End.COMPLETED, "All said")


async def test_abandoned_threads_are_counted_and_capped():
    held = threading.Event()
    begun: list[int] = []

    @tool
    def stuck() -> None:
        """Stuck until the test lets go."""
        begun.append(len(begun))
        held.wait(20)

    runtime = a_runtime()
    for number in range(16):
        recording = RecordingHost()
        agent = an_agent(ScriptedModel([Call("stuck")]), stuck, runtime=runtime)
        handle = agent.start(a_start(), recording)
        await until(partial(begun.__contains__, number))
        handle.stop(STOP)
        handle.abandon()
        assert (await handle.result).abandoned
    assert runtime.threads.abandoned == 16
    recording = RecordingHost()
    model = ScriptedModel([Call("stuck")], ["I see"])
    await an_agent(model, stuck, runtime=runtime).start(a_start(), recording).result
    assert recording.of(CallReturned)[0].result.error == "TOOL_THREADS_EXHAUSTED"
    held.set()
    await until(lambda: runtime.threads.abandoned == 0)


async def test_a_late_exception_never_reaches_another_call():
    """Stops at the very end of a short sync call, many times: nothing escapes into a later one."""
    seen: list[str] = []

    @tool(behavior=THREAD)
    def short() -> str:
        """Ends at once."""
        return "short"

    @tool(behavior=THREAD)
    def after() -> str:
        """Must be left alone."""
        total = 0
        for number in range(1000):
            total += number
        seen.append("after")
        return str(total)

    runtime = a_runtime()
    for _ in range(100):
        first, second = RecordingHost(), RecordingHost()
        agent = an_agent(ScriptedModel([Call("short")], last=["ok"]), short, runtime=runtime)
        handle = agent.start(a_start(), first)
        other = an_agent(ScriptedModel([Call("after")], ["ok"]), after, runtime=runtime)
        following = other.start(a_start(run="run-2"), second)
        await first.until(CallStarted)
        handle.stop(STOP)
        await handle.result
        assert (await following.result).end is End.COMPLETED
        assert second.of(CallReturned)[0].result.error is None
    assert len(seen) == 100
