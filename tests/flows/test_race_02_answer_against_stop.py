"""RACES 2: an answer against a stop: the first that was stored wins."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.core.interrupts import Status
from gateway.ports.rows import Outcome
from tests.flows.asking import asked, results
from tests.flows.desk import call

pytestmark = pytest.mark.looptime


async def test_race_02_answer_first(tmp_path: Path) -> None:
    desk = await asked(tmp_path, bool, [call("ask")], ["fine"], limit=1)
    desk.router.wiring.slots.take("another run", lambda: None, resume=False)
    yes = await desk.say("yes")
    await desk.settle(1)
    assert await desk.outcome(yes) is Outcome.DECIDED
    stop = await desk.say("/stop")
    await desk.settle(1)
    assert await desk.outcome(stop) is Outcome.HANDLED
    (question,) = await desk.store.questions(thread="fake:1")
    assert question.status is Status.ANSWERED
    assert "ask=True" not in await results(desk), "the call did not go on"
    desk.router.wiring.slots.give_back("another run")
    await desk.say("/retry")
    await desk.settle(1)
    assert len(desk.channel.prompts) == 2, "it is asked anew"
    assert not desk.errors
    await desk.close()


async def test_race_02_stop_first(tmp_path: Path) -> None:
    desk = await asked(tmp_path, bool)
    prompt = desk.channel.prompts[0]
    await desk.say("/stop")
    press = await desk.router.press(prompt.row.token, "yes", "ann", dedup="p", channel="fake")
    await desk.settle(1)
    row = await desk.row(press)
    assert (row.outcome, row.detail) == (Outcome.REFUSED, "INTERRUPT_ALREADY_DECIDED")
    assert desk.told("INTERRUPT_ALREADY_DECIDED")
    assert desk.channel.called("withdraw")[0][0].token == prompt.row.token
    assert len(desk.router.wiring.agent.model.requests) == 1  # type: ignore[attr-defined]
    await desk.close()
