"""RACES 1, 2, 19, 20, 23 and 28 over AG-UI, contradictory resumes, dropped connections, restarts,
and bodies of every wrong form.
"""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.agui import agui
from tests.acceptance.asking import REGION, asking_agent, requests_of
from tests.acceptance.desk import Desk
from tests.acceptance.faults import SlowRead
from tests.acceptance.rest import rest
from tests.acceptance.scripted import Gate, Script, call, messages
from tests.acceptance.test_row_096_agui import deploying

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("late", [False, True])
async def test_race_01_the_expiry_is_inclusive(tmp_path: Path, late: bool):
    agent = asking_agent(REGION, ["on"], expires_in=60)
    async with Desk(tmp_path, agent) as desk, agui(desk) as me:
        (question,) = (await me.say("go")).interrupts
        await asyncio.sleep(60 if late else 59)
        on = await me.resume({question["id"]: "eu"})
        assert on.outcome == ("INTERRUPT_EXPIRED" if late else "success")
        if late:  # what has expired can still be let go of, and then reads as it ended
            await asyncio.sleep(5)
            over = await me.resume({question["id"]: None})
            assert over.outcome == "success"
            assert "Nobody answered" in messages(requests_of(agent)[1])[-1][1]


async def test_race_02_answer_then_stop_and_stop_then_answer(tmp_path: Path):
    ran: list[Any] = []
    async with Desk(tmp_path, deploying(ran)) as desk, agui(desk) as me, rest(desk) as other:
        (question,) = (await me.say("go")).interrupts
        _, pauses = await other.get("/v1/pauses")
        thread = pauses["pauses"][0]["thread"]
        assert (await other.post(f"/v1/threads/{thread}/stop"))[0] == 200
        late = await me.resume({question["id"]: {"approved": True}})
        assert (late.outcome, ran) == ("INTERRUPT_ALREADY_DECIDED", [])


async def test_row_050_parallel_and_contradictory_resumes(tmp_path: Path):
    ran: list[Any] = []
    agent = deploying(ran)
    async with Desk(tmp_path, agent) as desk, agui(desk) as me:
        (question,) = (await me.say("go")).interrupts
        given = [True, False, True, True, False]
        bodies = [me.answers({question["id"]: {"approved": yes}}) for yes in given]
        calls = set(me.calls)
        runs = []
        for body in bodies:
            me.calls = set(calls)
            runs.append(me.open(body))
        await asyncio.gather(*(asyncio.wait({one._task}) for one in runs))
        codes = [one.outcome for one in runs]
        assert set(codes) == {"success", "INTERRUPT_ALREADY_DECIDED"}
        won = {yes for yes, code in zip(given, codes, strict=True) if code == "success"}
        assert len(won) == 1
        assert len(ran) == (1 if won == {True} else 0)
        assert len(requests_of(agent)) == 2


async def test_races_19_and_20_what_waits_follows_the_resumed_run(tmp_path: Path):
    agent = asking_agent(REGION, ["on"], ["next"])
    async with Desk(tmp_path, agent) as desk, agui(desk) as me:
        (question,) = (await me.say("go")).interrupts
        late = {"bargein": {"priority": "later"}}
        assert (await me.say("afterwards", forwardedProps=late)).interrupts == [question]
        assert (await me.resume({question["id"]: "eu"})).outcome == "success"
        await asyncio.sleep(5)
        said = [text for kind, text in messages(requests_of(agent)[-1]) if kind == "user"]
        assert said == ["go", "afterwards"]


async def test_race_23_a_call_resumed_and_cut_off_is_not_run_again(tmp_path: Path):
    gate, ran = Gate(), []

    @tool(approval=True)
    async def deploy(service: str) -> str:
        """Deploys."""
        ran.append(service)
        await gate.wait()
        return "done"

    model = Script([call("deploy", service="api")], ["unknown"])
    agent = Agent("tester", model, tools=[deploy])
    async with Desk(tmp_path, agent) as desk, agui(desk) as me:
        (question,) = (await me.say("go")).interrupts
        run = me.open(me.answers({question["id"]: {"approved": True}}))
        await gate.reached.wait()
        await desk.kill()
        gate.open()
        run._task.cancel()
        await desk.start()
        me.url = f"{desk.app.address}/agui/tester"
        again = await me.again(run)
        assert again.outcome == "success"
        assert ran == ["api"]
        assert "outcome unknown" in messages(model.requests[-1])[-1][1]


async def test_race_28_a_right_that_is_gone_runs_nothing(tmp_path: Path):
    ran: list[Any] = []
    tools: dict[str, tuple[str, ...]] = {"deploy": ("ann",)}
    async with Desk(tmp_path, deploying(ran), tools=tools) as desk, agui(desk, "ann") as ann:
        (question,) = (await ann.say("go")).interrupts
        desk.app.router.wiring.access._tools = {"deploy": {"bob"}}
        on = await ann.resume({question["id"]: {"approved": True}})
        assert (on.outcome, ran) == ("success", [])


