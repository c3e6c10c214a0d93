"""A kill in each state of a question: question, prompts, tokens, tries and expiry stand."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gateway.core.interrupts import Interrupt, Status
from gateway.ports.channel import Delivery
from gateway.ports.rows import Outcome
from tests.builders import LoopClock
from tests.fakes.channel import Ask, FakeChannel
from tests.flows.asking import asker, results
from tests.flows.desk import Desk, Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime
FIRST, SECOND = asker("Deploy?", bool, "one", expires_in=600), asker("Delete?", bool, "two")


class Twice:
    """A file that is opened, killed, and opened again."""

    def __init__(self, path: Path, *asks: Delivery | Ask, **options: object) -> None:
        self.path = path
        self.clock = LoopClock()
        self.asks = asks
        self.options = options
        self.starts = 0

    async def open(self, *steps: object) -> Desk:
        self.starts += 1
        channel = FakeChannel("fake", share=1.0, asks=self.asks if self.starts == 1 else ())
        agent = agent_of(Script(*steps), FIRST, SECOND, parallel_tool_calls=True)  # type: ignore[arg-type]
        return await open_desk(
            self.path / "a.db",
            agent,
            channels={"fake": channel},
            clock=self.clock,
            first_id=1000 * self.starts,
            **self.options,  # type: ignore[arg-type]
        )


async def stored(desk: Desk) -> list[Interrupt]:
    return await desk.store.questions(thread="fake:1")


async def test_armed(tmp_path: Path) -> None:
    file = Twice(tmp_path)
    desk = await file.open([call("one")])
    await desk.say("go")
    await desk.settle(1)
    (before,), token = await stored(desk), desk.channel.prompts[0].row.token
    await desk.kill()
    await asyncio.sleep(60)
    desk = await file.open(["fine"])
    await desk.settle(1)
    assert await stored(desk) == [before], "question and expiry stand"
    assert not desk.channel.prompts, "it was delivered: it is not sent twice"
    press = await desk.router.press(token, "yes", "ann", dedup="p", channel="fake")
    await desk.settle(1)
    assert await desk.outcome(press) is Outcome.DECIDED
    assert await results(desk) == ["one=True"]
    assert not desk.errors
    await desk.close()


@pytest.mark.parametrize("ask", [Ask.HOLD, Delivery.NOBODY])
async def test_not_delivered_yet(tmp_path: Path, ask: Delivery | Ask) -> None:
    file = Twice(tmp_path, ask)
    desk = await file.open([call("one")])
    await desk.say("go")
    await desk.settle(1)
    (before,) = await stored(desk)
    assert before.armed_at is None
    await desk.kill()
    desk = await file.open(["fine"])
    await desk.settle(1)
    (again,) = await stored(desk)
    assert (again.id, again.armed_at is not None) == (before.id, True)
    (prompt,) = desk.channel.prompts
    assert prompt.question.id == before.id
    await desk.say("no")
    await desk.settle(1)
    assert await results(desk) == ["one=False"]
    await desk.close()


async def test_an_answer_that_was_held_is_read_after_the_kill(tmp_path: Path) -> None:
    file = Twice(tmp_path, Ask.HOLD)
    desk = await file.open([call("one")])
    await desk.say("go")
    await desk.settle(1)
    said = await desk.say("yes")
    await desk.settle(1)
    await desk.kill()
    desk = await file.open(["fine"])
    await desk.settle(2)
    assert await desk.outcome(said) is Outcome.DECIDED
    await desk.close()


async def test_of_an_unknown_outcome(tmp_path: Path) -> None:
    file = Twice(tmp_path, Delivery.UNKNOWN)
    desk = await file.open([call("one")])
    await desk.say("go")
    await desk.settle(1)
    await desk.kill()
    desk = await file.open(["fine"])
    await desk.settle(1)
    (question,) = await stored(desk)
    assert question.armed_at is None
    reply = await desk.say("yes", reply_to=question.id)
    await desk.settle(1)
    assert await desk.outcome(reply) is Outcome.DECIDED
    await desk.close()


async def test_tries_are_counted_on(tmp_path: Path) -> None:
    file = Twice(tmp_path)
    desk = await file.open([call("one")])
    await desk.say("go")
    await desk.settle(1)
    for _ in range(2):
        await desk.say("maybe")
        await desk.settle(1)
    await desk.kill()
    desk = await file.open(["next"])
    await desk.settle(1)
    third = await desk.say("maybe")
    await desk.settle(1)
    assert await desk.outcome(third) is Outcome.ANSWERED
    assert await results(desk) == ["The user moved on without answering"]
    await desk.close()


async def test_one_of_two_decided(tmp_path: Path) -> None:
    file = Twice(tmp_path)
    desk = await file.open([call("one"), call("two")])
    await desk.say("go")
    await desk.settle(1)
    await desk.say("1: yes")
    await desk.settle(1)
    await desk.kill()
    desk = await file.open(["fine"])
    await desk.settle(1)
    assert [q.status for q in await stored(desk)] == [Status.ANSWERED, Status.PENDING]
    await desk.say("2: no")
    await desk.settle(1)
    assert await results(desk) == ["one=True", "two=False"]
    entries = await desk.store.entries("fake:1")
    resumed = [e.body for e in entries if e.body.get("status") == "resumed"]
    assert [[i["response"] for i in body["interrupts"]] for body in resumed] == [[True, False]]
    assert not desk.errors
    await desk.close()


async def test_decided_and_waiting_for_a_slot(tmp_path: Path) -> None:
    file = Twice(tmp_path, limit=1)
    desk = await file.open([call("one")])
    await desk.say("go")
    await desk.settle(1)
    desk.router.wiring.slots.take("another", lambda: None, resume=False)
    await desk.say("yes")
    await desk.settle(1)
    await desk.kill()
    desk = await file.open(["fine"])
    await desk.settle(1)
    assert await results(desk) == ["one=True"]
    assert len(await stored(desk)) == 1
    await desk.close()


async def test_expired_while_nobody_ran(tmp_path: Path) -> None:
    file = Twice(tmp_path)
    desk = await file.open([call("one")])
    await desk.say("go")
    await desk.settle(1)
    await desk.kill()
    await asyncio.sleep(601)
    desk = await file.open(["fine"])
    late = await desk.say("yes")
    await desk.settle(2)
    row = await desk.row(late)
    assert (row.outcome, row.detail) == (Outcome.REFUSED, "INTERRUPT_EXPIRED")
    (result,) = await results(desk)
    assert result.startswith('Nobody answered "Deploy?"')
    await desk.close()


async def test_an_orderly_end_keeps_it_too(tmp_path: Path) -> None:
    file = Twice(tmp_path)
    desk = await file.open([call("one")])
    await desk.say("go")
    await desk.settle(1)
    (before,) = await stored(desk)
    await desk.close()
    desk = await file.open(["fine"])
    await desk.settle(1)
    assert await stored(desk) == [before]
    await desk.say("yes")
    await desk.settle(1)
    assert await results(desk) == ["one=True"]
    await desk.close()
