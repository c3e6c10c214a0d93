"""RACES 17 in an approver's chat, from outside: what may be an answer to a question that is on its
way waits for its send's outcome, and nothing else waits behind it.
"""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from gateway.ports.channel import Delivery
from tests.acceptance.desk import Desk
from tests.acceptance.faults import SlowToTell
from tests.acceptance.people import Member
from tests.acceptance.rest import rest
from tests.acceptance.scripted import Gate, Script, by_text, call
from tests.acceptance.test_approvers_told_later import arms
from tests.fakes.channel import Ask, FakeChannel

pytestmark = pytest.mark.looptime


def asking(ran: list[Any], schema: Any = bool, expires_in: float | None = None) -> Agent:
    """An agent whose refunds the approvers have to answer for; "work" is never done."""

    @tool
    async def refund(context: ToolContext) -> str:
        """Refunds."""
        answer = await context.interrupt(
            message="Refund?", response_schema=schema, to="approvers", expires_in=expires_in
        )
        ran.append(answer)
        return "done"

    def step(request: Any) -> Any:
        if type(request.messages[-1]).__name__ == "ToolResult":
            return ["fine"]
        return by_text(refund=[call("refund")], work=[Gate()])(request)

    return Agent("tester", Script(step), tools=[refund])


def on_fake(directory: Path, agent: Agent, fake: FakeChannel, *approvers: str) -> Desk:
    allowed = ["ann", *approvers]
    return Desk(directory, agent, channels=[fake], allow=allowed, approvers=approvers)


@pytest.mark.parametrize("stop", ["button", "/stop", "stop"])
async def test_a_stop_on_the_same_connection_does_not_wait(tmp_path: Path, stop: str):
    ran: list[Any] = []
    store = SlowToTell(arms)
    async with Desk(tmp_path, asking(ran), approvers=["boss"], wrap=store) as desk:
        ann = await desk.person("ann")
        boss = await desk.person("boss", "local:boss")
        await boss.say("work")
        await boss.running()
        store.hold()
        await ann.say("refund me")
        await boss.frame("question")
        await store.held.wait()
        await boss.send({"type": "input", "id": "held", "text": "yes"})
        before = desk.time()
        await (boss.stop() if stop == "button" else boss.say(stop))
        assert desk.time() - before < 1
        assert not ran
        store.release()
        await ann.ended()
        assert ran == [True]
        assert [f["data"]["code"] for f in boss.frames if f.get("id") == "held"] == [""]


@pytest.mark.parametrize("text", ["/stop", "/status", "stop", "/now more"])
async def test_a_command_is_no_answer_to_what_any_text_answers(tmp_path: Path, text: str):
    ran: list[Any] = []
    fake = FakeChannel("fake", asks=[Ask.HOLD])
    async with on_fake(tmp_path, asking(ran, str), fake, "boss") as desk:
        ann, boss = (desk.member(name, f"fake:{name}", "fake") for name in ("ann", "boss"))
        await boss.say("more")
        await ann.say("refund me")
        await asyncio.sleep(1)
        before = desk.time()
        assert not (await boss.say(text)).code
        assert desk.time() - before < 1
        fake.release()
        await asyncio.sleep(1)
        assert not ran


async def test_what_is_said_where_nobody_is_asked_yet_does_not_wait(tmp_path: Path):
    ran: list[Any] = []
    fake = FakeChannel("fake", asks=[Delivery.NOBODY])
    async with on_fake(tmp_path, asking(ran), fake, "boss") as desk:
        ann, boss = (desk.member(name, f"fake:{name}", "fake") for name in ("ann", "boss"))
        await boss.say("more")
        await ann.say("refund me")
        await asyncio.sleep(1)
        before = desk.time()
        assert not (await boss.say("yes")).code
        assert desk.time() - before < 1
        desk.app.router.client_came("fake:boss", "boss")
        await asyncio.sleep(1)
        assert not ran
        await boss.say("ok")
        await asyncio.sleep(1)
        assert ran == [True]


