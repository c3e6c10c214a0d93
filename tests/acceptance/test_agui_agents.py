"""An AG-UI server as the agent: its text, tools, state and questions, and everything that it may do
wrong.
"""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from gateway.core.interrupts import iso
from gateway.core.messages import OUTCOME_UNKNOWN
from tests.acceptance.calling import CallDesk
from tests.acceptance.desk import Desk
from tests.acceptance.people import Person
from tests.acceptance.rest import rest
from tests.acceptance.scripted import Gate
from tests.builders import LoopClock
from tests.fakes.agui_server import AguiServer, agui_server, asks, call, result, run, text

pytestmark = pytest.mark.looptime
EU = {"type": "string", "enum": ["eu", "us"]}
LEAVE = {
    "type": "object",
    "properties": {"approved": {"type": "boolean"}, "editedArgs": {"type": "object"}},
    "required": ["approved"],
}


def desk_of(tmp_path: Path, server: AguiServer, **settings: Any) -> Desk:
    return at(Desk(tmp_path, None, **settings), server.url)


def at(desk: Desk, url: str) -> Desk:
    desk.settings = desk.settings.model_copy(update={"agent": f"agui:{url}"})
    return desk


def said_to(server: AguiServer, number: int = -1) -> list[tuple[str, str]]:
    return [(m["role"], m["content"]) for m in server.requests[number]["messages"]]


async def test_text_tools_and_state_over_two_runs(tmp_path: Path):
    state: list[Any] = [{"type": "STATE_SNAPSHOT", "snapshot": {"mood": "dry", "n": 1}}]
    state += [{"type": "STATE_DELTA", "delta": [{"op": "replace", "path": "/n", "value": 2}]}]
    first = run(text("Let me |look."), call("c1", "look", city="Riga"), result("c1", "sun"))
    first[-1:] = [*state, *text("It is sunny.", "m2"), first[-1]]
    async with agui_server(first, run(text("You are welcome.", "m3"))) as server:
        async with desk_of(tmp_path, server, agent_token="s3cret") as desk:
            ann = await desk.person("ann")
            assert await ann.outcome(await ann.say("weather?")) == ("answered", "")
            await ann.shows("It is sunny.")
            log = (await ann.export())["entries"]
            assert [(e["kind"], e["step"]) for e in log] == [
                ("user", 0),
                ("assistant", 1),
                ("tool_call", 1),
                ("tool_result", 1),
                ("assistant", 2),
            ]
            assert log[2]["body"]["arguments"] == {"city": "Riga"}
            assert "providerParts" not in str(log)
            await ann.outcome(await ann.say("thanks"))
        one, two = server.requests
        assert server.headers[0]["Authorization"] == "Bearer s3cret"
        assert two["threadId"] == one["threadId"]
        assert two["state"] == {"mood": "dry", "n": 2}
        assert [m["id"] for m in two["messages"][1:4]] == ["m1", "r-c1", "m2"]
        assert two["messages"][0] == one["messages"][0]
        assert [r for r, _ in said_to(server)] == ["user", "assistant", "tool", "assistant", "user"]


async def test_a_deleted_conversation_is_not_gone_on_with(tmp_path: Path):
    """A server with a memory would know it by its id."""
    steps = run(text("Noted.")), run(text("Which secret?", "m2")), run(text("Hello.", "m3"))
    async with agui_server(*steps) as server:
        async with desk_of(tmp_path, server) as desk:
            ann = await desk.person("ann", "local:ann")
            await ann.outcome(await ann.say("my secret is 7"))
            await ann.call("threads.delete", thread="local:ann")
            await asyncio.sleep(1)
            ann = await desk.person("ann", "local:ann")
            await ann.outcome(await ann.say("my secret is 7"))
        async with desk_of(tmp_path / "elsewhere", server) as other:
            await asyncio.sleep(30)
            ann = await other.person("ann", "local:ann")
            await ann.outcome(await ann.say("my secret is 7"))
        assert len({request["threadId"] for request in server.requests}) == 3


