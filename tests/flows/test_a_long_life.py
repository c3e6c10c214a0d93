"""What an actor keeps in memory does not grow with how long a thread is talked to."""

from __future__ import annotations

from collections.abc import Sized
from pathlib import Path

import pytest

from tests.fakes.channel import Ask, FakeChannel
from tests.flows.asking import asker
from tests.flows.desk import Desk, Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime
THE_THREAD = {"chain", "questions", "prompts"}
"""What was said and asked: this grows with it."""


async def kept(desk: Desk) -> dict[str, int]:
    """How much the thread's actor keeps of each kind."""
    found: dict[str, int] = await desk.router.ask(
        "fake:1",
        lambda state, work: {
            name: len(value)
            for name, value in vars(state).items()
            if isinstance(value, Sized) and name not in THE_THREAD
        },
    )
    return found


async def test_what_was_said_and_answered_is_forgotten(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path / "a.db", agent_of(Script(["fine"])))
    await desk.say("hello")
    await desk.settle(1)
    before = await kept(desk)
    for _ in range(5):
        await desk.say("and again")
        await desk.settle(1)
    assert await kept(desk) == before
    await desk.close()


async def test_what_waited_for_a_question_s_delivery_is_forgotten(tmp_path: Path) -> None:
    channel = FakeChannel("fake", share=1.0, asks=(Ask.TIME_OUT, Ask.TIME_OUT))
    model = Script([call("ask")])
    agent = agent_of(model, asker("Well?", bool))
    desk = await open_desk(tmp_path / "a.db", agent, channels={"fake": channel})
    seen = []
    for _ in range(2):
        await desk.say("go")
        await desk.settle(1)
        held = await desk.say("yes")
        await desk.settle(20)
        assert (await desk.row(held)).outcome is None, "it is held, then waits"
        await desk.say("/stop")
        await desk.settle(1)
        seen.append(await kept(desk))
    assert seen[0] == seen[1]
    await desk.close()
