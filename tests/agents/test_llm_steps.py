"""A whole agent over a provider: its tools, its stops, its failures, the log between its steps."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gateway.agents.llm import PydanticAIModel, RetryPolicy, llm_model
from gateway.core.cancellation import InterruptReason
from gateway.core.events import End
from gateway.core.messages import AssistantMessage
from gateway.runs import memory
from gateway.runs.tools import tool
from tests.fakes.provider import (
    DONE,
    STALL,
    Delta,
    Drop,
    FakeProvider,
    calls,
    fragments,
    says,
    streams,
)
from tests.runs.building import an_agent

THOUGHT = Delta({"role": "assistant", "reasoning_content": "Two and three."})


@tool
async def add(a: int, b: int) -> int:
    """Adds."""
    return a + b


@asynccontextmanager
async def a_model(provider: FakeProvider) -> AsyncIterator[PydanticAIModel]:
    model = llm_model("small", base_url=provider.base_url, retry=RetryPolicy(attempts=1))
    yield model
    await model.aclose()


async def test_a_model_that_calls_wrongly_reads_why_and_then_the_result():
    answers = (
        calls(*fragments(0, "call_0", "add", '{"a": 2, "b"')),
        calls(*fragments(0, "call_0", "add", '{"a": 2,', ' "b": 3}'), text="Again."),
        says("It is ", "5."),
    )
    async with FakeProvider(*answers) as provider, a_model(provider) as model:
        result = await memory.run(an_agent(model, add), "What is 2 + 3?")
        last = provider.exchanges[2].messages()
    assert (result.end, result.text) == (End.COMPLETED, "It is 5.")
    assert [message["role"] for message in last] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
    ]
    assert last[3]["content"].startswith("TOOL_ARGUMENTS_INVALID: The arguments are no valid JSON")
    assert last[4]["content"] == "Again."
    assert json.loads(last[4]["tool_calls"][0]["function"]["arguments"]) == {"a": 2, "b": 3}
    assert last[5] == {"role": "tool", "tool_call_id": "call_0_2", "content": "5"}


async def test_reasoning_goes_back_with_the_result_of_the_call_it_led_to():
    call = fragments(0, "c1", "add", '{"a": 2, "b": 3}')
    thinks = streams(THOUGHT, *call, Delta({}, "tool_calls"), DONE)
    async with FakeProvider(thinks, says("5")) as provider, a_model(provider) as model:
        await memory.run(an_agent(model, add), "What is 2 + 3?")
        said = provider.exchanges[1].messages()[2]
    assert said["reasoning_content"] == "Two and three."
    assert said["tool_calls"][0]["id"] == "c1"


async def test_reasoning_comes_back_from_the_runs_log_too():
    call = fragments(0, "c1", "add", '{"a": 2, "b": 3}')
    said = Delta({"content": "Let me add."})
    thinks = streams(THOUGHT, said, *call, Delta({}, "tool_calls"), DONE)
    async with FakeProvider(thinks, says("5"), says("6")) as provider, a_model(provider) as model:
        agent = an_agent(model, add)
        host = memory.start(agent, "What is 2 + 3?")
        await host.handle.result
        await memory.run(agent, "And 3 + 3?", history=host.record.messages())
        back = provider.exchanges[2].messages()[2]
    assert back["content"] == "Let me add."
    assert back["tool_calls"][0]["id"] == "c1"
    assert back["reasoning_content"] == "Two and three."


async def test_a_stop_closes_the_providers_connection_and_keeps_what_was_shown():
    cut = streams(Delta({"content": "Once upon"}), STALL)
    async with FakeProvider(cut) as provider, a_model(provider) as model:
        shown = asyncio.Event()
        host = memory.start(an_agent(model), "A story", on_show=lambda *_: shown.set())
        await asyncio.wait_for(shown.wait(), 5)
        (exchange,) = provider.exchanges
        stopped_at = asyncio.get_running_loop().time()
        host.stop(InterruptReason.USER_SIGINT)
        await asyncio.wait_for(exchange.left.wait(), 5)
        result = await host.handle.result
    assert exchange.left_at is not None
    assert exchange.left_at - stopped_at < 0.2
    assert (result.end, result.reason) == (End.INTERRUPTED, InterruptReason.USER_SIGINT)
    assert host.record.messages()[-1] == AssistantMessage(
        "Once upon", interrupted=True, reason="USER_SIGINT"
    )


async def test_a_stream_that_breaks_off_fails_the_run_with_its_code():
    broken = streams(Delta({"content": "Once upon"}), Drop())
    async with FakeProvider(broken) as provider, a_model(provider) as model:
        result = await memory.run(an_agent(model), "A story")
    assert (result.end, result.error) == (End.FAILED, "MODEL_BROKEN_STREAM")
