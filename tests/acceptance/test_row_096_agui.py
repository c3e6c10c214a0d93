"""Row 96: AG-UI. Streams are valid and close what they opened; outcomes are success, interrupt and
cancelled; answers come by `resume`; what is incomplete asks again; what has ended is replayed.
"""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.agui import agui
from tests.acceptance.asking import REGION, REPLICAS, asking_agent, requests_of
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Gate, Script, call, messages

pytestmark = pytest.mark.looptime


@tool
async def look(city: str) -> str:
    """Looks."""
    return f"sun in {city}"


def deploying(ran: list[Any], *steps: Any) -> Agent:
    @tool(approval=True)
    async def deploy(service: str, replicas: int) -> str:
        """Deploys."""
        ran.append((service, replicas))
        return f"{service} x{replicas}"

    model = Script(["now", call("deploy", service="api", replicas=2)], *(steps or (["fine"],)))
    return Agent("tester", model, tools=[deploy])


def two_questions(*steps: Any) -> Agent:
    @tool(parallel_safe=True)
    async def choose(what: str, context: ToolContext) -> str:
        """Asks."""
        answer = await context.interrupt(message=f"Which {what}?", response_schema=REGION)
        return f"{what}={answer}"

    model = Script([call("choose", what="a"), call("choose", what="b")], *(steps or (["both"],)))
    return Agent("tester", model, tools=[choose], parallel_tool_calls=True)


async def test_text_and_tools_are_closed_before_the_end(tmp_path: Path):
    model = Script(["Let me ", 0.1, "look.", call("look", city="Riga")], ["It is ", 0.1, "sunny."])
    async with Desk(tmp_path, Agent("tester", model, tools=[look])) as desk, agui(desk) as me:
        run = await me.say("weather?")
        assert run.outcome == "success"
        names = [name for name in run.types if name != "TEXT_MESSAGE_CONTENT"]
        assert names == [
            "RUN_STARTED",
            *("TEXT_MESSAGE_START", "TEXT_MESSAGE_END"),
            *("TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT"),
            *("TEXT_MESSAGE_START", "TEXT_MESSAGE_END"),
            "RUN_FINISHED",
        ]
        assert run.of("TOOL_CALL_RESULT")[0]["content"] == "sun in Riga"
        assert [m.get("content", "") for m in me.messages][-1] == "It is sunny."
        again = await me.say("thanks")
        assert again.outcome == "success"
        assert not again.of("MESSAGES_SNAPSHOT")
        assert messages(model.requests[-1])[0] == ("user", "weather?")


async def test_a_question_ends_the_run_and_resume_goes_on(tmp_path: Path):
    agent = asking_agent(REGION, ["on it"])
    async with Desk(tmp_path, agent) as desk, agui(desk) as me:
        run = await me.say("go")
        assert run.outcome == "interrupt"
        (question,) = run.interrupts
        assert (question["reason"], question["responseSchema"]) == ("input_required", REGION)
        on = await me.resume({question["id"]: "eu"})
        assert (on.outcome, on.text) == ("success", "on it")
        assert on.types[:3] == ["RUN_STARTED", "MESSAGES_SNAPSHOT", "TOOL_CALL_RESULT"]
        assert on.of("TOOL_CALL_RESULT")[0]["toolCallId"] == question["toolCallId"]


async def test_an_approval_with_edited_arguments(tmp_path: Path):
    ran: list[Any] = []
    async with Desk(tmp_path, deploying(ran)) as desk, agui(desk) as me:
        run = await me.say("go")
        (question,) = run.interrupts
        assert question["reason"] == "tool_call"
        assert "editedArgs" in question["responseSchema"]["properties"]
        assert run.of("TOOL_CALL_START")[0]["toolCallId"] == question["toolCallId"]
        wrong = await me.resume({question["id"]: {"approved": True, "editedArgs": {"replicas": 9}}})
        assert wrong.outcome == "INTERRUPT_ANSWER_INVALID"
        unclear: Any
        for unclear in ("yes", True, {"approved": "yes"}, {"approved": 1}, {}, None, []):
            entry = {"interruptId": question["id"], "status": "resolved", "payload": unclear}
            refused = await me.open(me.input(resume=[entry])).done()
            assert refused.outcome == "INTERRUPT_ANSWER_INVALID", unclear
        assert not ran
        edited = {"approved": True, "editedArgs": {"service": "api", "replicas": 3}}
        on = await me.resume({question["id"]: edited})
        assert (on.outcome, ran) == ("success", [("api", 3)])


