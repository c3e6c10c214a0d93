"""RACES 11, without the sound: words spoken over a question answer it, or it is asked again."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.core.interrupts import Status, Way
from gateway.ports.rows import Outcome
from tests.flows.asking import asked, results

pytestmark = pytest.mark.looptime


async def test_race_11_words_that_are_an_answer(tmp_path: Path) -> None:
    desk = await asked(tmp_path, bool)
    said = await desk.say("yes please", how="voice")
    await desk.settle(1)
    assert await desk.outcome(said) is Outcome.DECIDED
    (question,) = await desk.store.questions(thread="fake:1")
    assert question.decision is not None
    assert question.decision.how is Way.VOICE
    assert desk.told("UNDERSTOOD")[0].params["echo"] is True
    assert await results(desk) == ["ask=True"]
    await desk.close()


async def test_race_11_words_that_are_none(tmp_path: Path) -> None:
    desk = await asked(tmp_path, bool)
    said = await desk.say("the other one", how="voice")
    await desk.settle(1)
    assert (await desk.row(said)).detail == "INTERRUPT_ANSWER_INVALID"
    (question,) = await desk.store.questions(thread="fake:1")
    assert question.status is Status.PENDING
    again = desk.channel.prompts[-1]
    assert (again.question.message, bool(again.again)) == ("Well?", True)
    await desk.close()