async def test_a_question_is_asked_and_its_answer_resumes(tmp_path: Path):
    question = {"id": "i1", "reason": "pick", "message": "Where?", "responseSchema": EU}
    steps = run(text("Hm."), outcome=asks(question)), run(text("Done.", "m2"))
    async with agui_server(*steps) as server, desk_of(tmp_path, server) as desk:
        ann = await desk.person("ann")
        said = await ann.say("deploy")
        asked = (await ann.frame("question"))["data"]["question"]
        assert (asked["message"], asked["responseSchema"]) == ("Where?", EU)
        await ann.say("us")
        assert await ann.outcome(said) == ("answered", "")
        first, second = server.requests
        assert second["resume"] == [{"interruptId": "i1", "status": "resolved", "payload": "us"}]
        assert second["threadId"] == first["threadId"]
        assert second["runId"] != first["runId"]
        assert [m["role"] for m in second["messages"]] == ["user", "assistant"]
        results = [e for e in (await ann.export())["entries"] if e["kind"] == "tool_result"]
        assert [e["body"]["content"] for e in results] == ["us"]


@pytest.mark.parametrize(
    ("words", "payload"),
    [("yes", {"approved": True}), ("no", {"approved": False}), ("нет", {"approved": False})],
)
async def test_an_approval(tmp_path: Path, words: str, payload: Any):
    question = {"id": "i1", "reason": "tool_call", "toolCallId": "c1", "responseSchema": LEAVE}
    asking = run(text("Now."), call("c1", "refund", sum=5), outcome=asks(question))
    on = run(result("c1", "done"), text("Fine.", "m2"))
    async with agui_server(asking, on) as server, desk_of(tmp_path, server) as desk:
        ann = await desk.person("ann", language="ru" if words == "нет" else "en")
        said = await ann.say("refund me")
        asked = (await ann.frame("question"))["data"]["question"]
        assert (asked["kind"], asked["reason"]) == ("approval", "tool_call")
        assert asked["details"] == {"arguments": {"sum": 5}}
        assert "updatedArguments" in asked["responseSchema"]["properties"]
        for unclear in ("no problem", "maybe"):
            await ann.say(unclear)
        assert len(server.requests) == 1
        await ann.say(words)
        assert await ann.outcome(said) == ("answered", "")
        (entry,) = server.requests[1]["resume"]
        assert entry["status"] == "resolved"
        assert {**entry["payload"], "reason": 0} == {**payload, "reason": 0}
        # The call that is about to be answered has no result in what the server is sent.
        assert [m["role"] for m in server.requests[1]["messages"]] == ["user", "assistant"]


@pytest.mark.parametrize("named", [True, False])
async def test_an_approval_on_a_call_says_what_is_to_be_allowed(tmp_path: Path, named: bool):
    """The call with its arguments; where it is about none, what the agent says."""
    question = {"id": "i1", "reason": "tool_call", "message": "Wipe all?", "responseSchema": LEAVE}
    about = call("c1", "refund", sum=5) if named else []
    question |= {"toolCallId": "c1"} if named else {}
    asking = run(*([about] if about else []), outcome=asks(question))
    async with agui_server(asking, run(text("Fine."))) as server:
        calls = CallDesk(tmp_path, None)
        async with at(calls, server.url):
            ann = await calls.caller()
            await ann.say("go on")
            wanted = "May I do this: refund, sum 5?" if named else "Wipe all?"
            await ann.hears(wanted)
            await ann.until(lambda: not ann.playing(), 20, "it was asked")
            assert (await ann.say("no"))["outcome"] == "answer"
            await ann.hears("Fine.")
        assert server.requests[1]["resume"][0]["payload"] == {"approved": False}


async def test_edited_arguments_go_back(tmp_path: Path):
    question = {"id": "i1", "reason": "tool_call", "toolCallId": "c1", "responseSchema": LEAVE}
    asking = run(call("c1", "refund", sum=5), outcome=asks(question))
    async with agui_server(asking, run(result("c1", "ok"))) as server:
        async with desk_of(tmp_path, server) as desk:
            ann = await desk.person("ann")
            said = await ann.say("refund me")
            asked = await ann.frame("question")
            await ann.press(asked, "value", {"approved": True, "updatedArguments": {"sum": 3}})
            assert await ann.outcome(said) == ("answered", "")
        (entry,) = server.requests[1]["resume"]
        assert entry["payload"] == {"approved": True, "editedArgs": {"sum": 3}}


async def test_the_legacy_event_asks_too(tmp_path: Path):
    legacy = {"type": "CUSTOM", "name": "on_interrupt", "value": "Which town?"}
    async with agui_server(run(legacy), run(text("Off we go."))) as server:
        async with desk_of(tmp_path, server) as desk:
            ann = await desk.person("ann")
            said = await ann.say("travel")
            assert (await ann.frame("question"))["data"]["question"]["message"] == "Which town?"
            await ann.say("Riga")
            assert await ann.outcome(said) == ("answered", "")
        assert server.requests[1]["forwardedProps"] == {"command": {"resume": "Riga"}}
        assert "resume" not in server.requests[1]


