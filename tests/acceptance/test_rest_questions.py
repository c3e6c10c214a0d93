"""Rows 44, 47, 49–52 and RACES 1, 2, 16, 19, 23, 28 over REST: one decision, in time, by who was
asked, for the arguments that were asked about.
"""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from gateway.core.messages import OUTCOME_UNKNOWN_TEXT
from tests.acceptance.asking import REGION, REPLICAS, asker, asking_agent, requests_of
from tests.acceptance.desk import Desk
from tests.acceptance.rest import rest
from tests.acceptance.scripted import Gate, Script, call, messages

pytestmark = pytest.mark.looptime


def deploying(ran: list[Any], *steps: Any) -> Agent:
    @tool(approval=True)
    async def deploy(service: str, replicas: int, context: ToolContext) -> str:
        """Deploys."""
        ran.append((service, replicas))
        return f"{service} x{replicas}"

    model = Script([call("deploy", service="api", replicas=2)], *(steps or (["fine"],)))
    return Agent("tester", model, tools=[deploy])


async def test_row_044_schema_limits_hold(tmp_path: Path):
    agent = asking_agent(REPLICAS)
    async with Desk(tmp_path, agent) as desk, rest(desk) as me:
        run = await me.done("go")
        (question,) = run["interrupts"]
        path = f"/v1/runs/{run['id']}/resume"
        for body in (
            {"responses": {question["id"]: 7}},
            {"responses": {question["id"]: "3"}},
            {"responses": {question["id"]: True}},
            {"responses": {question["id"]: None}},
            {"texts": {question["id"]: "seven"}},
            {"texts": {question["id"]: "no problem"}},
        ):
            status, wrong = await me.post(path, body)
            assert (status, wrong["code"]) == (400, "INTERRUPT_ANSWER_INVALID"), body
            assert wrong["interruptId"] == question["id"]
        assert (await me.run(run["id"]))["status"] == "paused"
        right = {"texts": {question["id"]: "three"}, "waitSeconds": 9}
        assert (await me.post(path, right))[1]["status"] == "completed"


@pytest.mark.parametrize("seconds", [59, 60, 61])
async def test_row_047_and_race_01_the_expiry_is_inclusive(tmp_path: Path, seconds: int):
    agent = asking_agent(REGION, ["on"], ["late"], expires_in=60)
    async with Desk(tmp_path, agent) as desk, rest(desk) as me:
        run = await me.done("go")
        (question,) = run["interrupts"]
        await asyncio.sleep(seconds - 0.5 if seconds == 59 else seconds)
        path = f"/v1/runs/{run['id']}/resume"
        status, answered = await me.post(path, {"responses": {question["id"]: "eu"}})
        if seconds == 59:
            assert status == 200
            return
        assert (status, answered["code"]) == (410, "INTERRUPT_EXPIRED")
        assert answered["interruptId"] == question["id"]
        done = await me.ended(run["id"])
        assert (done["status"], done["text"]) == ("completed", "on")
        assert "Nobody answered" in messages(requests_of(agent)[1])[-1][1]
        status, late = await me.start("eu")
        assert (status, late["code"]) == (410, "INTERRUPT_EXPIRED")
        assert (await me.done("and what about the next region over there?"))["text"] == "late"


async def test_row_049_the_approved_arguments_alone_run(tmp_path: Path):
    ran: list[Any] = []
    async with Desk(tmp_path, deploying(ran)) as desk, rest(desk) as me:
        run = await me.done("go")
        (question,) = run["interrupts"]
        assert (question["kind"], question["reason"]) == ("approval", "tool_call")
        path = f"/v1/runs/{run['id']}/resume"
        wrongs: list[Any] = [{"service": "api", "replicas": "many"}, {"service": "api"}, [], "x"]
        for arguments in wrongs:
            answer = {"approved": True, "updatedArguments": arguments}
            status, wrong = await me.post(path, {"responses": {question["id"]: answer}})
            assert (status, wrong["code"]) == (400, "INTERRUPT_ANSWER_INVALID"), arguments
        edited = {"approved": True, "updatedArguments": {"service": "api", "replicas": 3}}
        body = {"responses": {question["id"]: edited}, "waitSeconds": 9}
        assert (await me.post(path, body))[1]["status"] == "completed"
        assert ran == [("api", 3)]


@pytest.mark.parametrize("words", ["no problem", "yes but not now", "да нет", "не надо", "maybe"])
async def test_row_041_unclear_words_never_approve(tmp_path: Path, words: str):
    ran: list[Any] = []
    async with Desk(tmp_path, deploying(ran)) as desk, rest(desk) as me:
        run = await me.done("go")
        (question,) = run["interrupts"]
        body = {"texts": {question["id"]: words}, "language": "ru", "waitSeconds": 9}
        status, answered = await me.post(f"/v1/runs/{run['id']}/resume", body)
        assert status == 400 or answered["status"] != "paused"
        assert not ran


