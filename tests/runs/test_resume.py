"""Going on from a checkpoint: the journal's last record of a call decides."""

from collections import Counter

import pytest

from gateway.core.errors import ValidationFailed
from gateway.core.events import Asked, CallReturned, CallStarted, End, Ended, StepDone
from gateway.core.interrupts import Decision, Status, Way
from gateway.core.messages import (
    OUTCOME_UNKNOWN,
    AssistantMessage,
    Json,
    Message,
    ToolCall,
    ToolResult,
    UserMessage,
)
from gateway.ports.agent import JournalRecord
from gateway.runs.budgets import BatchInHand, Checkpoint, ToolExecution, Used, read_checkpoint
from gateway.runs.context import ToolContext
from gateway.runs.tools import tool
from tests.fakes.host import RecordingHost
from tests.fakes.model import Call, ScriptedModel
from tests.runs.building import Reports, a_runtime, a_start, an_agent

pytestmark = pytest.mark.looptime
CALLS = tuple(ToolCall(name, "work", {"name": name}) for name in "abc")


@pytest.fixture
def ran():
    return Counter[str]()


@pytest.fixture
def work(ran):
    @tool
    async def work(name: str) -> str:
        """Works."""
        ran[name] += 1
        return f"{name} done"

    return work


def in_hand(*, step: int = 1, used: Used | None = None) -> Json:
    return Checkpoint(step, used or Used(iterations=1), None, BatchInHand(CALLS)).to_json()


async def test_kept_results_stay_started_calls_are_unknown_the_rest_runs(ran, work):
    """As after a crash inside the second of three calls."""
    model, host = ScriptedModel(["done"]), RecordingHost()
    start = a_start(
        "",
        history=[
            UserMessage("go"),
            AssistantMessage("On it", CALLS),
            ToolResult("a", "work", "a done"),
            ToolResult("b", "work", "unknown", OUTCOME_UNKNOWN),
            ToolResult("c", "work", "unknown", OUTCOME_UNKNOWN),
        ],
        checkpoint=in_hand(),
        journal=(
            JournalRecord("a", "started"),
            JournalRecord("a", "result"),
            JournalRecord("b", "started"),
        ),
    )
    result = await an_agent(model, work).start(start, host).result
    assert result.end is End.COMPLETED
    assert ran == {"c": 1}
    assert host.names == ["Began", "CallStarted", "CallReturned", "StepDone", "Ended"]
    assert [event.result.call_id for event in host.of(CallReturned)] == ["c"]
    assert host.of(CallStarted)[0].text == "On it"
    said, *results = model.requests[0].messages[1:]
    assert said == AssistantMessage("On it", CALLS)
    assert [(r.content, r.error) for r in results] == [  # type: ignore[union-attr]
        ("a done", None),
        (
            "The run stopped before this tool call returned: outcome unknown,"
            " verify before retrying",
            OUTCOME_UNKNOWN,
        ),
        ("c done", None),
    ]
    assert model.requests[0].step == 2


async def test_a_call_that_asked_runs_again_only_with_its_answer(ran):
    @tool
    async def work(context: ToolContext, name: str) -> str:
        """Asks."""
        ran[name] += 1
        return str(await context.interrupt(message=f"{name}?"))

    first = RecordingHost()
    agent = an_agent(
        ScriptedModel(["ask", *(Call("work", dict(c.arguments), c.id) for c in CALLS)]), work
    )
    await agent.start(a_start(), first).result
    asked = first.of(Asked)[0]
    (question,) = asked.questions
    history = (UserMessage("hello"), AssistantMessage("ask", CALLS))
    decided = question.decide(
        Decision(status=Status.ANSWERED, how=Way.API, value="A"), question.created_at
    )
    journal = (JournalRecord("a", "started"), JournalRecord("a", "asked"))
    second, model = RecordingHost(), ScriptedModel()
    start = a_start(
        "", history=history, checkpoint=asked.checkpoint, questions=(decided,), journal=journal
    )
    await an_agent(model, work).start(start, second).result
    assert second.names == ["Began", "CallStarted", "CallReturned", "CallStarted", "Asked"]
    assert second.of(CallReturned)[0].result.content == "A"
    assert [q.message for q in second.of(Asked)[0].questions] == ["b?"]
    assert ran == {"a": 2, "b": 1}


async def test_a_reply_of_a_run_beside_it_is_left_alone(work):
    """In mode parallel a sibling's finished reply may stand last in the history."""
    model, host = ScriptedModel(["done"]), RecordingHost()
    history: list[Message] = [
        UserMessage("go"),
        AssistantMessage("", CALLS),
        UserMessage("and beside it?"),
        AssistantMessage("Beside it: 42"),
    ]
    start = a_start("", history=history, checkpoint=in_hand())
    await an_agent(model, work).start(start, host).result
    messages = model.requests[0].messages
    assert messages[:4] == (
        UserMessage("go"),
        UserMessage("and beside it?"),
        AssistantMessage("Beside it: 42"),
        AssistantMessage("", CALLS),
    )
    assert [type(m) for m in messages[4:]] == [ToolResult] * 3