async def test_several_questions_go_back_together(tmp_path: Path):
    one = {"id": "i1", "reason": "a", "message": "First?", "responseSchema": EU}
    two = {"id": "i2", "reason": "b", "message": "Second?", "responseSchema": {"type": "integer"}}
    async with agui_server(run(outcome=asks(one, two)), run(text("ok"))) as server:
        async with desk_of(tmp_path, server) as desk:
            ann = await desk.person("ann")
            said = await ann.say("go")
            await ann.frame("question")
            await ann.say("7")
            await asyncio.sleep(1)
            assert len(server.requests) == 1
            await ann.say("eu")
            assert await ann.outcome(said) == ("answered", "")
        assert server.requests[1]["resume"] == [
            {"interruptId": "i1", "status": "resolved", "payload": "eu"},
            {"interruptId": "i2", "status": "resolved", "payload": 7},
        ]


async def test_a_question_that_expires_is_cancelled_and_the_run_goes_on(tmp_path: Path):
    def asking(body: Any) -> list[Any]:
        at = iso(LoopClock().now() + timedelta(seconds=900))
        return run(outcome=asks({"id": "i1", "reason": "a", "message": "Well?", "expiresAt": at}))

    async with agui_server(asking, run(text("Too late."))) as server:
        async with desk_of(tmp_path, server) as desk:
            ann = await desk.person("ann")
            said = await ann.say("go")
            await ann.frame("question")
            assert await ann.outcome(said, within=90_000) == ("answered", "")
        assert server.requests[1]["resume"] == [{"interruptId": "i1", "status": "cancelled"}]


async def test_moving_on_leaves_the_servers_thread_behind(tmp_path: Path):
    question = {"id": "i1", "reason": "pick", "message": "Where?", "responseSchema": EU}
    async with agui_server(run(outcome=asks(question)), run(text("Sure."))) as server:
        async with desk_of(tmp_path, server) as desk:
            ann = await desk.person("ann")
            await ann.say("deploy")
            await ann.frame("question")
            said = await ann.say("forget that, tell me about the weather over there instead")
            assert await ann.outcome(said) == ("answered", "")
        first, second = server.requests
        assert "resume" not in second
        assert second["threadId"] != first["threadId"]


async def test_a_stop_closes_the_stream_and_the_unheard_is_never_sent(tmp_path: Path):
    gate = Gate()
    long = [{"type": "RUN_STARTED"}, *text("One |two ")[:3], gate, *text("three")]
    async with agui_server(long, run(text("Right.", "m9"))) as server:
        async with desk_of(tmp_path, server) as desk:
            ann = await desk.person("ann")
            said = await ann.say("count")
            await ann.shows("One two ")
            await ann.stop()
            assert await ann.outcome(said) == ("interrupted", "USER_SIGINT")
            await asyncio.sleep(3)
            assert server.gone == 1
            assert await ann.outcome(await ann.say("and?")) == ("answered", "")
        assert said_to(server)[1] == ("assistant", "One two [interrupted by the user]")
        assert server.requests[1]["threadId"] != server.requests[0]["threadId"]


async def test_what_cannot_be_steered_waits_for_the_next_run(tmp_path: Path):
    gate = Gate()
    first = run(text("Working."), gate, text("Done.", "m2"))
    async with agui_server(first, run(text("Second.", "m3"))) as server:
        async with desk_of(tmp_path, server) as desk:
            ann = await desk.person("ann")
            one = await ann.say("one")
            await gate.reached.wait()
            two = await ann.say("two")
            await asyncio.sleep(1)
            assert "WAITS" in ann.codes()
            assert "JOINS" not in ann.codes()
            gate.open()
            assert await ann.outcome(one) == ("answered", "")
            assert await ann.outcome(two) == ("answered", "")
        assert said_to(server) == [
            ("user", "one"),
            ("assistant", "Working."),
            ("assistant", "Done."),
            ("user", "two"),
        ]


