"""The loop: model calls, tools, what it emits, how it ends."""

import asyncio

import pytest

from gateway.core.errors import ModelFailed
from gateway.core.events import CallReturned, CallStarted, End, Ended, StepDone
from gateway.core.messages import AssistantMessage, ToolResult, UserMessage
from gateway.ports.agent import RunOptions
from gateway.runs import memory
from gateway.runs.tools import tool
from tests.fakes.host import RecordingHost
from tests.fakes.model import Call, Cut, Fault, Garbage, ScriptedModel
from tests.runs.building import Reports, a_runtime, a_start, an_agent

pytestmark = pytest.mark.looptime


@tool
async def add(a: int, b: int = 1) -> int:
    """Adds."""
    return a + b


async def test_a_text_is_a_run():
    host, model = RecordingHost(), ScriptedModel(["Hello ", "you"])
    result = await an_agent(model).start(a_start(), host).result
    assert (result.end, result.text) == (End.COMPLETED, "Hello you")
    assert host.shown == [(1, "Hello "), (1, "Hello you")]
    assert host.names == ["Began", "Ended"]
    assert model.requests[0].messages == (UserMessage("hello"),)


async def test_a_call_and_its_result_are_in_the_next_model_input():
    host, model = RecordingHost(), ScriptedModel(["Let me see", Call("add", {"a": 2})], ["3"])
    await an_agent(model, add).start(a_start(), host).result
    assert host.names == ["Began", "CallStarted", "CallReturned", "StepDone", "Ended"]
    started = host.of(CallStarted)[0]
    assert (started.step, started.text, started.batch) == (1, "Let me see", (started.call,))
    assert model.requests[1].messages[1:] == (
        AssistantMessage("Let me see", (started.call,)),
        ToolResult("call_1", "add", "3"),
    )
    checkpoint = host.of(StepDone)[0].checkpoint
    assert isinstance(checkpoint, dict)
    assert checkpoint["version"] == 1


async def test_what_a_model_gets_wrong_comes_back_to_it_as_results():
    host = RecordingHost()
    model = ScriptedModel(
        [
            Call("nothing"),
            Call("add", {"a": "x"}),
            Call("add", {"a": 1, "c": 2}),
            Call("add", {}, problem="The arguments are no JSON: cut off"),
        ],
        ["sorry"],
    )
    result = await an_agent(model, add).start(a_start(), host).result
    assert result.end is End.COMPLETED
    assert [(r.result.error, r.result.content) for r in host.of(CallReturned)] == [
        ("TOOL_UNKNOWN", "There is no tool 'nothing'. The tools: add"),
        (
            "TOOL_ARGUMENTS_INVALID",
            "The arguments of add are not valid: a: Input should be a valid integer, unable to"
            " parse string as an integer",
        ),
        (
            "TOOL_ARGUMENTS_INVALID",
            "The arguments of add are not valid: c: Extra inputs are not permitted",
        ),
        ("TOOL_ARGUMENTS_INVALID", "The arguments are no JSON: cut off"),
    ]


async def test_calls_get_ids_of_their_own():
    host = RecordingHost()
    model = ScriptedModel(
        [
            Call("add", {"a": 1}, ""),
            Call("add", {"a": 2}, "x"),
            Call("add", {"a": 3}, "x"),
        ],
        [Call("add", {"a": 4}, "x")],
        ["done"],
    )
    await an_agent(model, add).start(a_start(), host).result
    ids = [event.call.id for event in host.of(CallStarted)]
    assert len(set(ids)) == 4
    assert all(ids)


@tool
async def raises() -> None:
    """Raises."""
    raise LookupError("no such page")


@tool
async def returns_a_set_of_objects() -> object:
    """Returns what is no JSON."""
    return {object()}


@tool
async def returns_nan() -> float:
    """Returns what is no JSON number."""
    return float("nan")


class Unusual(BaseException):
    """No Exception, as some libraries raise."""


@tool
def raises_what_is_no_exception() -> None:
    """Raises."""
    raise Unusual("odd")


