"""RACES 21: `parallel` with a question open; who is stopped; what a sibling sees."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.core.messages import UserMessage
from gateway.core.queueing import Mode, Priority
from gateway.policy import Policy
from gateway.ports.rows import InputKind, Outcome
from tests.flows.desk import Desk, agent_of, open_desk
from tests.flows.watching import TOOLS, model, most_at_once, users

pytestmark = pytest.mark.looptime


async def desk_of(tmp_path: Path) -> Desk:
    policy = Policy(mode=Mode.PARALLEL, shared_mode=Mode.PARALLEL)
    return await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS), policy=policy)


async def test_one_that_fits_two_asks_which(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path)
    one, two = await desk.say("ask 1"), await desk.say("ask 2", override=Priority.NEXT)
    await desk.settle(1)
    assert len(desk.channel.prompts) == 2
    unclear = await desk.say("yes")
    await desk.settle(1)
    assert await desk.outcome(unclear) is Outcome.REFUSED
    assert len(desk.told("WHICH_QUESTION")) == 1
    named = await desk.say("2: yes")
    await desk.settle(2)
    assert await desk.outcome(named) is Outcome.DECIDED
    assert (await desk.outcome(one), await desk.outcome(two)) == (None, Outcome.ANSWERED)
    rest = await desk.say("no")
    await desk.settle(2)
    assert await desk.outcome(rest) is Outcome.DECIDED
    assert await desk.outcome(one) is Outcome.ANSWERED
    await desk.close()


async def test_a_stop_ends_all_of_ones_own_runs(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path)
    await desk.share()
    mine = [await desk.say("work 1"), await desk.say("talk 2"), await desk.say("ask 3")]
    bobs = await desk.say("work b", by="bob")
    await desk.settle(1)
    later = await desk.say("later", override=Priority.LATER)
    await desk.say("/stop")
    await desk.settle(10)
    assert [await desk.outcome(r) for r in mine] == [Outcome.INTERRUPTED] * 3
    assert await desk.outcome(bobs) is Outcome.ANSWERED
    assert await desk.outcome(later) is Outcome.RETURNED
    assert not desk.errors
    await desk.close()


async def test_a_button_ends_its_own_run(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path)
    one, two = await desk.say("work 1"), await desk.say("work 2")
    await desk.settle(1)
    await desk.say("", kind=InputKind.STOP, run=(await desk.row(one)).run)
    await desk.settle(10)
    assert await desk.outcome(one) is Outcome.INTERRUPTED
    assert await desk.outcome(two) is Outcome.ANSWERED
    await desk.close()


async def test_now_stops_the_newest_and_later_comes_last(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path)
    one, two = await desk.say("work 1"), await desk.say("work 2")
    later = await desk.say("later", override=Priority.LATER)
    await desk.settle(1)
    now = await desk.say("work now", override=Priority.NOW)
    await desk.settle(20)
    got = [await desk.outcome(r) for r in (one, two, now, later)]
    assert got == [Outcome.ANSWERED, Outcome.INTERRUPTED, Outcome.ANSWERED, Outcome.ANSWERED]
    assert most_at_once(desk.channel) == 2
    said = [m.text for m in await desk.history() if isinstance(m, UserMessage)]
    assert said == ["work 1", "work 2", "work now", "later"]
    await desk.close()


async def test_history_orders_by_start_and_an_unfinished_sibling_is_unseen(tmp_path: Path) -> None:
    desk = await desk_of(tmp_path)
    brain = desk.router.wiring.agent.model  # type: ignore[attr-defined]
    await desk.say("work")
    await desk.settle(1)
    await desk.say("hi")
    await desk.settle(1)
    assert users(brain.requests[1]) == ["hi"]
    await desk.settle(5)
    assert users(brain.requests[2]) == ["work"]
    kinds = [type(m).__name__[0] + m.text[:4] for m in await desk.history() if hasattr(m, "text")]
    assert kinds == ["Uwork", "A", "Aafte", "Uhi", "Adone"]
    await desk.say("bye")
    await desk.settle(2)
    assert users(brain.requests[-1]) == ["work", "hi", "bye"]
    await desk.close()