async def test_what_is_sent_to_such_a_run_by_its_address_is_refused(tmp_path: Path):
    gate = Gate()
    steps = run(text("Working."), gate)
    async with agui_server(steps) as server, desk_of(tmp_path, server) as desk, rest(desk) as me:
        _, started = await me.start("one")
        await gate.reached.wait()
        for how in ("steer", "follow-up", "inject"):
            status, wrong = await me.post(f"/v1/runs/{started['id']}/{how}", {"text": "more"})
            assert (status, wrong["code"]) == (409, "RUN_ENDED"), how
        gate.open()
        assert (await me.ended(started["id"]))["status"] == "completed"
        assert (await me.get("/v1/agents"))[1]["agents"][0] == {
            "name": "clerk",
            "steer": False,
            "ask": True,
        }


async def test_a_fresh_start_and_a_stop_before_anything_came(tmp_path: Path):
    gate = Gate()
    steps = run(text("One.")), run(text("Two.", "m2")), [STARTED, gate], run(text("Three.", "m3"))
    async with agui_server(*steps) as server, desk_of(tmp_path, server) as desk:
        ann = await desk.person("ann")
        await ann.outcome(await ann.say("a"))
        await ann.say("/new")
        await ann.outcome(await ann.say("b"))
        said = await ann.say("c")
        await gate.reached.wait()
        await ann.stop()
        assert await ann.outcome(said) == ("interrupted", "USER_SIGINT")
        await ann.outcome(await ann.say("d"))
        assert said_to(server, 1) == [("user", "b")]
        threads = [request["threadId"] for request in server.requests]
        assert threads[1] == threads[2]
        assert len(set(threads)) == 3


