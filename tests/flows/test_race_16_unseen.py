"""RACES 16: who can't have seen the question gives no answer to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.core.interrupts import Status
from gateway.ports.rows import Outcome
from tests.flows.asking import asked

pytestmark = pytest.mark.looptime


async def test_race_16_a_message_from_before_the_prompt_is_no_answer(tmp_path: Path) -> None:
    desk = await asked(tmp_path, bool, ["fine"], ["next"])
    seq = next(p.seq for p in [await desk.store.prompt(desk.channel.prompts[0].row.token)] if p)
    early = await desk.say("yes", seen=seq - 1)
    await desk.settle(1)
    assert await desk.outcome(early) is None, "it waits as an input"
    (question,) = await desk.store.questions(thread="fake:1")
    assert question.status is Status.PENDING
    seen = await desk.say("yes", seen=seq)
    await desk.settle(2)
    assert await desk.outcome(seen) is Outcome.DECIDED
    assert await desk.outcome(early) in (Outcome.ANSWERED, Outcome.STEERED)
    await desk.close()
