"""Two runs that ask at once (`parallel`): each word goes to the question it is about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gateway.core.interrupts import Status
from gateway.core.queueing import Mode
from gateway.policy import Policy
from gateway.ports.rows import Outcome
from tests.flows.asking import asker
from tests.flows.desk import Desk, Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime

OPEN = {"Alpha?": Status.PENDING, "Beta?": Status.PENDING}


async def desk_of(path: Path, **more: Any) -> Desk:
    """Two runs of ann's, each with its question."""
    tools = asker("Alpha?", bool, "one", **more), asker("Beta?", bool, "two", **more)
    model = Script([call("one")], [call("two")], ["fine"])
    policy = Policy(mode=Mode.PARALLEL)
    desk = await open_desk(path / "a.db", agent_of(model, *tools), policy=policy)
    for text in ("do the one", "write a poem about rome"):
        await desk.say(text)
        await desk.settle(1)
    assert [prompt.question.message for prompt in desk.channel.prompts] == list(OPEN)
    return desk


async def statuses(desk: Desk) -> dict[str, Status]:
    """How the questions stand."""
    return {q.message: q.status for q in await desk.store.questions(thread="fake:1")}


@pytest.mark.parametrize(("number", "closed"), [(0, "Alpha?"), (1, "Beta?")])
async def test_the_third_unclear_answer_closes_its_own_question(
    tmp_path: Path, number: int, closed: str
) -> None:
    desk = await desk_of(tmp_path)
    question = desk.channel.prompts[number].question
    said = []
    for _ in range(3):
        said.append(await desk.say("maybe", reply_to=question.id))
        await desk.settle(1)
    assert await statuses(desk) == {**OPEN, closed: Status.CANCELLED}
    assert await desk.outcome(said[-1]) is Outcome.ANSWERED
    assert len(desk.told("MOVED_ON")) == 1
    await desk.close()