@tool
def ends_the_process_from_a_thread() -> None:
    """Tries to."""
    raise SystemExit(3)


@tool
async def ends_the_process() -> None:
    """Tries to."""
    raise SystemExit(3)


@pytest.mark.parametrize(
    ("wrong", "code", "said"),
    [
        (raises, "TOOL_RAISED", "LookupError: no such page"),
        (returns_a_set_of_objects, "TOOL_RESULT_UNSERIALISABLE", "returned a set"),
        (returns_nan, "TOOL_RESULT_UNSERIALISABLE", "returned a float"),
        (ends_the_process, "TOOL_RAISED", "tried to end the process"),
        (ends_the_process_from_a_thread, "TOOL_RAISED", "tried to end the process"),
        (raises_what_is_no_exception, "TOOL_RAISED", "Unusual: odd"),
    ],
)
async def test_a_tool_that_fails_is_a_result_with_a_code(wrong, code, said):
    host, model = RecordingHost(), ScriptedModel([Call(wrong.name)], ["I see"])
    result = await an_agent(model, wrong).start(a_start(), host).result
    returned = host.of(CallReturned)[0].result
    assert returned.error == code
    assert said in returned.content
    assert result.end is End.COMPLETED


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        (["Once ", Fault(ModelFailed("MODEL_QUOTA", "used up"))], "MODEL_QUOTA"),
        (["Once ", Cut()], "MODEL_BROKEN_STREAM"),
        (["Once ", Garbage()], "MODEL_BROKEN_STREAM"),
        (["Once ", Fault(OSError("reset"))], "INTERNAL_ERROR"),
    ],
)
async def test_a_model_that_breaks_fails_the_run_and_keeps_what_it_said(parts, code):
    host, reports = RecordingHost(), Reports()
    agent = an_agent(ScriptedModel(parts), runtime=a_runtime(reports))
    result = await agent.start(a_start(), host).result
    ended = host.of(Ended)[0]
    assert (ended.end, ended.error, ended.text) == (End.FAILED, code, "Once ")
    assert ended.error_id
    assert ended.error_id in reports.seen[0][0]
    assert result.error_id == ended.error_id


@pytest.mark.parametrize(
    ("safe", "behavior", "allowed", "most"),
    [
        (True, "NON_INTERRUPTIBLE", True, 3),
        (True, "COOPERATIVE", True, 3),
        (True, "COOPERATIVE", False, 1),
        (False, "NON_INTERRUPTIBLE", True, 1),
        (True, "THREAD_INTERRUPT", True, 1),
        (True, "EXTERNALLY_TERMINATED", True, 1),
    ],
)
async def test_calls_run_together_only_where_all_of_them_may(safe, behavior, allowed, most):
    running, seen = [0], []

    @tool(parallel_safe=safe, behavior=behavior)
    async def work(name: str) -> str:
        """Works."""
        running[0] += 1
        seen.append(running[0])
        await asyncio.sleep(0.1)
        running[0] -= 1
        return name

    @tool(parallel_safe=True)
    async def safe_work() -> str:
        """Works."""
        return "safe"

    host = RecordingHost()
    calls = [Call("work", {"name": name}) for name in "abc"]
    model = ScriptedModel([*calls, Call("safe_work")], ["done"])
    agent = an_agent(model, work, safe_work)
    options = RunOptions(parallel_tool_calls=allowed)
    await agent.start(a_start(options=options), host).result
    assert max(seen) == most
    results = model.requests[1].messages[-4:]
    assert [r.content for r in results] == ["a", "b", "c", "safe"]  # type: ignore[union-attr]


async def test_a_run_in_memory_has_its_log():
    agent = an_agent(ScriptedModel([Call("add", {"a": 2})], ["It is 3"]), add)
    host = memory.start(agent, "2 + 1?")
    result = await host.handle.result
    assert result.status == "completed"
    assert [type(m).__name__ for m in host.record.messages()] == [
        "UserMessage",
        "AssistantMessage",
        "ToolResult",
        "AssistantMessage",
    ]
