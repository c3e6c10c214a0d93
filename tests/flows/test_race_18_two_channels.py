"""RACES 18: a thread on two channels: the question is shown on both, the first decision wins."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.ports.rows import Outcome
from tests.fakes.channel import FakeChannel
from tests.flows.asking import asker, results
from tests.flows.desk import Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime


async def test_race_18_the_first_decision_wins_and_the_other_folds(tmp_path: Path) -> None:
    one, other = FakeChannel("fake", share=1.0), FakeChannel("other", share=1.0)
    model = Script(["hello"], [call("ask")], ["fine"])
    agent = agent_of(model, asker("Well?", bool))
    desk = await open_desk(tmp_path / "a.db", agent, channels={"fake": one, "other": other})
    await desk.say("hi", channel="other")
    await desk.settle(1)
    await desk.say("go")
    await desk.settle(1)
    assert (len(one.prompts), len(other.prompts)) == (1, 1)
    token = one.prompts[0].row.token
    no = await desk.say("no", channel="other")
    press = await desk.router.press(token, "yes", "ann", dedup="p", channel="fake")
    await desk.settle(1)
    assert await desk.outcome(no) is Outcome.DECIDED
    assert (await desk.row(press)).detail == "INTERRUPT_ALREADY_DECIDED"
    assert await results(desk) == ["ask=False"]
    assert [w[0].token for w in one.called("withdraw")] == [token]
    assert len(other.called("withdraw")) == 1
    assert not desk.errors
    await desk.close()