async def test_a_question_that_is_left_open_is_asked_again_as_it_was(ran):
    @tool(parallel_safe=True)
    async def work(context: ToolContext, name: str) -> str:
        """Asks."""
        ran[name] += 1
        return str(await context.interrupt(message=f"{name}?"))

    first = RecordingHost()
    calls = [Call("work", dict(c.arguments), c.id) for c in CALLS]
    agent = an_agent(ScriptedModel(calls), work, parallel_tool_calls=True)
    await agent.start(a_start(), first).result
    asked = first.of(Asked)[0]
    a, b, c = (question.arm(question.created_at) for question in asked.questions)
    decided = b.decide(Decision(status=Status.ANSWERED, how=Way.API, value="B"), b.created_at)
    journal = [JournalRecord(call.id, record) for call in CALLS for record in ("started", "asked")]
    second = RecordingHost()
    start = a_start(checkpoint=asked.checkpoint, questions=(a, decided, c), journal=tuple(journal))
    await an_agent(ScriptedModel(), work).start(start, second).result
    assert second.of(Asked)[0].questions == (a, c)
    assert ran == {"a": 1, "b": 2, "c": 1}


async def test_a_call_that_was_resumed_and_then_crashed_is_unknown(ran, work):
    """RACES 23: started again on the record, no result."""
    model, host = ScriptedModel(["done"]), RecordingHost()
    journal = [JournalRecord("a", record) for record in ("started", "asked", "started")]
    journal += [JournalRecord(call, record) for call in "bc" for record in ("started", "result")]
    history: list[Message] = [
        AssistantMessage("", CALLS),
        ToolResult("b", "work", "b done"),
        ToolResult("c", "work", "c done"),
    ]
    start = a_start("", history=history, checkpoint=in_hand(), journal=tuple(journal))
    await an_agent(model, work).start(start, host).result
    assert ran == {}
    assert model.requests[0].messages[1].error == OUTCOME_UNKNOWN  # type: ignore[union-attr]


async def test_budgets_go_on_where_they_were(work):
    used = Used(iterations=24, tokens=90, cost_usd=0.5, seconds=7)
    stored = Checkpoint(24, used).to_json()
    host = RecordingHost()
    model = ScriptedModel([Call("work", {"name": "a"})])
    result = await an_agent(model, work).start(a_start(checkpoint=stored), host).result
    assert (result.error, model.calls) == ("BUDGET_EXCEEDED", 1)
    checkpoint = host.of(StepDone)[0].checkpoint
    assert read_checkpoint(checkpoint).used == Used(25, 90, 0.5, 7)
    assert read_checkpoint(checkpoint).step == 25


async def test_a_newer_checkpoint_is_refused_and_stays_as_it_is():
    model, host, reports = ScriptedModel(["never"]), RecordingHost(), Reports()
    stored: Json = {**Checkpoint(3).to_json(), "version": 2}
    agent = an_agent(model, runtime=a_runtime(reports))
    result = await agent.start(a_start(checkpoint=stored), host).result
    (ended,) = host.events
    assert isinstance(ended, Ended)
    assert (ended.end, ended.error, ended.checkpoint) == (End.FAILED, "VALIDATION_ERROR", stored)
    assert result.error_id == ended.error_id
    assert "version 2; this program reads up to 1" in str(reports.seen[0][1])
    assert model.calls == 0
    with pytest.raises(ValidationFailed, match="version 2"):
        read_checkpoint(stored)


async def test_a_journal_that_another_version_wrote_fails_the_run_clearly():
    model, host = ScriptedModel(["never"]), RecordingHost()
    start = a_start(journal=(JournalRecord("a", "teleported"),))
    result = await an_agent(model).start(start, host).result
    assert (result.error, host.names, model.calls) == ("VALIDATION_ERROR", ["Ended"], 0)


@pytest.mark.parametrize("damaged", [7, {}, {"version": 1}, {"version": 1, "step": "x"}])
async def test_a_damaged_checkpoint_says_so(damaged):
    with pytest.raises(ValidationFailed):
        read_checkpoint(damaged)


async def test_a_checkpoint_without_tool_execution_resumes_with_what_is_passed(work):
    stored = dict(Checkpoint(1).to_json())
    del stored["toolExecution"]
    host = RecordingHost()
    model = ScriptedModel([Call("work", {"name": "a"})], ["done"])
    agent = an_agent(model, work, parallel_tool_calls=True)
    assert (await agent.start(a_start(checkpoint=stored), host).result).end is End.COMPLETED
    execution = read_checkpoint(host.of(StepDone)[0].checkpoint).execution
    assert execution == ToolExecution(True, None, 600_000)


async def test_a_checkpoint_keeps_how_the_run_runs_its_tools(work):
    stored = Checkpoint(1, Used(), ToolExecution(True, 2, 5_000)).to_json()
    host = RecordingHost()
    model = ScriptedModel([Call("work", {"name": "a"})], ["done"])
    await an_agent(model, work).start(a_start(checkpoint=stored), host).result
    execution = read_checkpoint(host.of(StepDone)[0].checkpoint).execution
    assert execution is not None
    assert (execution.parallel, execution.max_parallel) == (True, 2)


def test_a_checkpoint_reads_back_as_it_was_and_holds_no_message():
    hand = BatchInHand(CALLS, {"b": "no JSON"}, {"opaque": 1})
    whole = Checkpoint(3, Used(1, 2, 0.25, 4.5), ToolExecution(True, 2, 600_000), hand)
    assert read_checkpoint(whole.to_json()) == whole
    assert set(whole.to_json()) == {"version", "step", "budgets", "toolExecution", "batch"}