async def test_an_incomplete_resume_interrupts_again(tmp_path: Path):
    async with Desk(tmp_path, two_questions()) as desk, agui(desk) as me:
        run = await me.say("go")
        one, two = run.interrupts
        half = await me.resume({one["id"]: "eu"})
        assert half.outcome == "interrupt"
        assert half.interrupts == [two]
        assert (await me.again(half)).interrupts == [two]
        nothing = await me.open(me.input()).done()
        assert nothing.interrupts == [two]
        on = await me.resume({two["id"]: "us"})
        assert (on.outcome, on.text) == ("success", "both")
        assert (await me.again(half)).interrupts == [two]


async def test_everything_cancelled_ends_the_run_without_a_model_call(tmp_path: Path):
    agent = two_questions()
    async with Desk(tmp_path, agent) as desk, agui(desk) as me:
        run = await me.say("go")
        off = await me.resume({q["id"]: None for q in run.interrupts})
        assert off.outcome == "cancelled"
        assert len(requests_of(agent)) == 1
        assert "declined" in me.messages[-1]["content"]


async def test_one_cancelled_of_two_is_declined_alone(tmp_path: Path):
    agent = two_questions()
    async with Desk(tmp_path, agent) as desk, agui(desk) as me:
        one, two = (await me.say("go")).interrupts
        on = await me.resume({one["id"]: None, two["id"]: "us"})
        assert on.outcome == "success"
        results = [text for kind, text in messages(requests_of(agent)[1]) if kind == "result"]
        assert "declined" in results[0]
        assert results[1] == "b=us"


async def test_cancelling_an_approval_denies_it(tmp_path: Path):
    ran: list[Any] = []
    async with Desk(tmp_path, deploying(ran)) as desk, agui(desk) as me:
        (question,) = (await me.say("go")).interrupts
        off = await me.resume({question["id"]: None})
        assert (off.outcome, ran) == ("cancelled", [])


async def test_an_ended_run_posted_again_is_replayed(tmp_path: Path):
    ran: list[Any] = []
    agent = deploying(ran)
    async with Desk(tmp_path, agent) as desk, agui(desk) as me:
        first = await me.say("go")
        (question,) = first.interrupts
        on = await me.resume({question["id"]: {"approved": True}})
        for _ in range(2):
            again = await me.again(on)
            assert again.outcome == "success"
            assert "TEXT_MESSAGE_START" not in again.types
            assert again.of("MESSAGES_SNAPSHOT")[0]["messages"][-1]["content"] == "fine"
            assert (await me.again(first)).interrupts == [question]
            await desk.restart()
            me.url = f"{desk.app.address}/agui/tester"
        assert len(ran) == 1
        assert len(requests_of(agent)) == 2
        other = {**first.sent, "messages": [{"id": "u9", "role": "user", "content": "else"}]}
        assert (await me.open(other).done()).outcome == "409 IDEMPOTENCY_KEY_REUSED"
        changed = me.answers({question["id"]: {"approved": False}}, run=on.sent["runId"])
        assert (await me.open(changed).done()).outcome == "IDEMPOTENCY_KEY_REUSED"


async def test_a_client_that_goes_away_stops_its_run(tmp_path: Path):
    model = Script(["One ", 0.2, "two ", 30.0, "three"], ["fresh"])
    async with Desk(tmp_path, Agent("tester", model)) as desk, agui(desk) as me:
        run = me.open(me.input("count"))
        await run.until("TEXT_MESSAGE_CONTENT")
        await asyncio.sleep(1)
        await run.drop()
        await asyncio.sleep(5)
        assert not model.open_streams
        again = await me.again(run)
        assert again.outcome == "cancelled"
        # What it had got is what is saved, marked: the next run says so.
        on = await me.say("and now?")
        assert on.outcome == "success"
        assert ("assistant", "One two [interrupted by the user]") in messages(model.requests[-1])


