"""Questions of tools: the pause, the answer by ordinal, approvals bound to their arguments."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel, field_validator

from gateway.core.cancellation import InterruptReason
from gateway.core.errors import AlreadyDecided, AnswerInvalid
from gateway.core.events import Asked, CallReturned, CallStarted, End
from gateway.core.interrupts import Decision, Interrupt, Status, Way
from gateway.core.log import Kind
from gateway.core.messages import Json
from gateway.ports.agent import Leave
from gateway.runs import memory
from gateway.runs.context import SyncToolContext, ToolContext
from gateway.runs.coordinator import Registrar
from gateway.runs.record import decision_of
from gateway.runs.scope import PauseRequested
from gateway.runs.tools import tool
from tests.fakes.host import RecordingHost
from tests.fakes.model import Call, Fault, ScriptedModel
from tests.runs.building import a_start, an_agent, until

pytestmark = pytest.mark.looptime


class Region(BaseModel):
    region: str

    @field_validator("region")
    @classmethod
    def known(cls, value: str) -> str:
        if value not in ("eu", "us"):
            raise ValueError("eu or us")
        return value


async def paused(*tools, script, **about) -> tuple[memory.MemoryHost, ScriptedModel]:
    """Run to the first pause."""
    model = ScriptedModel(*script)
    changed = about.pop("agent", {})
    host = memory.start(an_agent(model, *tools, **changed), "go", **about)
    result = await host.handle.result
    assert result.status == "paused"
    assert result.questions == open_questions(host)
    return host, model


def open_questions(host: memory.MemoryHost) -> tuple[Interrupt, ...]:
    return tuple(q for q in host.record.questions.values() if q.decision is None)


async def answered(host: memory.MemoryHost, *values):
    """Answer the open questions in order; the result of the run after it."""
    pairs = zip(open_questions(host), values, strict=True)
    return await memory.resume(host, {question.id: value for question, value in pairs}).result


def contents(host: memory.MemoryHost) -> list[tuple[str, str | None]]:
    return [
        (entry.body["content"], entry.body["error"])
        for entry in host.record.entries
        if entry.kind is Kind.TOOL_RESULT
    ]


async def test_a_tool_asks_and_runs_again_with_the_answer():
    runs = Counter[str]()

    @tool
    async def deploy(context: ToolContext, service: str) -> str:
        """Deploys."""
        runs["deploy"] += 1
        answer = await context.interrupt(
            message=f"Where should {service} go?", response_schema=Region, reason="pick_region"
        )
        assert isinstance(answer, Region)
        return f"{service} is in {answer.region}"

    host, model = await paused(
        deploy, script=[["Deploying", Call("deploy", {"service": "api"})], ["done"]]
    )
    (question,) = open_questions(host)
    assert (question.message, question.reason) == ("Where should api go?", "pick_region")
    assert question.schema["required"] == ["region"]
    assert (question.tool_name, question.kind.value, question.ordinal) == ("deploy", "input", 0)
    result = await answered(host, {"region": "eu"})
    assert (result.end, result.text) == (End.COMPLETED, "done")
    assert runs == {"deploy": 2}
    assert contents(host) == [("api is in eu", None)]
    assert model.calls == 2


async def test_two_questions_come_in_order_and_earlier_answers_return():
    @tool
    def book(context: SyncToolContext) -> str:
        """Books."""
        day = context.interrupt(message="Which day?", response_schema=str)
        people = context.interrupt(message="How many?", response_schema={"type": "integer"})
        return f"{day} for {people}"

    host, _ = await paused(book, script=[[Call("book")], ["booked"]])
    result = await answered(host, "Monday")
    assert [question.message for question in result.questions] == ["How many?"]
    result = await answered(host, 3)
    assert result.text == "booked"
    assert contents(host) == [("Monday for 3", None)]
    assert [question.ordinal for question in host.record.questions.values()] == [0, 1]


async def test_an_answer_stands_only_for_the_same_question():
    asked = []

    @tool
    async def moody(context: ToolContext) -> str:
        """Asks something else each time."""
        asked.append(1)
        message = "Monday?" if len(asked) == 1 else "Tuesday?"
        answer: bool = await context.interrupt(message=message, response_schema=bool)
        return f"{message} {answer}"

    host, _ = await paused(moody, script=[[Call("moody")], ["fine"]])
    result = await answered(host, True)
    assert [question.message for question in result.questions] == ["Tuesday?"]
    await answered(host, False)
    assert contents(host) == [("Tuesday? False", None)]


async def test_an_answer_that_the_live_model_refuses_is_asked_again():
    @tool
    async def deploy(context: ToolContext) -> str:
        """Deploys."""
        answer = await context.interrupt(message="Where?", response_schema=Region)
        return answer.region

    host, _ = await paused(deploy, script=[[Call("deploy")], ["done"]])
    result = await answered(host, {"region": "mars"})
    assert [question.message for question in result.questions] == ["Where?"]
    assert (await answered(host, {"region": "us"})).end is End.COMPLETED
    assert contents(host) == [("us", None)]


async def test_schema_limits_hold_and_the_question_waits_on():
    @tool
    async def replicas(context: ToolContext) -> str:
        """Asks."""
        schema = {"type": "integer", "minimum": 1, "maximum": 5}
        return str(await context.interrupt(message="How many?", response_schema=schema))

    host, _ = await paused(replicas, script=[[Call("replicas")], ["ok"]])
    (question,) = open_questions(host)
    with pytest.raises(AnswerInvalid) as refused:
        host.decide({question.id: 7})
    assert refused.value.code == "INTERRUPT_ANSWER_INVALID"
    assert open_questions(host) == (question,)
    await answered(host, 5)
    with pytest.raises(AlreadyDecided):
        host.record.questions[question.id].decide(
            Decision(status=Status.ANSWERED, how=Way.API, value=4), question.created_at
        )


async def test_a_tool_that_swallows_its_pause_fails_and_nothing_is_asked():
    @tool
    async def greedy(context: ToolContext) -> str:
        """Catches the pause."""
        try:
            await context.interrupt(message="Sure?")
        except PauseRequested:
            return "went ahead"
        return "asked"

    @tool
    def greedy_too(context: SyncToolContext) -> str:
        """Turns the pause into an error."""
        try:
            context.interrupt(message="Sure?")
        except PauseRequested as error:
            raise LookupError("instead") from error
        return "asked"

    recording = RecordingHost()
    model = ScriptedModel([Call("greedy"), Call("greedy_too")], ["I see"])
    result = await an_agent(model, greedy, greedy_too).start(a_start(), recording).result
    assert result.end is End.COMPLETED
    assert recording.of(Asked) == []
    assert {event.result.error for event in recording.of(CallReturned)} == {"TOOL_SWALLOWED_PAUSE"}


async def test_finished_calls_do_not_run_again_and_later_ones_wait_for_the_answer():
    ran = Counter[str]()

    @tool
    async def work(context: ToolContext, name: str, asks: bool = False) -> str:
        """Works."""
        ran[name] += 1
        return str(await context.interrupt(message=f"{name}?")) if asks else name

    calls = [Call("work", {"name": "a"}), Call("work", {"name": "b", "asks": True})]
    host, model = await paused(work, script=[[*calls, Call("work", {"name": "c"})], ["done"]])
    assert ran == {"a": 1, "b": 1}
    await answered(host, "yes")
    assert ran == {"a": 1, "b": 2, "c": 1}
    assert [m.content for m in model.requests[1].messages[-3:]] == ["a", "yes", "c"]  # type: ignore[union-attr]


async def test_no_call_starts_between_two_questions_of_the_one_before():
    ran = Counter[str]()

    @tool
    async def asks_twice(context: ToolContext) -> str:
        """Asks twice."""
        first = await context.interrupt(message="First?")
        return f"{first} {await context.interrupt(message='Second?')}"

    @tool
    async def guarded_by_it() -> str:
        """Must wait."""
        ran["guarded"] += 1
        return "ran"

    script = [[Call("asks_twice"), Call("guarded_by_it")], ["done"]]
    host, _ = await paused(asks_twice, guarded_by_it, script=script)
    result = await answered(host, "a")
    assert [question.message for question in result.questions] == ["Second?"]
    assert ran == {}
    await answered(host, "b")
    assert [content for content, _ in contents(host)] == ["a b", "ran"]


async def test_calls_that_run_together_finish_and_all_their_questions_are_asked_at_once():
    ran = Counter[str]()

    @tool(parallel_safe=True)
    async def work(context: ToolContext, name: str, asks: bool = False) -> str:
        """Works."""
        ran[name] += 1
        return str(await context.interrupt(message=f"{name}?")) if asks else name

    calls = [Call("work", {"name": name, "asks": name in "bc"}) for name in "abcd"]
    host, model = await paused(
        work,
        script=[calls, ["done"]],
        agent={"parallel_tool_calls": True, "max_parallel_tool_calls": 3},
    )
    assert [question.message for question in open_questions(host)] == ["b?", "c?"]
    assert ran == {"a": 1, "b": 1, "c": 1}, "no further call starts"
    first, second = open_questions(host)
    host.decide({first.id: "B"})
    assert open_questions(host) == (second,)
    assert ran["b"] == 1
    await answered(host, "C")
    assert ran == {"a": 1, "b": 2, "c": 2, "d": 1}
    assert [m.content for m in model.requests[1].messages[-4:]] == ["a", "B", "C", "d"]  # type: ignore[union-attr]


CLOSED = [
    (Way.DECLINED, Status.CANCELLED, 'The user declined to answer "Sure?"'),
    (Way.MOVED_ON, Status.CANCELLED, "The user moved on without answering"),
    (Way.UNDELIVERABLE, Status.CANCELLED, 'The question "Sure?" could not be delivered'),
    (
        Way.EXPIRED,
        Status.EXPIRED,
        'Nobody answered "Sure?" before it expired at 2026-03-03T09:00:00.000000Z',
    ),
]


@pytest.mark.parametrize(("how", "status", "text"), CLOSED)
async def test_a_question_closed_without_an_answer_is_the_calls_result(how, status, text):
    ran = []

    @tool
    async def asks(context: ToolContext) -> str:
        """Asks."""
        ran.append(1)
        return str(await context.interrupt(message="Sure?"))

    host, model = await paused(asks, script=[[Call("asks")], ["as you wish"]])
    (question,) = open_questions(host)
    armed = question.arm(question.created_at)
    host.settle(armed.decide(Decision(status=status, how=how), armed.created_at))
    result = await host.handle.result
    assert (result.end, result.text) == (End.COMPLETED, "as you wish")
    assert contents(host) == [(text, "QUESTION_CLOSED")]
    assert (len(ran), model.calls) == (1, 2)


async def test_a_decision_that_is_to_be_asked_anew_is_asked_anew():
    @tool
    async def asks(context: ToolContext) -> str:
        """Asks."""
        return str(await context.interrupt(message="Sure?"))

    host, _ = await paused(asks, script=[[Call("asks")], ["fine"]])
    (question,) = open_questions(host)
    host.settle(
        question.decide(Decision(status=Status.CANCELLED, how=Way.ASKED_ANEW), question.created_at)
    )
    await host.handle.result
    (anew,) = open_questions(host)
    assert anew.id != question.id
    assert (anew.ordinal, anew.message) == (0, "Sure?")


async def test_an_approver_question_says_so():
    @tool
    async def refund(context: ToolContext) -> str:
        """Refunds."""
        answer = await context.interrupt(
            message="May I?", kind="approval", to="approvers", expires_in=60, details={"sum": 5}
        )
        return str(answer["approved"])

    host, _ = await paused(refund, script=[[Call("refund")], ["ok"]])
    (question,) = open_questions(host)
    assert (question.approvers, question.expires_in_seconds) == (("approvers",), 60)
    assert (question.kind.value, question.details) == ("approval", {"sum": 5})
    await answered(host, {"approved": False})
    assert contents(host) == [("False", None)]


# -- approvals -------------------------------------------------------------------------------------

deployed: list[dict[str, Any]] = []


@tool(approval=True, destructive=True)
async def deploy(service: str, replicas: int = 1) -> str:
    """Deploys."""
    deployed.append({"service": service, "replicas": replicas})
    return "deployed"


@pytest.fixture(autouse=True)
def _nothing_deployed():
    deployed.clear()


def deploying(*more) -> list:
    return [[Call("deploy", {"service": "api"})], *more]


async def test_an_approval_asks_before_anything_runs():
    host, _ = await paused(deploy, script=deploying(["done"]))
    (question,) = open_questions(host)
    assert (question.kind.value, question.reason) == ("approval", "tool_call")
    assert question.message == "May deploy run?"
    assert question.details["arguments"] == {"service": "api"}
    assert question.details["suggestedRule"] is None
    assert deployed == []
    assert all(record.record != "started" for record in host.record.journal)
    result = await answered(host, {"approved": True})
    assert (result.end, deployed) == (End.COMPLETED, [{"service": "api", "replicas": 1}])


async def test_a_denial_names_its_reason_and_nothing_runs():
    host, _ = await paused(deploy, script=deploying(["a pity"]))
    await answered(host, {"approved": False, "reason": "not on Friday"})
    assert (deployed, contents(host)) == ([], [("Denied: not on Friday", "TOOL_DENIED")])


@pytest.mark.parametrize("value", ["yes", "true", 1, None])
async def test_only_true_itself_approves(value):
    host, _ = await paused(deploy, script=deploying(["a pity"]))
    (question,) = open_questions(host)
    with pytest.raises(AnswerInvalid):
        host.decide({question.id: {"approved": value}})
    decision = decision_of(question, {"approved": value}, Way.API)
    assert decision.status is Status.DENIED


async def test_edited_arguments_run_as_edited():
    host, _ = await paused(deploy, script=deploying(["done"]))
    edited = {"service": "api", "replicas": 3}
    await answered(host, {"approved": True, "updatedArguments": edited})
    assert deployed == [edited]


async def test_edited_arguments_are_checked_by_the_schema():
    host, _ = await paused(deploy, script=deploying(["I see"]))
    edited = {"service": "api", "replicas": "many"}
    with pytest.raises(AnswerInvalid, match="replicas"):
        await answered(host, {"approved": True, "updatedArguments": edited})
    assert deployed == []
    assert len(open_questions(host)) == 1


@pytest.mark.parametrize("edited", [None, {"service": "api", "replicas": 3}])
async def test_arguments_that_changed_after_the_approval_do_not_run(edited):
    host, _ = await paused(deploy, script=deploying(["I see"]))
    (question,) = open_questions(host)
    value = {"approved": True} | ({} if edited is None else {"updatedArguments": edited})
    decided = question.decide(decision_of(question, value, Way.API), question.created_at)
    forged: dict[str, Json] = {"service": "db", "replicas": 3}
    if edited is None:
        checkpoint = host.record.checkpoint
        assert isinstance(checkpoint, dict)
        checkpoint["batch"]["calls"][0]["arguments"] = forged  # type: ignore[index,call-overload]
    else:
        assert decided.decision is not None
        decided = replace(decided, decision=replace(decided.decision, updated_arguments=forged))
    host.settle(decided)
    await host.handle.result
    assert deployed == []
    assert contents(host)[0][1] == "APPROVAL_MISMATCH"


async def test_a_right_withdrawn_after_the_decision_keeps_the_tool_from_running():
    may = [Leave.ASK, Leave.REFUSE]
    facts = []

    async def may_run(asked):
        facts.append(asked)
        return may.pop(0)

    host, _ = await paused(deploy, script=deploying(["I see"]), may_run=may_run)
    await answered(host, {"approved": True})
    assert (deployed, contents(host)[0][1]) == ([], "TOOL_NOT_ALLOWED")
    assert (facts[0].approval, facts[0].destructive) == (None, True)
    assert facts[1].approval.status is Status.APPROVED


async def test_an_approval_may_depend_on_the_arguments():
    @tool(approval=lambda amount: amount > 100)
    async def pay(amount: int) -> str:
        """Pays."""
        return f"paid {amount}"

    @tool(approval=lambda amount: amount / 0)
    async def pay_oddly(amount: int) -> str:
        """Pays."""
        return f"paid {amount}"

    calls = [Call("pay", {"amount": 5}), Call("pay_oddly", {"amount": 5})]
    host, _ = await paused(
        pay, pay_oddly, script=[[*calls, Call("pay", {"amount": 500})], ["done"]]
    )
    assert [content for content, _ in contents(host)] == [
        "paid 5",
        "Whether pay_oddly needs an approval could not be told: division by zero",
    ]
    assert [question.details["arguments"] for question in open_questions(host)] == [{"amount": 500}]


async def test_a_failure_after_the_decision_does_not_burn_it():
    host, model = await paused(deploy, script=deploying([Fault()], ["done"]))
    result = await answered(host, {"approved": True})
    assert (result.end, result.error) == (End.FAILED, "MODEL_UNAVAILABLE")
    again = memory.MemoryHost(host.agent, record=host.record)
    result = await again.start().result
    assert (result.text, len(deployed), model.calls) == ("done", 1, 3)


# -- the context -----------------------------------------------------------------------------------


async def test_once_runs_once_over_pauses_and_restarts():
    charged = Counter[str]()

    @tool
    async def pay(context: ToolContext) -> str:
        """Pays."""

        async def charge() -> dict[str, str]:
            charged["async"] += 1
            return {"receipt": "r1"}

        receipt = await context.once("charge", charge)
        answer = await context.interrupt(message="Send the receipt?", response_schema=bool)
        return f"{receipt['receipt']} {answer}"

    @tool
    def pay_sync(context: SyncToolContext) -> str:
        """Pays."""

        def charge() -> int:
            charged["sync"] += 1
            return 7

        number = context.once("charge", charge)
        return f"{number} {context.interrupt(message='Print it?', response_schema=bool)}"

    host, _ = await paused(pay, pay_sync, script=[[Call("pay"), Call("pay_sync")], ["done"]])
    stored = type(host.record).from_json(host.record.to_json())
    restarted = memory.MemoryHost(host.agent, record=stored)
    restarted.state = host.state
    result = await answered(restarted, True)
    assert [question.message for question in result.questions] == ["Print it?"]
    await answered(restarted, False)
    assert charged == {"async": 1, "sync": 1}
    assert [content for content, _ in contents(restarted)] == ["r1 True", "7 False"]


async def test_a_value_that_is_no_json_can_not_be_kept():
    @tool
    async def keeps(context: ToolContext) -> str:
        """Keeps."""
        return str(await context.once("odd", object))

    recording = RecordingHost()
    await an_agent(ScriptedModel([Call("keeps")], ["ok"]), keeps).start(a_start(), recording).result
    assert recording.of(CallReturned)[0].result.error == "TOOL_RESULT_UNSERIALISABLE"


async def test_what_a_context_offers_by_behaviour_and_place():
    seen: dict[str, Any] = {}

    def look(context) -> None:
        seen[context.call_id] = (
            context.registrar is not None,
            hasattr(context, "interrupt"),
            context.signal.cancelled,
            context.principals,
        )

    behaviours = ["NON_INTERRUPTIBLE", "COOPERATIVE", "THREAD_INTERRUPT", "EXTERNALLY_TERMINATED"]
    tools = []
    for name in behaviours:

        @tool(name=name, behavior=name, sandboxed=name == "COOPERATIVE")
        async def looks(context: ToolContext) -> None:
            """Looks."""
            look(context)

        tools.append(looks)
    calls = [Call(name, id=name) for name in behaviours]
    recording = RecordingHost()
    await an_agent(ScriptedModel(calls, ["ok"]), *tools).start(a_start(), recording).result
    assert seen == {
        "NON_INTERRUPTIBLE": (False, True, False, ("ann",)),
        "COOPERATIVE": (False, False, False, ("ann",)),
        "THREAD_INTERRUPT": (True, True, False, ("ann",)),
        "EXTERNALLY_TERMINATED": (True, True, False, ("ann",)),
    }


async def test_a_call_that_has_returned_can_register_nothing():
    kept: list[Registrar] = []

    @tool(behavior="EXTERNALLY_TERMINATED")
    async def leaks(context: ToolContext) -> None:
        """Leaks its registrar."""
        assert context.registrar is not None
        kept.append(context.registrar)

    recording = RecordingHost()
    await an_agent(ScriptedModel([Call("leaks")], ["ok"]), leaks).start(a_start(), recording).result
    with pytest.raises(RuntimeError, match="has returned"):
        kept[0].register(print)
    kept[0].unregister(print)


async def test_outside_a_run_a_context_has_a_signal_that_never_trips_and_no_way_to_ask():
    for context in (ToolContext(), SyncToolContext()):
        context.signal.checkpoint()
        assert (context.registrar, context.run, context.principals) == (None, "", ())
        assert not hasattr(context, "interrupt")
    assert await ToolContext().once("key", lambda: 3) == 3
    assert SyncToolContext().once("key", lambda: 3) == 3
    await ToolContext().progress("going")


async def test_progress_reaches_the_host():
    @tool
    async def slow(context: ToolContext) -> None:
        """Reports."""
        await context.progress("half", 0.5)

    @tool
    def slow_too(context: SyncToolContext) -> None:
        """Reports."""
        context.progress("all")

    recording = RecordingHost()
    model = ScriptedModel([Call("slow"), Call("slow_too")], ["ok"])
    await an_agent(model, slow, slow_too).start(a_start(), recording).result
    await until(lambda: len(recording.progressed) == 2)
    assert recording.progressed == [("call_1", "half", 0.5), ("call_2", "all", None)]


async def test_a_question_while_the_run_is_being_stopped_reads_the_abort():
    class Stopping(RecordingHost):
        async def emit(self, event):
            if isinstance(event, Asked):
                handle.stop(InterruptReason.USER_SIGINT)
            await super().emit(event)

    @tool
    async def asks(context: ToolContext) -> None:
        """Asks."""
        await context.interrupt(message="Sure?")

    recording = Stopping()
    recording.refuses = (Asked,)
    handle = an_agent(ScriptedModel([Call("asks")]), asks).start(a_start(), recording)
    result = await handle.result
    assert result.end is End.INTERRUPTED
    assert recording.names == ["Began", "CallStarted", "CallReturned", "Ended"]
    assert recording.of(CallStarted)[0].call.id == "call_1"
    assert recording.of(CallReturned)[0].result.content == "Interrupted: USER_SIGINT"
