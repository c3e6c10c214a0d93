"""The handle: steer, follow_up, inject, abort; checks; what is not delivered comes back."""

import asyncio

import pytest

from gateway.core.cancellation import InterruptReason
from gateway.core.errors import InputRefused, RunEnded
from gateway.core.events import End, StepDone
from gateway.core.log import Kind
from gateway.core.messages import AssistantMessage, ToolResult, UserMessage
from gateway.ports.agent import RunOptions
from gateway.runs import memory
from gateway.runs.context import ToolContext
from gateway.runs.queue import Queue, Queued
from gateway.runs.tools import tool
from tests.fakes.host import RecordingHost
from tests.fakes.model import Call, Gate, ScriptedModel
from tests.runs.building import Reports, a_start, an_agent

pytestmark = pytest.mark.looptime


@tool
async def work() -> str:
    """Takes a second."""
    await asyncio.sleep(1)
    return "worked"


def said(request) -> list[str]:
    """What people said, as this model call reads it."""
    return [m.text for m in request.messages if isinstance(m, UserMessage)]


async def test_what_is_steered_joins_the_next_model_call_last_after_the_results():
    host, model = RecordingHost(), ScriptedModel([Call("work")], ["done"])
    handle = an_agent(model, work).start(a_start(), host)
    await asyncio.sleep(0.5)
    assert handle.steer("skip the changelog")
    assert handle.queued == ["skip the changelog"]
    await handle.result
    kinds = [type(m) for m in model.requests[1].messages]
    assert kinds == [UserMessage, AssistantMessage, ToolResult, UserMessage]
    assert said(model.requests[1])[-1] == "skip the changelog"
    assert [(j.message.text, j.queued) for j in host.kept] == [("skip the changelog", "steer")]


async def test_what_the_host_lets_join_stands_last_too():
    host, model = RecordingHost(), ScriptedModel([Call("work")], ["done"])
    host.joins = [[], []]
    host.joins.pop()
    host.join("from the inbox")
    await an_agent(model, work).start(a_start(), host).result
    assert said(model.requests[1]) == ["hello", "from the inbox"]
    assert host.kept == []


@pytest.mark.parametrize(("drain", "calls"), [("one-at-a-time", 4), ("all", 2)])
async def test_drain_modes(drain, calls):
    host, model = RecordingHost(), ScriptedModel(last=["ok"])
    handle = an_agent(model).start(a_start(options=RunOptions(queue_steering=drain)), host)
    gate = Gate()
    model.script = [[gate, "ok"]]
    await gate.reached.wait()
    for text in ("one", "two", "three"):
        handle.steer(text)
    gate.open()
    await handle.result
    assert model.calls == calls
    assert said(model.requests[-1]) == ["hello", "one", "two", "three"]


async def test_a_follow_up_starts_a_new_turn_with_its_own_iterations():
    host = RecordingHost()
    model = ScriptedModel([Call("work")], ["first"], [Call("work")], ["second"])
    handle = an_agent(model, work, max_iterations=2).start(a_start(), host)
    assert handle.follow_up("then draft it")
    result = await handle.result
    assert (result.end, result.text, model.calls) == (End.COMPLETED, "second", 4)
    assert said(model.requests[1]) == ["hello"]
    assert said(model.requests[2]) == ["hello", "then draft it"]
    assert [event.text for event in host.of(StepDone)] == ["", "first", ""]
    assert [joined.queued for joined in host.kept] == ["followUp"]


async def test_what_is_injected_starts_no_model_call_and_is_kept():
    host, model = RecordingHost(), ScriptedModel([Call("work")], ["done"])
    handle = an_agent(model, work).start(a_start(), host)
    await asyncio.sleep(0.5)
    handle.inject("it moved to Friday")
    await handle.result
    assert said(model.requests[1]) == ["hello", "it moved to Friday"]

    gate, model = Gate(), ScriptedModel()
    model.script = [[gate, "done"]]
    in_memory = memory.start(an_agent(model), "hello")
    await gate.reached.wait()
    in_memory.handle.inject("too late for a call")
    gate.open()
    result = await in_memory.handle.result
    assert (model.calls, result.undelivered) == (1, ())
    texts = [e.body["text"] for e in in_memory.record.entries if e.kind is Kind.USER]
    assert texts == ["hello", "too late for a call"]
    metadata = [e.body.get("metadata") for e in in_memory.record.entries if e.kind is Kind.USER]
    assert metadata[1] == {"queued": "inject"}


async def test_what_is_injected_into_a_run_without_history_is_given_back():
    gate, host, model = Gate(), RecordingHost(), ScriptedModel()
    host.saves_history = False
    model.script = [[gate, "done"]]
    handle = an_agent(model).start(a_start(), host)
    await gate.reached.wait()
    handle.inject("nobody keeps it")
    gate.open()
    result = await handle.result
    assert (result.end, result.undelivered) == (End.COMPLETED, ("nobody keeps it",))


async def test_what_the_host_no_longer_keeps_is_given_back():
    class KeepsNothing(RecordingHost):
        async def keep(self, joined):
            raise RunEnded("stopped meanwhile")

    host, model = KeepsNothing(), ScriptedModel([Call("work")], ["never"])
    options = RunOptions(queue_steering="all")
    handle = an_agent(model, work).start(a_start(options=options), host)
    await asyncio.sleep(0.5)
    handle.steer("a")
    handle.steer("b")
    result = await handle.result
    assert (result.end, result.undelivered) == (End.INTERRUPTED, ("a", "b"))