STARTED = {"type": "RUN_STARTED"}
FINISHED = {"type": "RUN_FINISHED"}
DOUBLED = {"type": "STATE_DELTA", "delta": [{"op": "copy", "from": "", "path": "/-"}] * 64}
CASES: list[tuple[str, list[Any], str]] = [
    ("no beginning", text("hi"), "AGENT_BROKEN_STREAM"),
    ("twice begun", [STARTED, STARTED], "AGENT_BROKEN_STREAM"),
    ("cut off", [STARTED, *text("hi")], "AGENT_BROKEN_STREAM"),
    ("broken off", [STARTED, *text("hi"), None], "AGENT_BROKEN_STREAM"),
    ("text left open", [STARTED, *text("hi")[:2], FINISHED], "AGENT_BROKEN_STREAM"),
    ("call left open", [STARTED, *call("c", "t")[:2], FINISHED], "AGENT_BROKEN_STREAM"),
    ("text out of order", [STARTED, text("hi")[1], FINISHED], "AGENT_BROKEN_STREAM"),
    ("result of nothing", run(result("c9", "x")), "AGENT_BROKEN_STREAM"),
    (
        "result before its call",
        [STARTED, *call("c", "t")[:1], result("c", "x")],
        "AGENT_BROKEN_STREAM",
    ),
    ("no json", [STARTED, b"data: {nope\n\n"], "AGENT_BROKEN_STREAM"),
    ("bad utf-8", [STARTED, b"data: \xff\xfe\n\n"], "AGENT_BROKEN_STREAM"),
    ("no event", [b"data: [1]\n\n"], "AGENT_BROKEN_STREAM"),
    (
        "wrong type",
        [STARTED, {"type": "TEXT_MESSAGE_CONTENT", "messageId": 7}],
        "AGENT_BROKEN_STREAM",
    ),
    ("no interrupts", run(outcome=asks()), "AGENT_BROKEN_STREAM"),
    ("same ids", run(outcome=asks(*[{"id": "i", "reason": "r"}] * 2)), "AGENT_BROKEN_STREAM"),
    (
        "more questions than anybody answers",
        run(outcome=asks(*({"id": f"i{n}", "reason": "r"} for n in range(101)))),
        "AGENT_BROKEN_STREAM",
    ),
    (
        "a state that doubles",
        run({"type": "STATE_SNAPSHOT", "snapshot": [1]}, DOUBLED),
        "AGENT_BROKEN_STREAM",
    ),
    (
        "calls without an end",
        run(
            *(
                {"type": "TOOL_CALL_START", "toolCallId": f"c{n}", "toolCallName": "t"}
                for n in range(1_001)
            ),
            9_999.0,
        ),
        "AGENT_BROKEN_STREAM",
    ),
    (
        "messages that nobody reads without an end",
        run(
            *(
                {"type": "TEXT_MESSAGE_START", "messageId": f"s{n}", "role": "system"}
                for n in range(1_001)
            )
        ),
        "AGENT_BROKEN_STREAM",
    ),
    ("empty id", run(outcome=asks({"id": "", "reason": "r"})), "AGENT_BROKEN_STREAM"),
    (
        "success with interrupts",
        run(outcome={"type": "success", "interrupts": [{"id": "i", "reason": "r"}]}),
        "AGENT_BROKEN_STREAM",
    ),
    (
        "garbage expiry",
        run(outcome=asks({"id": "i", "reason": "r", "expiresAt": "soon"})),
        "AGENT_BROKEN_STREAM",
    ),
    (
        "a form that nobody can fill in",
        run(outcome=asks({"id": "i", "reason": "r", "responseSchema": {"type": 7}})),
        "AGENT_BROKEN_STREAM",
    ),
    (
        "about no call",
        run(outcome=asks({"id": "i", "reason": "tool_call", "toolCallId": "c7"})),
        "AGENT_BROKEN_STREAM",
    ),
    (
        "a patch that fits nothing",
        run({"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "/a"}]}),
        "AGENT_BROKEN_STREAM",
    ),
    (
        "its own error",
        [STARTED, {"type": "RUN_ERROR", "message": "oh", "code": "X"}],
        "AGENT_FAILED",
    ),
    ("silence", [STARTED, 9_999.0], "AGENT_SILENT"),
    ("401", [401], "AGENT_REFUSED"),
    ("422", [422], "AGENT_REFUSED"),
    ("503", [503], "AGENT_UNREACHABLE"),
]


async def test_a_bad_server_is_a_clear_error_and_the_thread_goes_on(tmp_path: Path):
    steps = [part for _, step, _ in CASES for part in (step, run(text("Well.", "m7")))]
    async with agui_server(*steps) as server, desk_of(tmp_path, server) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        for case, _, code in CASES:
            outcome, _ = await ann.outcome(await ann.say(case), within=500)
            assert outcome == "failed", case
            entries = (await ann.export())["entries"]
            assert [e["body"]["reason"] for e in entries if "reason" in e["body"]][-1] == code, case
            assert await ann.outcome(await ann.say("again")) == ("answered", ""), case


async def test_a_server_that_never_ends_is_stopped_by_the_runs_time(tmp_path: Path):
    forever = [STARTED, *text("a")[:2], *[30.0, text("b")[1]] * 100]
    timeouts = {"run_seconds": 120}
    steps = forever, run(text("Well.", "m7"))
    async with agui_server(*steps) as server, desk_of(tmp_path, server, timeouts=timeouts) as desk:
        ann = await desk.person("ann")
        said = await ann.say("go")
        assert await ann.outcome(said, within=500) == ("interrupted", "BUDGET_EXCEEDED")
        assert await ann.outcome(await ann.say("again")) == ("answered", "")


async def test_nobody_listens_there(tmp_path: Path):
    async with agui_server(run()) as server:
        url = server.url
    async with at(Desk(tmp_path, None), url) as desk:
        desk.may_fail = True
        ann = await desk.person("ann", language="ru")
        said = await ann.say("go")
        assert (await ann.outcome(said))[0] == "failed"


async def _asked(server: AguiServer, ann: Person) -> Any:
    said = await ann.say("refund me")
    await ann.frame("question")
    return said


def approving(*more: Any) -> list[Any]:
    question = {"id": "i1", "reason": "tool_call", "toolCallId": "c1", "responseSchema": LEAVE}
    return [run(call("c1", "refund", sum=5), outcome=asks(question)), *more]


async def test_race_24_a_question_outlives_the_process(tmp_path: Path):
    steps = approving(run(result("c1", "ok"), text("Fine.")))
    async with agui_server(*steps) as server, desk_of(tmp_path, server) as desk:
        ann = await desk.person("ann")
        said = await _asked(server, ann)
        await desk.kill()
        await desk.start()
        ann = await desk.person("ann")
        await ann.say("yes")
        assert await ann.outcome(said) == ("answered", "")
        assert len(server.requests) == 2
        assert server.requests[1]["resume"][0]["payload"] == {"approved": True}


async def test_race_23_what_was_resumed_and_cut_off_is_not_resumed_again(tmp_path: Path):
    gate = Gate()
    steps = approving([STARTED, gate], run(text("I don't know whether it went through.")))
    async with agui_server(*steps) as server, desk_of(tmp_path, server) as desk:
        ann = await desk.person("ann")
        said = await _asked(server, ann)
        await ann.say("yes")
        await gate.reached.wait()
        await desk.kill()
        gate.open()
        await desk.start()
        ann = await desk.person("ann")
        assert await ann.outcome(said) == ("answered", "")
        assert len(server.requests) == 3
        third = server.requests[2]
        assert "resume" not in third
        assert third["threadId"] != server.requests[0]["threadId"]
        assert third["messages"][-1]["role"] == "tool"
        assert OUTCOME_UNKNOWN in third["messages"][-1]["content"]


async def test_row_051_an_answer_that_never_arrived_is_not_burnt(tmp_path: Path):
    steps = approving([503], run(result("c1", "ok"), text("Fine.")))
    async with agui_server(*steps) as server, desk_of(tmp_path, server) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        said = await _asked(server, ann)
        await ann.say("yes")
        assert (await ann.outcome(said))[0] == "failed"
        again = await ann.say("/retry")
        assert await ann.outcome(again) == ("answered", "")
        assert [r.get("resume") for r in server.requests[1:]] == [server.requests[1]["resume"]] * 2


async def test_race_28_who_may_not_any_more_approves_nothing(tmp_path: Path):
    steps = approving(run(result("c1", "not done"), text("It was denied.")))
    async with agui_server(*steps) as server:
        async with desk_of(tmp_path, server, tools={"refund": ("ann",)}) as desk:
            ann = await desk.person("ann")
            said = await _asked(server, ann)
            desk.app.router.wiring.access._tools = {"refund": {"bob"}}
            await ann.say("yes")
            assert await ann.outcome(said) == ("answered", "")
        assert server.requests[1]["resume"][0]["payload"] == {"approved": False}


@pytest.mark.parametrize("form", [LEAVE, EU])
async def test_race_28_an_answer_that_does_not_count_is_logged_as_none(tmp_path: Path, form: Any):
    question = {"id": "i1", "reason": "confirmation", "message": "Now?", "responseSchema": form}
    steps = run(text("Hm."), outcome=asks(question)), run(text("Well.", "m2"))
    async with agui_server(*steps) as server:
        async with desk_of(tmp_path, server, tools={"question": ("ann",)}) as desk:
            ann = await desk.person("ann")
            said = await _asked(server, ann)
            desk.app.router.wiring.access._tools = {"question": {"bob"}}
            await ann.say("yes" if form is LEAVE else "eu")
            assert await ann.outcome(said) == ("answered", "")
            (told,) = [e for e in (await ann.export())["entries"] if e["kind"] == "tool_result"]
        (entry,) = server.requests[1]["resume"]
        assert entry.get("payload") == ({"approved": False} if form is LEAVE else None)
        assert "does not count" in told["body"]["content"]
        assert told["body"]["error"] == "TOOL_NOT_ALLOWED"


async def test_a_tool_that_is_not_theirs_stops_the_run(tmp_path: Path):
    step = [STARTED, *call("c1", "refund", sum=5), 60.0, result("c1", "ok"), FINISHED]
    bobs = {"refund": ("bob",)}
    async with agui_server(step) as server, desk_of(tmp_path, server, tools=bobs) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        assert (await ann.outcome(await ann.say("refund me")))[0] == "failed"
        await asyncio.sleep(3)
        assert server.gone == 1


async def test_a_message_that_came_only_with_the_snapshot_is_said(tmp_path: Path):
    def step(body: Any) -> list[Any]:
        messages = [*body["messages"], {"id": "a1", "role": "assistant", "content": "At once."}]
        return run({"type": "MESSAGES_SNAPSHOT", "messages": messages})

    async with agui_server(step) as server, desk_of(tmp_path, server) as desk:
        ann = await desk.person("ann")
        assert await ann.outcome(await ann.say("hi")) == ("answered", "")
        await ann.shows("At once.")


async def test_reasoning_and_what_is_unknown_is_left_out(tmp_path: Path):
    think: list[Any] = [
        {"type": "REASONING_START", "messageId": "t"},
        {"type": "REASONING_MESSAGE_CONTENT", "messageId": "t", "delta": "secret thoughts"},
        {"type": "SOMETHING_NEW", "x": 1},
        {"type": "STEP_STARTED", "stepName": "s"},
    ]
    step = run(think, {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "Hello"})
    async with agui_server(step) as server, desk_of(tmp_path, server) as desk:
        ann = await desk.person("ann")
        assert await ann.outcome(await ann.say("hi")) == ("answered", "")
        assert "secret" not in str(ann.frames)
        await ann.shows("Hello")
