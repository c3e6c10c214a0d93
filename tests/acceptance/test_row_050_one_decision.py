"""Row 50: one decision: a replay gets the stored one, a contradiction conflicts, it runs once."""

import asyncio
from io import StringIO
from pathlib import Path

import pytest

from gateway import Agent, Gateway, ToolContext, tool
from tests.acceptance.asking import asked
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script, call
from tests.builders import LoopClock

pytestmark = pytest.mark.looptime


def agent_that_counts(ran: list[int]) -> Agent:
    @tool
    async def ask(context: ToolContext) -> str:
        """Asks, then acts."""
        answer = await context.interrupt(message="Well?", response_schema=bool)
        ran.append(1)
        return f"did {answer}"

    return Agent("tester", Script([call("ask")], ["fine"]), tools=[ask])


async def test_three_resumes_at_once_and_a_contradiction(tmp_path: Path):
    ran: list[int] = []
    gateway = Gateway(
        tmp_path / "a.db", agent=agent_that_counts(ran), clock=LoopClock(), log=StringIO()
    )
    async with gateway:
        paused = await (await gateway.start("go", thread="t")).result()
        (question,) = paused.interrupts
        asks = [gateway.resume("t", {question.id: value}) for value in (True, True, True, False)]
        *same, other = await asyncio.gather(*asks, return_exceptions=True)
        handles = [handle for handle in same if not isinstance(handle, BaseException)]
        assert len(handles) == 3
        outcomes = [await handle.result() for handle in handles]
        assert {outcome.status for outcome in outcomes} == {"completed"}
        assert getattr(other, "code", other) == "INTERRUPT_ALREADY_DECIDED"
    assert len(ran) == 1


async def test_presses_after_the_first(tmp_path: Path):
    ran: list[int] = []
    async with Desk(tmp_path, agent_that_counts(ran)) as desk:
        ann = await desk.person("ann")
        question = await asked(ann)
        first = await ann.press(question, "yes")
        again = await ann.press(question, "yes")
        other = await ann.press(question, "no")
        assert (await ann.outcome(first))[0] == "decided"
        assert await ann.outcome(again) == ("handled", "REPLAYED")
        assert await ann.outcome(other) == ("refused", "INTERRUPT_ALREADY_DECIDED")
        told = [d for d in ann.find("notice") if d["code"] == "REPLAYED"]
        assert [data["params"]["status"] for data in told] == ["answered"]
        await ann.ended()
        await desk.restart()
        ann = await desk.person("ann")
        late = await ann.press(question, "no")
        assert await ann.outcome(late) == ("refused", "INTERRUPT_ALREADY_DECIDED")
    assert len(ran) == 1
