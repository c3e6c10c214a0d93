"""What a model reads of a long history, and what it reads once it has said that it was too long."""

import pytest

from gateway.core.errors import ModelFailed
from gateway.core.events import End
from gateway.core.messages import AssistantMessage, Message, ToolResult, UserMessage
from gateway.runs import memory
from gateway.runs.budgets import Ceiling
from gateway.runs.tools import tool
from tests.fakes.model import Call, Fault, ScriptedModel
from tests.runs.building import a_runtime, an_agent

pytestmark = pytest.mark.looptime
LONG = "word " * 400  # 500 tokens
TOO_LONG = Fault(ModelFailed("MODEL_CONTEXT_TOO_LONG", "too long"))


def turns(count: int) -> tuple[Message, ...]:
    return tuple(
        message
        for number in range(count)
        for message in (UserMessage(f"wish {number} {LONG}"), AssistantMessage(f"done {number}"))
    )


@tool
async def look() -> str:
    """Looks."""
    return LONG


async def test_older_turns_are_summed_up_and_the_run_in_hand_stays_whole():
    model = ScriptedModel([Call("look")], [Call("look")], ["well"])
    agent = an_agent(model, look, history_tokens=2_000)
    result = await memory.run(agent, "my task", history=turns(10))
    assert result.end is End.COMPLETED
    for request in model.requests:
        first, *_ = request.messages
        assert isinstance(first, UserMessage)
        assert first.text.startswith("[earlier in this conversation")
        assert UserMessage("my task") in request.messages
    results = [m for m in model.requests[2].messages if isinstance(m, ToolResult)]
    assert len(results) == 2


async def test_the_operator_says_how_much_is_read():
    model = ScriptedModel(["well"])
    runtime = a_runtime(ceiling=Ceiling(history_tokens=1_000))
    await memory.run(an_agent(model, runtime=runtime), "my task", history=turns(10))
    assert len(model.requests[0].messages) < 5


async def test_a_history_that_is_too_long_for_the_model_is_halved_until_it_fits():
    model = ScriptedModel([TOO_LONG], [TOO_LONG], ["well"])
    result = await memory.run(an_agent(model), "my task", history=turns(30))
    assert (result.end, result.text) == (End.COMPLETED, "well")
    counts = [len(request.messages) for request in model.requests]
    assert counts[0] == 61
    assert counts[0] > counts[1] > counts[2] >= 2


async def test_where_nothing_can_be_left_out_the_run_fails():
    model = ScriptedModel([TOO_LONG])
    result = await memory.run(an_agent(model), "my task")
    assert (result.end, result.error, model.calls) == (End.FAILED, "MODEL_CONTEXT_TOO_LONG", 1)


async def test_what_was_shown_already_is_not_asked_again():
    model = ScriptedModel(["half", TOO_LONG])
    result = await memory.run(an_agent(model), "my task", history=turns(30))
    assert (result.end, model.calls) == (End.FAILED, 1)