async def test_a_connection_that_drops_while_it_is_asked_stops_nothing(tmp_path: Path):
    agent = asking_agent(REGION, ["on"])
    async with Desk(tmp_path, agent) as desk, agui(desk) as me:
        run = me.open(me.input("go"))
        await run.until("RUN_FINISHED")
        await run.drop()
        await asyncio.sleep(5)
        (question,) = (await me.again(run)).interrupts
        assert (await me.resume({question["id"]: "eu"})).outcome == "success"


async def test_of_two_that_read_one_run_the_last_to_leave_stops_it(tmp_path: Path):
    model = Script(["One ", 0.5, "two ", 60.0, "three"])
    async with Desk(tmp_path, Agent("tester", model)) as desk, agui(desk) as me:
        first = me.open(me.input("count"))
        await first.until("TEXT_MESSAGE_CONTENT")
        second = me.open(first.sent)
        await second.until("TEXT_MESSAGE_CONTENT")
        await first.drop()
        await asyncio.sleep(20)
        assert model.open_streams
        assert (await second.done()).text.endswith("three")


async def test_a_question_outlives_the_process_and_an_orderly_stop(tmp_path: Path):
    agent = asking_agent(REGION, ["on"])
    async with Desk(tmp_path, agent) as desk, agui(desk) as me:
        run = await me.say("go")
        (question,) = run.interrupts
        for end in (desk.kill, desk.stop):
            await end()
            await desk.start()
            me.url = f"{desk.app.address}/agui/tester"
            assert (await me.again(run)).interrupts == [question]
        on = await me.resume({question["id"]: "eu"})
        assert (on.outcome, on.text) == ("success", "on")


async def test_a_run_that_an_orderly_stop_ended_reads_as_cancelled(tmp_path: Path):
    model = Script(["One ", 0.5, "two ", 60.0, "three"])
    async with Desk(tmp_path, Agent("tester", model)) as desk, agui(desk) as me:
        run = me.open(me.input("count"))
        await run.until("TEXT_MESSAGE_CONTENT")
        await desk.restart()
        assert (await run.done()).outcome == "cancelled"
        me.url = f"{desk.app.address}/agui/tester"
        assert (await me.again(run)).outcome == "cancelled"
        assert len(model.streams) == 1


async def test_another_person_is_not_let_in(tmp_path: Path):
    agent = asking_agent(REGION, ["on"])
    async with Desk(tmp_path, agent) as desk, agui(desk, "ann", "eve") as (ann, eve):
        (question,) = (await ann.say("go")).interrupts
        eve.thread = "agui:ann:t"
        assert (await eve.say("hi")).outcome == "403 THREAD_ACCESS_DENIED"
        stolen = await eve.resume({question["id"]: "eu"})
        assert stolen.outcome == "403 THREAD_ACCESS_DENIED"
        eve.thread = "t"
        assert (await eve.resume({question["id"]: "eu"})).outcome == "404 NOT_FOUND"
        assert (await ann.resume({question["id"]: "eu"})).outcome == "success"


async def test_questions_of_approvers_are_seen_and_not_theirs_to_answer(tmp_path: Path):
    @tool
    async def refund(context: ToolContext) -> str:
        """Refunds."""
        given = await context.interrupt(message="Refund?", kind="approval", to="approvers")
        return str(given)

    model = Script([call("refund")], ["over"])
    agent = Agent("tester", model, tools=[refund])
    async with Desk(tmp_path, agent, approvers=["boss"]) as desk, agui(desk, "ann") as ann:
        (question,) = (await ann.say("go")).interrupts
        assert question["reason"] == "confirmation"
        forged = await ann.resume({question["id"]: {"approved": True}})
        assert forged.outcome == "THREAD_ACCESS_DENIED"
        assert (await ann.resume({question["id"]: None})).outcome == "cancelled"


WRONG: list[Any] = [
    None,
    [],
    "x",
    {},
    {"threadId": ""},
    {"threadId": 7},
    {"threadId": "a b"},
    {"threadId": "t" * 201},
    {"runId": None},
    {"runId": ""},
    {"messages": None},
    {"messages": {}},
    {"messages": [{"role": "user", "content": "hi"}]},
    {"messages": [{"id": "", "role": "user", "content": "hi"}]},
    {"messages": [{"id": "u", "role": "king", "content": "hi"}]},
    {"messages": [{"id": "u", "role": "user", "content": ""}]},
    {"messages": [{"id": "u", "role": "user", "content": "x" * 200_001}]},
    {"messages": [{"id": "u", "role": "user", "content": 7}]},
    {"messages": [{"id": "u", "role": "user", "content": [{"type": "image"}]}]},
    {"messages": [{"id": "u", "role": "tool", "content": "r", "toolCallId": "c"}]},
    {"protocolVersion": "9.0"},
    {"protocolVersion": 1},
    {"parentRunId": ""},
    {"forwardedProps": {"bargein": {"priority": "soon"}}},
    {"forwardedProps": {"bargein": 7}},
    {"resume": {}},
    {"resume": [{"interruptId": "i", "status": "denied"}]},
    {"resume": [{"interruptId": "", "status": "resolved"}]},
    {"resume": [{"interruptId": 7, "status": "resolved"}]},
    {"resume": [{"interruptId": "i", "status": "cancelled", "payload": 1}]},
    {"resume": [{"interruptId": "i", "status": "cancelled", "payload": None}]},
    {"resume": [{"interruptId": "i", "status": "resolved", "metadata": None}]},
    {"resume": [{"interruptId": "i", "status": "resolved"}] * 2},
]


