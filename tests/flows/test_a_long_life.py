"""What an actor keeps in memory does not grow with how long a thread is talked to."""

from __future__ import annotations

from collections.abc import Sized
from pathlib import Path

import pytest

from gateway.core.interrupts import Interrupt, Status
from gateway.deciding import KEPT_CLOSED
from gateway.ports.rows import InputKind, Outcome
from gateway.state import ThreadState
from tests.fakes.channel import Ask, FakeChannel
from tests.flows.asking import asked, asker, press
from tests.flows.desk import Desk, Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime
THE_THREAD = {"chain", "questions", "prompts"}
"""What was said, which grows with it, and the last that was asked."""


MANY = KEPT_CLOSED + 8


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


async def questions_of(desk: Desk) -> tuple[list[Interrupt], int]:
    """The questions that the thread's actor keeps, and of how many prompts."""

    def look(state: ThreadState, work: object) -> tuple[list[Interrupt], int]:
        return list(state.questions.values()), len(state.prompts)

    found: tuple[list[Interrupt], int] = await desk.router.ask("fake:1", look)
    return found


async def test_of_many_questions_the_last_are_kept(tmp_path: Path) -> None:
    model = Script(*([call("ask")], ["fine"]) * MANY)
    agent = agent_of(model, asker("Well?", bool, expires_in=60))
    desk = await open_desk(tmp_path / "a.db", agent)
    await desk.say("go")
    await desk.settle(70)
    first = desk.channel.prompts[0].question.id
    for _ in range(MANY - 1):
        await desk.say("go")
        await desk.settle(1)
        assert (await press(desk, "yes")).outcome is Outcome.DECIDED
        await desk.settle(1)
    kept_now, prompts = await questions_of(desk)
    assert len(kept_now) <= KEPT_CLOSED + 2
    assert prompts <= KEPT_CLOSED + 2
    assert (kept_now[0].id, kept_now[0].status) == (first, Status.EXPIRED), "the last that expired"
    assert (await press(desk, "yes")).detail == "REPLAYED", "a second press of the last is known"
    assert len(await desk.store.questions(thread="fake:1")) == MANY
    assert not desk.errors
    await desk.close()


async def test_a_reply_to_a_question_of_long_ago_answers_no_other(tmp_path: Path) -> None:
    desk = await asked(tmp_path, bool)
    said = await desk.say("yes", reply_to="a-question-that-is-not-kept")
    await desk.settle(1)
    (question,) = await desk.store.questions(thread="fake:1")
    assert question.status is not Status.ANSWERED
    assert (await desk.row(said)).outcome is not Outcome.DECIDED
    old = await desk.say("yes", kind=InputKind.PRESS, reply_to="a-question-that-is-not-kept")
    await desk.settle(1)
    assert (await desk.row(old)).detail == "INTERRUPT_ALREADY_DECIDED"
    await desk.close()
