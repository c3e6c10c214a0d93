"""Properties over random stops: each call has exactly one result in every model input (row 16)."""

import asyncio
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.core.cancellation import InterruptBehavior, InterruptReason
from gateway.core.events import End
from gateway.core.messages import AssistantMessage, Message, ToolResult
from gateway.runs import memory
from gateway.runs.context import ToolContext
from gateway.runs.tools import tool
from tests.fakes.model import Call, Part, ScriptedModel, Wait
from tests.runs.building import Reports, a_runtime, an_agent

pytestmark = pytest.mark.looptime
REASONS = [reason for reason in InterruptReason if reason is not InterruptReason.UNKNOWN]


@tool(parallel_safe=True)
async def quick() -> str:
    """At once."""
    return "quick"


@tool(parallel_safe=True)
async def slow() -> str:
    """Runs to its end, longer than some graces."""
    await asyncio.sleep(0.7)
    return "slow"


@tool(behavior=InterruptBehavior.COOPERATIVE, parallel_safe=True)
async def polls(context: ToolContext) -> str:
    """Looks every 40 ms."""
    for _ in range(10):
        context.signal.checkpoint()
        await asyncio.sleep(0.04)
    return "polls"


@tool(behavior=InterruptBehavior.THREAD_INTERRUPT)
async def cancellable() -> str:
    """Can be cancelled."""
    await asyncio.sleep(0.3)
    return "cancellable"


@tool(parallel_safe=True)
async def asks(context: ToolContext) -> str:
    """Asks."""
    await asyncio.sleep(0.05)
    return str(await context.interrupt(message="Sure?"))


@tool(behavior=InterruptBehavior.COOPERATIVE)
async def raises() -> str:
    """Raises."""
    raise LookupError("nothing there")


TOOLS = [quick, slow, polls, cancellable, asks, raises]
parts: st.SearchStrategy[Part] = st.one_of(
    st.sampled_from([*(t.name for t in TOOLS), "unknown"]).map(lambda name: Call(name, id="same")),
    st.sampled_from(["some ", "text "]),
    st.sampled_from([0.02, 0.1]).map(Wait),
)
steps = st.lists(st.lists(parts, max_size=5), max_size=4)


def check_pairs(messages: Sequence[Message]) -> None:
    """Each call has exactly one result, behind its message; no result is without its call."""
    waits: list[str] = []
    seen = Counter[str]()
    for message in messages:
        if isinstance(message, ToolResult):
            assert message.call_id == waits.pop(0)
            continue
        assert waits == []
        if isinstance(message, AssistantMessage):
            waits = [call.id for call in message.calls]
            seen.update(waits)
    assert waits == []
    assert set(seen.values()) <= {1}


@given(
    script=steps,
    stop_after=st.floats(0, 2),
    reason=st.sampled_from(REASONS),
    parallel=st.booleans(),
    answers=st.integers(0, 3),
)
async def test_each_call_has_exactly_one_result_whenever_the_run_is_stopped(
    script, stop_after, reason, parallel, answers
):
    reports = Reports()
    model = ScriptedModel(*script, last=["The ", Wait(0.1), "end."])
    agent = an_agent(model, *TOOLS, runtime=a_runtime(reports), parallel_tool_calls=parallel)
    host = memory.start(agent, "go")
    stopped = asyncio.get_running_loop().call_later(stop_after, host.stop, reason)
    result = await host.handle.result
    while result.end is None and answers:
        answers -= 1
        result = await memory.resume(host, {q.id: "yes" for q in result.questions}).result
    calls = model.calls
    if result.end is None:
        host.stop(reason)
    stopped.cancel()
    for request in model.requests:
        check_pairs(request.messages)
    check_pairs(host.record.messages())
    if result.end is End.INTERRUPTED:
        assert result.reason is reason

    kept = list(host.record.entries)
    after = ScriptedModel(["done"])
    following = memory.start(an_agent(after), "and now?", history=host.record.messages())
    assert (await following.handle.result).text == "done"
    check_pairs(after.requests[0].messages)
    await asyncio.sleep(2)
    assert (model.calls, host.record.entries) == (calls, kept), "nothing comes late"
    assert reports.seen == []
