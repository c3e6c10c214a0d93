"""Child runs: stopped with their parent, own deadline, journalled, asking in its thread."""

import asyncio
from collections import Counter

import pytest

from gateway.core.cancellation import InterruptBehavior, InterruptReason
from gateway.core.errors import AgentRunPausedError
from gateway.core.events import CallReturned, End
from gateway.runs import memory
from gateway.runs.context import SyncToolContext, ToolContext
from gateway.runs.tools import tool
from tests.fakes.host import RecordingHost
from tests.fakes.model import Call, Gate, ScriptedModel
from tests.runs.building import a_runtime, a_start, an_agent

pytestmark = pytest.mark.looptime
EXTERNAL = InterruptBehavior.EXTERNALLY_TERMINATED


def a_parent(child, *, sandboxed=False, behavior=EXTERNAL, script=None, runtime=None):
    """An agent with one tool that runs `child`, and its model."""

    @tool(behavior=behavior, sandboxed=sandboxed)
    async def delegate(context: ToolContext) -> str:
        """Hands over."""
        result = await context.run_child(child, "do it")
        return f"{result.status}: {result.text or result.reason}"

    model = ScriptedModel(*(script or [[Call("delegate")], ["parent done"]]))
    return an_agent(model, delegate, name="parent", runtime=runtime), model


async def test_a_childs_text_comes_back():
    parent, model = a_parent(an_agent(ScriptedModel(["child done"]), name="child"))
    result = await memory.run(parent, "go")
    assert result.text == "parent done"
    assert model.requests[1].messages[-1].content == "completed: child done"


async def test_a_plain_tool_runs_a_child_too():
    child = an_agent(ScriptedModel(["child done"]), name="child")

    @tool
    def delegate(context: SyncToolContext) -> str:
        """Hands over."""
        return context.run_child(child, "do it").text

    recording = RecordingHost()
    model = ScriptedModel([Call("delegate")], ["ok"])
    await an_agent(model, delegate).start(a_start(), recording).result
    assert recording.of(CallReturned)[0].result.content == "child done"


async def test_stopping_a_parent_stops_its_children_and_theirs():
    runtime, gate = a_runtime(), Gate()
    grandchild_model = ScriptedModel([gate, "never"])
    grandchild = an_agent(grandchild_model, name="grandchild")
    child, child_model = a_parent(grandchild)
    parent, model = a_parent(child, runtime=runtime)
    host = memory.start(parent, "go")
    await gate.reached.wait()
    host.handle.stop(InterruptReason.USER_SIGINT)
    result = await host.handle.result
    assert (result.end, result.reason) == (End.INTERRUPTED, InterruptReason.USER_SIGINT)
    assert (grandchild_model.closed, child_model.calls, model.calls) == (1, 1, 1)
    assert await runtime.supervisor.settle(1) == 0
    returned = [e.body for e in host.record.entries if e.kind == "tool_result"]
    assert [body["error"] for body in returned] == ["TOOL_INTERRUPTED"]


async def test_a_childs_own_deadline_leaves_the_parent_running():
    gate = Gate()
    child = an_agent(ScriptedModel([gate, "never"]), name="child", timeout_seconds=3)
    parent, model = a_parent(child)
    result = await memory.run(parent, "go")
    assert result.end is End.COMPLETED
    said = model.requests[1].messages[-1]
    assert said.content == "interrupted: BUDGET_EXCEEDED"
    assert asyncio.get_running_loop().time() == pytest.approx(3)


async def test_ended_children_leave_no_listener_on_their_parent():
    counts = []

    @tool
    async def delegate_often(context: ToolContext) -> None:
        """Hands over."""
        for _ in range(20):
            await context.run_child(an_agent(ScriptedModel(["ok"]), name="child"), "do it")
            counts.append(context.signal.listeners)  # type: ignore[attr-defined]

    parent = an_agent(ScriptedModel([Call("delegate_often")], ["ok"]), delegate_often)
    await memory.run(parent, "go")
    assert set(counts) == {2}, "the model's and the host's"


def asking_child(ran):
    @tool
    async def ask(context: ToolContext) -> str:
        """Asks."""
        ran["ask"] += 1
        return str(await context.interrupt(message="Which region?", response_schema=str))

    @tool(approval=True)
    async def deploy(region: str) -> str:
        """Deploys."""
        ran[f"deploy {region}"] += 1
        return "deployed"

    model = ScriptedModel([Call("ask")], [Call("deploy", {"region": "eu"})], ["child done"])
    return an_agent(model, ask, deploy, name="child")


async def test_a_childs_questions_are_asked_in_the_parents_thread_and_it_goes_on():
    ran = Counter[str]()
    finished = an_agent(ScriptedModel(["first child"]), name="finished")
    child = asking_child(ran)

    @tool
    async def delegate(context: ToolContext) -> str:
        """Hands over twice."""
        ran["delegate"] += 1
        first = await context.run_child(finished, "a")
        second = await context.run_child(child, "b")
        return f"{first.text}, {second.text}"

    parent = an_agent(ScriptedModel([Call("delegate")], ["parent done"]), delegate, name="parent")
    host = memory.start(parent, "go", principals=("ann",))
    result = await host.handle.result
    (question,) = result.questions
    assert (question.message, question.run) == ("Which region?", host.record.run)
    assert (question.tool_call_id, question.tool_name) == ("call_1", "ask")
    assert question.principals == ("ann",)
    result = await memory.resume(host, {question.id: "eu"}).result
    (approval,) = result.questions
    assert (approval.kind.value, approval.message) == ("approval", "May deploy run?")
    stored = type(host.record).from_json(host.record.to_json())
    restarted = memory.MemoryHost(parent, record=stored)
    restarted.state = host.state
    result = await memory.resume(restarted, {approval.id: {"approved": True}}).result
    assert result.text == "parent done"
    returned = [e.body["content"] for e in restarted.record.entries if e.kind == "tool_result"]
    assert returned == ["first child, child done"]
    assert ran == {"ask": 2, "deploy eu": 1, "delegate": 3}
    assert finished.model.calls == 1  # type: ignore[attr-defined]


async def test_a_denied_call_of_a_child_does_not_run():
    ran = Counter[str]()
    parent, _ = a_parent(asking_child(ran))
    host = memory.start(parent, "go")
    (question,) = (await host.handle.result).questions
    (approval,) = (await memory.resume(host, {question.id: "eu"}).result).questions
    result = await memory.resume(host, {approval.id: {"approved": False}}).result
    assert result.text == "parent done"
    assert ran == {"ask": 2}


async def test_a_caller_that_cannot_ask_fails_and_names_the_questions():
    parent, model = a_parent(asking_child(Counter()), sandboxed=True)
    await memory.run(parent, "go")
    said = model.requests[1].messages[-1]
    assert said.error == "AGENT_RUN_PAUSED"
    assert "Which region?" in said.content
    with pytest.raises(AgentRunPausedError) as refused:
        await memory.run(asking_child(Counter()), "go")
    assert [question.message for question in refused.value.interrupts] == ["Which region?"]  # type: ignore[attr-defined]
