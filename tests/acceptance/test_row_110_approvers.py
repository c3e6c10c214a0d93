"""Row 110: `to="approvers"` asks in the approver's own chat; it is decided there and only there."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.asking import results
from tests.acceptance.desk import Desk
from tests.acceptance.people import Person
from tests.acceptance.scripted import Script, by_text, call
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime


def refunding(ran: list[Any]) -> Agent:
    @tool
    async def refund(context: ToolContext) -> str:
        """Refunds."""
        verdict = await context.interrupt(message="Refund?", kind="approval", to="approvers")
        ran.append(verdict["approved"])
        return f"approved: {verdict['approved']}"

    first = by_text(refund=[call("refund")], yes=["own"], who=["own"], stop=["own"])
    return Agent("tester", Script(first, lambda request: ["fine"]), tools=[refund])


async def both(desk: Desk) -> tuple[Person, Person, dict[str, Any]]:
    ann = await desk.person("ann")
    boss = await desk.person("boss", "local:boss")
    await ann.say("refund me")
    question = await boss.frame("question")
    assert question["thread"] == "local:boss"
    await asyncio.sleep(0.5)
    assert not ann.find("question")
    return ann, boss, question


@pytest.mark.parametrize("how", ["yes", "нет", "reply", "press", "cancel"])
async def test_it_is_decided_in_the_approver_s_chat(tmp_path: Path, how: str):
    ran: list[Any] = []
    async with Desk(tmp_path, refunding(ran), approvers=["boss"]) as desk:
        ann, boss, question = await both(desk)
        if how == "press":
            await boss.press(question, "approve")
        elif how == "reply":
            await boss.say("yes", reply_to=question["data"]["question"]["id"])
        else:
            await boss.say(how)
        assert (await ann.ended())["end"] == "completed"
        approved = how in ("yes", "reply", "press")
        assert ran == [approved]
        assert await results(ann) == [f"approved: {approved}"]
        card = (await ann.frame("decided"))["data"]
        assert (card["by"], card["status"]) == ("boss", "approved" if approved else "denied")
        assert (await boss.frame("folded"))["thread"] == "local:boss"
        told = (await boss.frame("notice", code="UNDERSTOOD"))["data"]["params"]
        assert told["status"] == card["status"]
        assert not [e for e in (await boss.export())["entries"] if e["kind"] == "user"]


async def test_its_form_is_in_the_approver_s_language(tmp_path: Path):
    async with Desk(tmp_path, refunding([]), approvers=["boss"]) as desk:
        await both(desk)
        later = await desk.person("boss", "local:boss", "ru")
        (question,) = later.frames[0]["data"]["snapshot"]["questions"]
        assert question["form"] == "да или нет"


async def test_the_customer_can_not(tmp_path: Path):
    ran: list[Any] = []
    async with Desk(tmp_path, refunding(ran), approvers=["boss"]) as desk:
        ann, boss, question = await both(desk)
        await ann.say("yes")
        await ann.say("yes", reply_to=question["data"]["question"]["id"])
        pressed = await ann.press(question, "approve")
        assert pressed["code"] == "THREAD_ACCESS_DENIED"
        await asyncio.sleep(5)
        assert not ran
        assert not ann.find("decided")
        await boss.say("no")
        await ann.ended()
        assert ran == [False]


@pytest.mark.parametrize("text", ["who is asking me this?", "stop", "wait, yes"])
async def test_anything_else_is_input_of_the_approver_s_own_thread(tmp_path: Path, text: str):
    ran: list[Any] = []
    async with Desk(tmp_path, refunding(ran), approvers=["boss"]) as desk:
        ann, boss, _ = await both(desk)
        said = await boss.say(text)
        await boss.outcome(said)
        await asyncio.sleep(1)
        assert not ran
        assert not ann.find("decided")
        assert len((await ann.export())["inputs"]) == 1
        assert len((await boss.export())["inputs"]) == 1


@pytest.mark.parametrize("text", ["cancel", "/cancel", "stop", "/now refund something else"])
async def test_the_run_s_own_person_may_end_it(tmp_path: Path, text: str):
    ran: list[Any] = []
    async with Desk(tmp_path, refunding(ran), approvers=["boss"]) as desk:
        ann, boss, question = await both(desk)
        await ann.say(text)
        assert (await ann.ended())["end"] == "interrupted"
        await boss.frame("folded", token=question["data"]["token"])
        late = await boss.press(question, "approve")
        await asyncio.sleep(1)
        told = [data["code"] for data in boss.find("notice")]
        assert late["code"] or "INTERRUPT_ALREADY_DECIDED" in told
        assert not ran


async def test_an_approver_who_comes_later_or_again_sees_it(tmp_path: Path):
    ran: list[Any] = []
    async with Desk(tmp_path, refunding(ran), approvers=["boss"]) as desk:
        ann = await desk.person("ann")
        await ann.say("refund me")
        await asyncio.sleep(60)
        boss = await desk.person("boss", "local:boss")
        await boss.frame("question")
        await desk.kill()
        await desk.start()
        boss = await desk.person("boss", "local:boss")
        (shown,) = boss.frames[0]["data"]["snapshot"]["questions"]
        assert shown["message"] == "Refund?"
        await boss.press({"data": {"token": shown["token"]}}, "approve")
        await asyncio.sleep(2)
        assert ran == [True]


@pytest.mark.parametrize("text", ["ok", "yes", "cancel"])
async def test_what_the_approver_says_in_the_group_is_no_answer(tmp_path: Path, text: str):
    ran: list[Any] = []
    fake = FakeChannel("fake", share=1.0)
    people: dict[str, Any] = {"allow": ["ann", "boss"], "approvers": ["boss"]}
    desk = Desk(tmp_path, refunding(ran), channels=[fake], shared=["fake:g"], **people)
    async with desk:
        ann, boss = (desk.member(name, "fake:g", "fake") for name in ("ann", "boss"))
        await ann.say("refund me")
        await asyncio.sleep(1)
        assert [prompt.row.chat for prompt in fake.prompts] == ["fake:boss"]
        await boss.say(text)
        await asyncio.sleep(1)
        assert not ran
        assert not fake.of_type("decided")
        await desk.member("boss", "fake:boss", "fake").say("no")
        await asyncio.sleep(1)
        assert ran == [False]


@pytest.mark.parametrize("text", ["yes", "ok"])
async def test_without_approvers_nobody_is_asked(tmp_path: Path, text: str):
    ran: list[Any] = []
    async with Desk(tmp_path, refunding(ran)) as desk:
        ann = await desk.person("ann")
        await ann.say("refund me")
        assert (await ann.ended())["end"] == "completed"
        assert await results(ann) == ['The question "Refund?" could not be delivered']
        await ann.say(text)
        await asyncio.sleep(2)
        assert not ran
        assert not ann.find("question")
