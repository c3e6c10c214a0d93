"""RACES 16 over REST: what somebody says answers the questions that they were written."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, tool
from tests.acceptance.desk import Desk
from tests.acceptance.faults import HoldingStore, SlowRead, SlowToTell, asks
from tests.acceptance.rest import rest
from tests.acceptance.scripted import Gate, Script, call

pytestmark = pytest.mark.looptime


def deploying(ran: list[str], *steps: list[Any]) -> Agent:
    """An agent whose deployments need a leave; `ran` is what was deployed."""

    @tool(approval=True)
    async def deploy(service: str) -> str:
        """Deploys."""
        ran.append(service)
        return f"{service} is up"

    return Agent("tester", Script(*steps), tools=[deploy])


async def test_race_16_a_question_that_came_while_another_was_written_is_not_seen(tmp_path: Path):
    ran: list[str] = []
    steps = [call("deploy", service="api")], [call("deploy", service="db")], ["fine"], ["yes?"]
    agent = deploying(ran, *steps)
    slow = SlowRead("question_thread")

    async with Desk(tmp_path, agent, wrap=slow) as desk, rest(desk, "ann") as ann:
        run = await ann.done("go")
        (first,) = run["interrupts"]
        slow.gate = gate = Gate()
        listing = asyncio.create_task(ann.get("/v1/pauses"))
        await gate.reached.wait()
        router, thread = desk.app.router, run["thread"]
        await router.resume(thread, "ann", {first["id"]: {"approved": True}}, "local")
        await asyncio.sleep(2)
        (later,) = await desk.app.store.questions(thread=thread, open_only=True)
        gate.open()
        _, listed = await listing
        assert [pause["id"] for pause in listed["pauses"]] == [first["id"]]
        status, said = await ann.start("yes")
        assert (status, said["status"]) == (202, "queued")
        assert ran == ["api"]
        _, listed = await ann.get("/v1/pauses")
        assert [pause["id"] for pause in listed["pauses"]] == [later.id]
        status, answered = await ann.start("yes", waitSeconds=9)
        assert (answered["id"], ran) == (run["id"], ["api", "db"])


@pytest.mark.parametrize(
    "path", ["/v1/runs/{run}", "/v1/pauses", "/v1/threads/t/pauses", "/v1/threads/t"]
)
async def test_race_16_whoever_looks_just_as_it_is_asked_has_seen_it(tmp_path: Path, path: str):
    ran: list[str] = []
    gate, store = Gate(), SlowToTell(asks)
    agent = deploying(ran, [gate, call("deploy", service="api")], ["fine"], ["yes?"])
    async with Desk(tmp_path, agent, wrap=store) as desk, rest(desk, "ann") as ann:
        _, run = await ann.start("go")
        await gate.reached.wait()
        store.hold()
        gate.open()
        await store.held.wait()
        looking = asyncio.create_task(ann.get(path.format(run=run["id"])))
        await asyncio.sleep(1)
        store.release()
        _, seen = await looking
        assert seen.get("interrupts") or seen.get("pauses")
        status, answered = await ann.start("yes", waitSeconds=9)
        assert (status, answered["id"], ran) == (201, run["id"], ["api"])


async def test_race_16_a_question_of_a_run_that_nobody_reads_is_not_seen_before_it_is_asked(
    tmp_path: Path,
):
    ran: list[str] = []
    steps = [call("deploy", service="api")], [call("deploy", service="db")], ["fine"], ["yes?"]
    agent = deploying(ran, ["hello"], *steps)
    async with Desk(tmp_path, agent) as desk, rest(desk, "ann") as program:
        thread = (await program.done("hi"))["thread"]
        ann = await desk.person("ann", thread)
        await ann.say("go")
        await ann.frame("question")
        assert (await program.get("/v1/threads/t"))[1]["interrupts"]
        await ann.say("yes")
        await ann.frame("question")
        status, said = await program.start("yes")
        assert (status, said["status"], ran) == (202, "queued", ["api"])
        assert (await program.get("/v1/threads/t"))[1]["interrupts"]
        await program.start("yes")
        await asyncio.sleep(3)
        assert ran == ["api", "db"]


@pytest.mark.parametrize("streamed", [False, True])
async def test_race_16_a_question_of_another_run_than_the_one_looked_at_is_not_seen(
    tmp_path: Path, streamed: bool
):
    ran: list[str] = []
    gates = [Gate(), Gate()]
    calls = [
        [gate, call("deploy", service=name)] for gate, name in zip(gates, ("a", "b"), strict=True)
    ]
    agent = deploying(ran, *calls, ["fine"], ["yes?"], ["yes!"])
    async with Desk(tmp_path, agent) as desk, rest(desk, "ann") as ann:
        _, one = await ann.start("go")
        await gates[0].reached.wait()
        _, two = await ann.start("and go", multitaskStrategy="parallel")
        await gates[1].reached.wait()
        gates[0].open()
        await asyncio.sleep(1)
        events = ann.stream("GET", f"/v1/runs/{two['id']}/events")
        await events.opened()
        gates[1].open()
        await asyncio.sleep(1)
        if streamed:
            (asked,) = (await events.until("interrupt-required")).data["interrupts"]
        else:
            await events.drop()
            (asked,) = (await ann.run(two["id"]))["interrupts"]
        router, thread = desk.app.router, two["thread"]
        await router.resume(thread, "ann", {asked["id"]: {"approved": True}}, "local")
        await asyncio.sleep(1)
        await ann.start("yes")
        await asyncio.sleep(1)
        assert ran == ["b"]
        await ann.run(one["id"])
        await ann.start("yes")
        await asyncio.sleep(1)
        assert ran == ["b", "a"]


async def test_race_16_a_run_that_was_not_waited_for_to_its_question_is_not_seen(tmp_path: Path):
    ran: list[str] = []
    gate = Gate()
    agent = deploying(ran, [gate, call("deploy", service="api")], ["fine"], ["yes?"])
    async with Desk(tmp_path, agent) as desk, rest(desk, "ann") as ann:
        waiting = asyncio.create_task(ann.start("go", waitSeconds=60))
        await gate.reached.wait()
        waiting.cancel()
        await asyncio.wait({waiting})
        await asyncio.sleep(1)
        gate.open()
        await asyncio.sleep(2)
        assert await desk.app.store.questions(open_only=True)
        await ann.start("yes")
        await asyncio.sleep(1)
        assert not ran


@pytest.mark.parametrize("path", ["/v1/runs/{run}", "/v1/pauses", "/v1/threads/t"])
async def test_race_16_who_left_before_the_answer_has_not_seen_it(tmp_path: Path, path: str):
    ran: list[str] = []
    store = HoldingStore()
    agent = deploying(ran, ["hello"], [call("deploy", service="api")], ["fine"], ["yes?"])
    async with Desk(tmp_path, agent, wrap=store) as desk, rest(desk, "ann") as program:
        thread = (await program.done("hi"))["thread"]
        ann = await desk.person("ann", thread)
        await ann.say("go")
        looked_at = path.format(run=await ann.running())
        await ann.frame("question")
        store.hold()
        await ann.say("/queue")
        looking = asyncio.create_task(program.get(looked_at))
        await asyncio.sleep(1)
        looking.cancel()
        await asyncio.wait({looking})
        await asyncio.sleep(1)
        store.release()
        await asyncio.sleep(1)
        await program.start("yes")
        await asyncio.sleep(1)
        assert not ran


async def test_race_16_who_reads_of_an_earlier_pause_has_not_seen_what_is_asked_now(tmp_path: Path):
    ran: list[str] = []
    steps = [call("deploy", service="api")], [call("deploy", service="db")], ["fine"], ["yes?"]
    async with Desk(tmp_path, deploying(ran, *steps)) as desk, rest(desk, "ann") as ann:
        first = ann.stream("POST", "/v1/runs", {"input": "go", "thread": "t"})
        run = await first.finish()
        (asked,) = run["interrupts"]
        router, thread = desk.app.router, run["thread"]
        await router.resume(thread, "ann", {asked["id"]: {"approved": True}}, "local")
        await asyncio.sleep(3)
        (later,) = await desk.app.store.questions(thread=thread, open_only=True)
        begun = next(event.id for event in first.events if event.id)
        again = ann.stream("GET", f"/v1/runs/{run['id']}/events", last=begun)
        await again.finish()
        assert later.id not in str(again.events)
        await ann.start("yes")
        await asyncio.sleep(1)
        assert ran == ["api"]
