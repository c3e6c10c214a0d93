"""Row 53: two open questions: each by button, reply or number; a bare answer to both asks which."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent, Gateway
from tests.acceptance.asking import asker, requests_of, results
from tests.acceptance.desk import Desk
from tests.acceptance.people import Person
from tests.acceptance.scripted import Script, call
from tests.builders import LoopClock

pytestmark = pytest.mark.looptime


def two() -> Agent:
    tools = [asker("Deploy?", bool, "one"), asker("Delete?", bool, "two")]
    model = Script([call("one"), call("two")], ["fine"])
    return Agent("tester", model, tools=tools, parallel_tool_calls=True)


async def asked_two(desk: Desk) -> tuple[Person, dict[str, Any], dict[str, Any]]:
    ann = await desk.person("ann")
    await ann.say("go")
    return ann, await ann.frame("question"), await ann.frame("question")


async def test_by_number_after_asking_which(tmp_path: Path):
    async with Desk(tmp_path, two()) as desk:
        ann, _, _ = await asked_two(desk)
        bare = await ann.say("yes")
        assert await ann.outcome(bare) == ("refused", "INTERRUPT_ANSWER_INVALID")
        told = (await ann.frame("notice", code="WHICH_QUESTION"))["data"]
        assert "1. Deploy?\n2. Delete?" in told["text"]
        await ann.say("1: yes")
        await ann.frame("decided")
        gone = await ann.say("1: yes")
        assert await ann.outcome(gone) == ("refused", "INTERRUPT_ALREADY_DECIDED")
        await ann.say("2: no")
        await ann.ended()
        assert await results(ann) == ["one=True", "two=False"]


async def test_by_reply_and_by_button(tmp_path: Path):
    async with Desk(tmp_path, two()) as desk:
        ann, one, other = await asked_two(desk)
        await ann.say("yes", reply_to=other["data"]["question"]["id"])
        await ann.press(one, "no")
        await ann.ended()
        assert await results(ann) == ["one=False", "two=True"]


async def test_a_restart_between_keeps_the_numbers(tmp_path: Path):
    async with Desk(tmp_path, two()) as desk:
        ann, _, _ = await asked_two(desk)
        await ann.say("1: yes")
        await ann.frame("decided")
        await desk.kill()
        await desk.start()
        ann = await desk.person("ann")
        gone = await ann.say("1: yes", id_="again")
        assert await ann.outcome(gone) == ("refused", "INTERRUPT_ALREADY_DECIDED")
        await ann.say("2: no", id_="second")
        await ann.ended()
        assert await results(ann) == ["one=True", "two=False"]


async def test_a_partial_resume_pauses_again_on_the_rest(tmp_path: Path):
    agent = two()
    gateway = Gateway(tmp_path / "a.db", agent=agent, clock=LoopClock(), log=StringIO())
    async with gateway:
        first = await (await gateway.start("go", thread="t")).result()
        one, other = first.interrupts
        rest = await (await gateway.resume("t", {one.id: True})).result()
        assert (rest.status, [q.id for q in rest.interrupts]) == ("paused", [other.id])
        assert rest.interrupts[0].expires_at == other.expires_at
        assert len(requests_of(agent)) == 1
        done = await (await gateway.resume("t", {other.id: False})).result()
        assert done.status == "completed"