async def test_the_cut_reply_is_put_right_at_the_next_run(tmp_path: Path):
    model = Script(["One ", 0.2, "two ", 30.0, "three"], ["fresh"])
    async with Desk(tmp_path, Agent("tester", model)) as desk, agui(desk) as me:
        run = me.open(me.input("count"))
        await run.until("TEXT_MESSAGE_CONTENT")
        await asyncio.sleep(1)
        now = me.open(me.input("stop that", forwardedProps={"bargein": {"priority": "now"}}))
        assert (await run.done()).outcome == "cancelled"
        await now.done()
        assert (now.outcome, now.text) == ("success", "fresh")
        (snapshot,) = now.of("MESSAGES_SNAPSHOT")
        cut = next(m for m in snapshot["messages"] if m["role"] == "assistant")
        assert cut["content"] == "One two "
        assert cut["metadata"] == {"interrupted": True, "reason": "NOW_PRIORITY_INPUT"}
        assert [m["role"] for m in me.messages] == ["user", "assistant", "user", "assistant"]
        third = await me.say("go on")
        assert not third.of("MESSAGES_SNAPSHOT")


async def test_a_limit_is_cancelled_and_a_failure_an_error(tmp_path: Path):
    model = Script([call("look", city="Riga")])
    agent = Agent("tester", model, tools=[look], max_iterations=2)
    async with Desk(tmp_path, agent) as desk, agui(desk) as me:
        assert (await me.say("go")).outcome == "cancelled"
    broken = Agent("tester", Script([ValueError("no")]))
    async with Desk(tmp_path / "b", broken) as desk, agui(desk) as me:
        desk.may_fail = True
        failed = await me.say("go")
        assert failed.outcome == "INTERNAL_ERROR"
        assert (await me.again(failed)).outcome == "INTERNAL_ERROR"


async def test_a_message_under_an_open_question_answers_nothing_and_is_not_lost(tmp_path: Path):
    agent = asking_agent(REPLICAS, ["on"])
    async with Desk(tmp_path, agent) as desk, agui(desk) as me:
        run = await me.say("go")
        (question,) = run.interrupts
        for text in ("3", "yes", "and something else entirely, please do that first"):
            more = await me.say(text)
            assert more.interrupts == [question], text
        on = await me.resume({question["id"]: 2})
        assert on.outcome == "success"
        said = [text for kind, text in messages(requests_of(agent)[-1]) if kind == "user"]
        assert said[:2] == ["go", "3"]
        await asyncio.sleep(5)
        last = await me.open(me.input()).done()  # how things stand
        assert last.outcome == "success"
        heard = [m["content"] for m in me.messages if m["role"] == "user"]
        assert heard == ["go", "3", "yes", "and something else entirely, please do that first"]


async def test_unknown_ids_alone_are_an_error_and_beside_others_a_warning(tmp_path: Path):
    async with Desk(tmp_path, asking_agent(REGION, ["on"])) as desk, agui(desk) as me:
        run = await me.say("go")
        (question,) = run.interrupts
        assert (await me.resume({"nobody": 1})).outcome == "VALIDATION_ERROR"
        on = await me.resume({"nobody": 1, question["id"]: "eu"})
        assert on.outcome == "success"
        (warning,) = on.of("CUSTOM")
        assert warning["name"] == "bargein.unknown-interrupt"
        assert (await me.resume({"nobody": 1})).outcome == "RUN_NOT_PAUSED"


async def test_a_run_that_waits_streams_once_it_is_its_turn(tmp_path: Path):
    gate = Gate()
    model = Script(["first ", gate, "done"], ["second"])
    async with Desk(tmp_path, Agent("tester", model)) as desk, agui(desk) as me:
        one = me.open(me.input("one"))
        await gate.reached.wait()
        two = me.open(me.input("two"))
        await two.until("RUN_STARTED")
        await asyncio.sleep(40)
        assert two.types == ["RUN_STARTED"]
        gate.open()
        assert (await one.done()).text == "first done"
        assert (await two.done()).text == "second"


async def test_a_waiting_client_that_goes_away_takes_its_message_back(tmp_path: Path):
    gate = Gate()
    model = Script(["first ", gate, "done"], ["third"])
    async with Desk(tmp_path, Agent("tester", model)) as desk, agui(desk) as me:
        one = me.open(me.input("one"))
        await gate.reached.wait()
        two = me.open(me.input("two"))
        await two.until("RUN_STARTED")
        await two.drop()
        await asyncio.sleep(5)
        gate.open()
        assert (await one.done()).outcome == "success"
        assert (await me.say("three")).text == "third"
        assert [text for kind, text in messages(model.requests[-1]) if kind == "user"] == [
            "one",
            "three",
        ]