async def test_row_050_parallel_resumes_and_a_contradiction(tmp_path: Path):
    ran: list[Any] = []
    async with Desk(tmp_path, deploying(ran)) as desk, rest(desk) as me:
        run = await me.done("go")
        (question,) = run["interrupts"]
        path = f"/v1/runs/{run['id']}/resume"
        yes: Any = {"responses": {question["id"]: {"approved": True}}, "waitSeconds": 9}
        no: Any = {"responses": {question["id"]: {"approved": False}}, "waitSeconds": 9}
        asks = [me.post(path, body) for body in (yes, no, yes, yes, no)]
        answers = await asyncio.gather(*asks)
        codes = {answer[1].get("code", answer[1].get("status")) for answer in answers}
        assert codes == {"completed", "INTERRUPT_ALREADY_DECIDED"}
        won = [
            body is yes
            for body, a in zip((yes, no, yes, yes, no), answers, strict=True)
            if a[0] == 200
        ]
        assert len(set(won)) == 1
        assert len(ran) == int(won[0])
        await desk.restart()
        assert (await me.post(path, yes if won[0] else no))[0] == 200
        status, conflict = await me.post(path, no if won[0] else yes)
        assert (status, conflict["code"]) == (409, "INTERRUPT_ALREADY_DECIDED")
        assert len(ran) == int(won[0])


async def test_row_051_a_failure_after_the_decision_burns_nothing(tmp_path: Path):
    ran: list[Any] = []
    agent = deploying(ran, [ConnectionError("500")], ["all is well"])
    async with Desk(tmp_path, agent) as desk, rest(desk) as me:
        desk.may_fail = True
        run = await me.done("go")
        (question,) = run["interrupts"]
        body: Any = {"responses": {question["id"]: {"approved": True}}, "waitSeconds": 9}
        status, failed = await me.post(f"/v1/runs/{run['id']}/resume", body)
        assert (status, failed["status"]) == (200, "failed")
        await desk.restart()
        _, again = await me.post("/v1/threads/t/retry", {"waitSeconds": 9})
        assert (again["status"], again["text"], again["id"]) == (
            "completed",
            "all is well",
            run["id"],
        )
        assert ran == [("api", 2)]


async def test_row_052_only_who_is_asked(tmp_path: Path):
    ran: list[Any] = []

    @tool
    async def refund(context: ToolContext) -> str:
        """Asks the approvers."""
        verdict = await context.interrupt(message="Refund?", kind="approval", to="approvers")
        ran.append(verdict)
        return "paid"

    agent = Agent("a", Script([call("refund")], ["fine"]), "", [refund])
    async with (
        Desk(tmp_path, agent, approvers=["boss"]) as desk,
        rest(desk, "ann", "bob", "boss") as (ann, bob, boss),
    ):
        run = await ann.done("refund me")
        (question,) = run["interrupts"]
        path = f"/v1/runs/{run['id']}/resume"
        yes: Any = {"responses": {question["id"]: {"approved": True}}, "waitSeconds": 9}
        for other in (ann, bob):
            status, denied = await other.post(path, yes)
            assert (status, denied["code"]) == (403, "THREAD_ACCESS_DENIED")
        status, pauses = await boss.get("/v1/pauses")
        assert [p["id"] for p in pauses["pauses"]] == [question["id"]]
        assert (await bob.get("/v1/pauses"))[1]["pauses"] == []
        assert (await boss.get(f"/v1/threads/{run['thread']}"))[0] == 403
        assert (await boss.get(f"/v1/runs/{run['id']}"))[0] == 403
        status, told = await boss.post(path, yes)
        assert (status, told["text"], told["interrupts"]) == (200, "", [])
        assert (await ann.ended(run["id"]))["text"] == "fine"
        assert (await boss.post(path, yes))[0] == 200
        assert len(ran) == 1


async def test_race_02_the_first_stored_wins(tmp_path: Path):
    ran: list[Any] = []
    async with Desk(tmp_path, deploying(ran)) as desk, rest(desk) as me:
        run = await me.done("go")
        (question,) = run["interrupts"]
        path = f"/v1/runs/{run['id']}"
        yes: Any = {"responses": {question["id"]: {"approved": True}}}
        status, stopped = await me.post(f"{path}/abort")
        assert (status, stopped["run"]["status"]) == (200, "interrupted")
        status, late = await me.post(f"{path}/resume", yes)
        assert (status, late["code"]) == (409, "INTERRUPT_ALREADY_DECIDED")
        assert not ran
        _, cancelled = await me.post("/v1/threads/t/pauses/cancel")
        assert cancelled["code"] == "RUN_NOT_PAUSED"