async def test_every_wrong_body_is_refused_before_anything_is_streamed(tmp_path: Path):
    async with Desk(tmp_path, Agent("tester", Script(["hi"]))) as desk, agui(desk) as me:
        for wrong in WRONG:
            body = {**me.input("hello"), **wrong} if isinstance(wrong, dict) and wrong else wrong
            run = await me.open(body).done()
            assert run.outcome == "400 VALIDATION_ERROR", (wrong, run.outcome)
        good = me.input("hello")
        me.url = f"{desk.app.address}/agui/nobody"
        assert (await me.open(good).done()).outcome == "404 NOT_FOUND"
        me.url = f"{desk.app.address}/agui/tester"
        extra = {**good, "somethingNew": 1, "tools": [{"name": "x", "description": ""}]}
        assert (await me.open(extra).done()).outcome == "success"


async def test_methods_scopes_and_types(tmp_path: Path):
    async with Desk(tmp_path, Agent("tester", Script(["hi"]))) as desk, agui(desk) as me:

        async def ask(method: str, path: str = "tester", **how: Any) -> tuple[int, Any]:
            url = f"{desk.app.address}/agui/{path}"
            async with me.session.request(method, url, **how) as answer:
                return answer.status, await answer.json(content_type=None)

        assert (await ask("PUT"))[0] == 405
        assert (await ask("GET", "tester/more"))[0] == 404
        status, can = await ask("GET")
        assert (status, can["humanInTheLoop"]["interrupts"]) == (200, True)
        body = me.input("hi")
        json_only = {"Accept": "application/json"}
        assert (await ask("POST", json=body, headers=json_only))[0] == 406
        assert (await ask("POST", data="x"))[0] == 415
        bad = {"Authorization": "Bearer nobody"}
        assert (await ask("POST", json=body, headers=bad))[0] == 401
    other = Desk(tmp_path / "b", Agent("tester", Script(["hi"])))
    async with other as desk, rest(desk, "ann") as ann:
        status, problem = await ann.post("/agui/tester", {})
        assert (status, problem["code"]) == (403, "SCOPE_MISSING")


async def test_a_run_that_asks_while_it_is_looked_up_again_is_told_to_ask(tmp_path: Path):
    """The same request once more, in the middle of its run: it ends where the first one does."""
    hold, slow = Gate(), SlowRead("inputs")

    @tool
    async def plan(context: ToolContext) -> str:
        """Plans."""
        region = await context.interrupt(message="Where?", response_schema=REGION)
        await hold.wait()
        count = await context.interrupt(message="How many?", response_schema={"type": "integer"})
        return f"{region} {count}"

    agent = Agent("tester", Script([call("plan")], ["planned"]), tools=[plan])
    async with Desk(tmp_path, agent, wrap=slow) as desk, agui(desk) as me:
        (where,) = (await me.say("go")).interrupts
        on = me.open(me.answers({where["id"]: "eu"}))
        await hold.reached.wait()
        await on.until("MESSAGES_SNAPSHOT")  # its own look is behind it
        slow.gate = gate = Gate()
        calls, me.calls = me.calls, set(me.calls)
        again = me.open(on.sent)
        await gate.reached.wait()
        hold.open()
        (asked,) = (await on.done()).interrupts
        gate.open()
        async with asyncio.timeout(60):
            assert (await again.done()).interrupts == [asked]
        me.calls = calls


async def test_what_begins_while_the_conversation_is_read_stands_in_it_once(tmp_path: Path):
    gates, slow = [Gate(), Gate()], SlowRead("inputs")
    model = Script([gates[0], "one"], [gates[1], "two"])
    async with Desk(tmp_path, Agent("tester", model), wrap=slow) as desk, agui(desk) as me:
        first = me.open(me.input("a"))
        await gates[0].reached.wait()
        second = me.open(me.input("b"))
        await second.until("RUN_STARTED")
        looks = [Gate(), Gate()]
        slow.gate = looks[0]
        third = me.open({**me.input(), "messages": []})
        await looks[0].reached.wait()
        slow.gate = looks[1]
        looks[0].open()
        await looks[1].reached.wait()
        slow.gate = None
        gates[0].open()
        await gates[1].reached.wait()
        looks[1].open()
        (snapshot,) = (await third.done()).of("MESSAGES_SNAPSHOT")
        said = [m["content"] for m in snapshot["messages"] if m["role"] == "user"]
        assert said == ["a", "b"]
        gates[1].open()
        assert [(await one.done()).outcome for one in (first, second)] == ["success", "success"]