@pytest.mark.parametrize("delivery", [Delivery.UNKNOWN, Delivery.FAILED])
async def test_what_is_said_once_the_outcome_is_known_does_not_wait(
    tmp_path: Path, delivery: Delivery
):
    ran: list[Any] = []
    fake = FakeChannel("fake", asks=[Delivery.CONFIRMED, delivery])
    async with on_fake(tmp_path, asking(ran), fake, "chef", "boss") as desk:
        ann, boss = (desk.member(name, f"fake:{name}", "fake") for name in ("ann", "boss"))
        await boss.say("more")
        await ann.say("refund me")
        await asyncio.sleep(1)
        before = desk.time()
        assert not (await boss.say("yes")).code
        assert desk.time() - before < 1
        assert not ran


async def refunds(desk: Desk) -> Member:
    """Ann wants a refund from a boss who has written before."""
    ann, boss = (desk.member(name, f"fake:{name}", "fake") for name in ("ann", "boss"))
    await boss.say("more")
    await ann.say("refund me")
    return boss


async def lets_go(fake: FakeChannel, saying: asyncio.Task[Any]) -> None:
    """The question arrives, and what was said meanwhile is taken."""
    fake.release()
    await saying
    await asyncio.sleep(1)


async def test_what_is_said_as_it_is_asked_again_waits(tmp_path: Path):
    ran: list[Any] = []
    fake = FakeChannel("fake", asks=[Delivery.NOBODY, Ask.HOLD])
    async with on_fake(tmp_path, asking(ran), fake, "boss") as desk:
        boss = await refunds(desk)
        await asyncio.sleep(1)
        desk.app.router.client_came("fake:boss", "boss")
        await asyncio.sleep(1)
        saying = asyncio.create_task(boss.say("yes"))
        await asyncio.sleep(1)
        await lets_go(fake, saying)
        assert ran == [True]


async def test_an_answer_that_waited_over_the_expiry_was_in_time(tmp_path: Path):
    ran: list[Any] = []
    fake = FakeChannel("fake", asks=[Delivery.CONFIRMED, Ask.HOLD])
    async with on_fake(tmp_path, asking(ran, bool, 5.0), fake, "chef", "boss") as desk:
        boss = await refunds(desk)
        await asyncio.sleep(3)
        saying = asyncio.create_task(boss.say("yes"))
        await asyncio.sleep(4)
        await lets_go(fake, saying)
        assert ran == [True]


async def test_who_waits_as_the_server_stops_is_told_so(tmp_path: Path):
    ran: list[Any] = []
    store = SlowToTell(arms)
    async with Desk(tmp_path, asking(ran), approvers=["boss"], wrap=store) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        boss = await desk.person("boss", "local:boss")
        store.hold()
        await ann.say("refund me")
        await boss.frame("question")
        await store.held.wait()
        saying = asyncio.create_task(boss.say("yes"))
        await asyncio.sleep(1)
        stopping = asyncio.create_task(desk.stop())
        assert (await saying)["code"] == "SHUTTING_DOWN"
        store.release()
        await stopping


async def test_race_16_what_one_channel_showed_is_not_answered_on_another(tmp_path: Path):
    ran: list[Any] = []
    desk = Desk(tmp_path, asking(ran), approvers=["boss"])
    async with desk, rest(desk, "boss") as program:
        ann = await desk.person("ann")
        boss = await desk.person("boss", "local:boss")
        await boss.say("more")
        numbers = desk.app.programs.feeds["rest"].sequence
        numbers.go_on_from(numbers.last + 1_000)  # by the clock, it began a millisecond later
        await program.get("/v1/threads/local:boss/pauses")
        await ann.say("refund me")
        question = await boss.frame("question")
        body = {"input": "yes", "thread": "local:boss"}
        await program.post("/v1/runs", body)
        await asyncio.sleep(1)
        assert not ran
        reply = {**body, "replyTo": question["data"]["question"]["id"]}
        await program.post("/v1/runs", reply)
        await asyncio.sleep(1)
        assert ran == [True]