async def test_abort_is_final_and_returns_what_was_never_delivered():
    host, model = RecordingHost(), ScriptedModel([Call("work")], ["never"])
    handle = an_agent(model, work).start(a_start(), host)
    await asyncio.sleep(0.5)
    handle.steer("a")
    handle.follow_up("b")
    handle.inject("c")
    assert handle.abort() == ["a", "b", "c"]
    assert [handle.steer("d"), handle.follow_up("d"), handle.inject("d")] == [False] * 3
    result = await handle.result
    assert (result.reason, result.undelivered) == (InterruptReason.USER_SIGINT, ("a", "b", "c"))
    assert (model.calls, host.kept, handle.abort()) == (1, [], [])


async def test_a_run_without_a_thread_is_cancelled_not_failed():
    model = ScriptedModel([Call("work")])
    host = memory.start(an_agent(model, work), "go")
    await asyncio.sleep(0.5)
    host.handle.abort()
    result = await host.handle.result
    assert (result.status, result.reason) == ("cancelled", InterruptReason.TASK_CANCELLED)


async def test_whoever_awaits_a_run_and_is_cancelled_cancels_it():
    gate, model = Gate(), ScriptedModel()
    model.script = [[gate, "never"]]
    awaiting = asyncio.create_task(memory.run(an_agent(model), "go"))
    await gate.reached.wait()
    awaiting.cancel()
    await asyncio.wait({awaiting})
    await asyncio.sleep(0)
    assert (awaiting.cancelled(), model.closed) == (True, 1)


async def test_a_paused_run_takes_nothing_and_gives_back_what_waited():
    @tool
    async def asks(context: ToolContext) -> str:
        """Asks."""
        return str(await context.interrupt(message="Sure?"))

    host, model = RecordingHost(), ScriptedModel([Call("asks")])
    handle = an_agent(model, asks).start(a_start(), host)
    handle.follow_up("and then")
    result = await handle.result
    assert (result.status, result.undelivered) == ("paused", ("and then",))
    assert handle.undelivered == ("and then",)
    assert not handle.steer("now?")


async def test_a_finished_run_takes_nothing():
    handle = an_agent(ScriptedModel(["done"])).start(a_start(), RecordingHost())
    await handle.result
    assert [handle.steer("x"), handle.follow_up("x"), handle.inject("x")] == [False] * 3


# -- checks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code", ["PII_DETECTED", "PROMPT_INJECTION_DETECTED", "LLM_CONTENT_FILTERED"]
)
async def test_a_refused_message_is_dropped_and_the_run_goes_on(code):
    heard: list[tuple[str, str]] = []

    async def check(text: str) -> None:
        if "secret" in text:
            raise InputRefused(code)

    def heard_of(refused) -> None:
        assert model.calls == 1
        heard.append((refused.text, refused.code))
        raise LookupError("a hook's own fault stops nothing")

    host, model = RecordingHost(), ScriptedModel([Call("work")], ["done"])
    agent = an_agent(model, work, before_run=[check], on_refused_message=heard_of)
    handle = agent.start(a_start(), host)
    await asyncio.sleep(0.5)
    handle.steer("my secret")
    handle.steer("fine")
    result = await handle.result
    assert result.end is End.COMPLETED
    assert said(model.requests[1]) == ["hello", "fine"]
    assert [(refused.text, refused.code) for refused in handle.refused] == [("my secret", code)]
    assert heard == [("my secret", code)]
    assert [joined.message.text for joined in host.kept] == ["fine"]


async def test_any_error_of_a_check_refuses():
    def check(text: str) -> None:
        raise LookupError("broken check")

    host, model = RecordingHost(), ScriptedModel(["never"])
    handle = an_agent(model, before_run=[check]).start(a_start(), host)
    result = await handle.result
    assert (result.end, result.error, model.calls) == (End.FAILED, "INPUT_REFUSED", 0)
    assert host.names == ["Ended"]


async def test_a_message_in_its_check_counts_as_not_delivered():
    held, entered = asyncio.Event(), asyncio.Event()

    async def check(text: str) -> None:
        if text == "checked":
            entered.set()
            await held.wait()

    host, model = RecordingHost(), ScriptedModel([Call("work")], ["never"])
    handle = an_agent(model, work, before_run=[check]).start(a_start(), host)
    await asyncio.sleep(0.5)
    handle.steer("checked")
    await entered.wait()
    assert handle.queued == ["checked"]
    assert handle.abort() == ["checked"]
    held.set()
    await handle.result
    assert (host.kept, model.calls) == ([], 1)


async def test_what_was_given_back_during_its_check_is_not_delivered_too():
    held, entered, reports = asyncio.Event(), asyncio.Event(), Reports()

    async def check(text: str) -> None:
        entered.set()
        await held.wait()

    queue = Queue([check], None, reports)
    queue.put(Queued.STEER, UserMessage("a"))
    queue.put(Queued.STEER, UserMessage("b"))
    taking = asyncio.create_task(queue.take(Queued.STEER, every=True))
    await entered.wait()
    assert queue.drain() == ("a", "b")
    held.set()
    assert await taking == []
    assert queue.undelivered == ("a", "b")