async def test_race_16_what_was_said_before_the_question_was_sent_is_no_answer(tmp_path: Path):
    ran: list[Any] = []
    gate = Gate()
    model = Script([gate, call("deploy", service="api", replicas=2)], ["fine"], ["yes, what?"])
    agent = Agent("a", model, "", list(deploying(ran).tools.values()))
    async with Desk(tmp_path, agent) as desk, rest(desk) as me:
        _, run = await me.start("go")
        gate.open()
        await asyncio.sleep(1)  # it asks by now, and nobody was sent the question
        status, said = await me.start("yes")
        assert (status, said["status"]) == (202, "queued")
        assert not ran
        (question,) = (await me.run(run["id"]))["interrupts"]
        status, answered = await me.start("yes", waitSeconds=9)
        assert (answered["id"], answered["status"]) == (run["id"], "completed")
        assert ran == [("api", 2)]
        assert question["id"]


async def test_race_19_a_resume_goes_before_newer_inputs(tmp_path: Path):
    agent = asking_agent(REGION, ["one"], ["two"])
    async with Desk(tmp_path, agent) as desk, rest(desk) as me:
        _, run = await me.start("go")
        await asyncio.sleep(1)
        status, newer = await me.start("and this", priority="next")
        assert (status, newer["status"]) == (202, "queued")
        (question,) = (await me.run(run["id"]))["interrupts"]
        body = {"responses": {question["id"]: "eu"}}
        await me.post(f"/v1/runs/{run['id']}/resume", body)
        assert (await me.ended(run["id"]))["text"] == "one"
        await asyncio.sleep(1)
        _, item = await me.get(f"/v1/threads/t/inputs/{newer['input']['seq']}")
        assert (await me.run(item["run"]))["text"] == "two"


async def test_race_23_resumed_and_in_flight_at_the_crash(tmp_path: Path):
    gate, ran = Gate(), []

    @tool
    async def deploy(context: ToolContext) -> str:
        """Asks where to, and takes its time."""
        ran.append(await context.interrupt(message="Where?", response_schema=REGION))
        await gate.wait()
        return "deployed"

    model = Script([call("deploy")], ["I can't say"])
    async with Desk(tmp_path, Agent("a", model, "", [deploy])) as desk, rest(desk) as me:
        run = await me.done("go")
        (question,) = run["interrupts"]
        answer = {"responses": {question["id"]: "eu"}}
        events = me.stream("POST", f"/v1/runs/{run['id']}/resume", answer)
        await gate.reached.wait()
        await desk.kill()
        gate.open()
        await events.drop()
        await desk.start()
        again = me.stream("GET", f"/v1/runs/{run['id']}/events", last=events.last)
        done = await again.finish()
        assert (done["status"], done["text"]) == ("completed", "I can't say")
        assert (await me.post(f"/v1/runs/{run['id']}/resume", answer))[0] == 200
        assert ran == ["eu"]
        assert messages(model.requests[1])[-1] == ("result", OUTCOME_UNKNOWN_TEXT)


async def test_race_28_a_right_that_is_withdrawn_before_the_call_runs(tmp_path: Path):
    ran: list[Any] = []
    gate = Gate()
    busy = asker("Never?", REGION, "never")
    model = Script([call("deploy", service="api", replicas=2)], ["fine"])
    agent = Agent("a", model, "", [*deploying(ran).tools.values(), busy])
    async with (
        Desk(tmp_path, agent, max_concurrent_runs=1) as desk,
        rest(desk, "ann") as ann,
    ):
        run = await ann.done("go")
        (question,) = run["interrupts"]
        slots = desk.app.router.wiring.slots
        slots.take("another", gate.open, resume=False)
        yes: Any = {"responses": {question["id"]: {"approved": True}}}
        assert (await ann.post(f"/v1/runs/{run['id']}/resume", yes))[0] == 200
        desk.app.router.wiring.access.withdraw("ann")
        slots.give_back("another")
        await asyncio.sleep(1)
        assert not ran
        assert "may not run" in messages(model.requests[1])[-1][1]


async def test_a_person_who_is_no_member_sees_no_question(tmp_path: Path):
    agent = asking_agent(REGION)
    async with Desk(tmp_path, agent) as desk, rest(desk, "ann", "bob") as (ann, bob):
        run = await ann.done("go")
        (question,) = run["interrupts"]
        body = {"responses": {question["id"]: "eu"}}
        for path in (f"/v1/runs/{run['id']}/resume", f"/v1/threads/{run['thread']}/resume"):
            status, denied = await bob.post(path, body)
            assert (status, denied["code"]) == (403, "THREAD_ACCESS_DENIED")
        status, unknown = await ann.post(
            f"/v1/runs/{run['id']}/resume", {"responses": {"8c1f": "eu"}}
        )
        assert (status, unknown["code"], unknown["interruptId"]) == (
            400,
            "VALIDATION_ERROR",
            "8c1f",
        )
        status, none = await ann.post(f"/v1/runs/{run['id']}/resume", {})
        assert (status, none["code"]) == (400, "VALIDATION_ERROR")
        plain = await ann.done("hi", "other")
        status, not_paused = await ann.post(f"/v1/runs/{plain['id']}/resume", body)
        assert not_paused["code"] in ("RUN_NOT_PAUSED", "VALIDATION_ERROR")
