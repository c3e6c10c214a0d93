"""RACES 8: a NOW during a pause, and what only sounds like one."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.core.queueing import Priority
from gateway.ports.rows import Outcome
from tests.flows.asking import REGION, asked, results

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("text", ["wait, do something else", "стоп, не туда", "hold on, yes"])
@pytest.mark.parametrize("schema", [bool, REGION, {"type": "string"}])
async def test_race_08_a_hold_word_with_text_moves_on(
    tmp_path: Path, text: str, schema: object
) -> None:
    desk = await asked(tmp_path, schema, ["next"])
    said = await desk.say(text)
    await desk.settle(1)
    assert await desk.outcome(said) is Outcome.ANSWERED
    assert await results(desk) == ["The user moved on without answering"]
    assert desk.told("MOVED_ON")
    await desk.close()


@pytest.mark.parametrize("text", ["wait", "hold on", "подожди", "секунду"])
async def test_race_08_a_hold_word_alone_is_no_try(tmp_path: Path, text: str) -> None:
    desk = await asked(tmp_path, bool)
    for _ in range(4):
        said = await desk.say(text)
        await desk.settle(1)
        assert await desk.outcome(said) is Outcome.HANDLED
    assert len(desk.channel.prompts) == 1
    yes = await desk.say("yes")
    await desk.settle(1)
    assert await desk.outcome(yes) is Outcome.DECIDED
    await desk.close()


async def test_race_08_next_and_later_wait_beside_the_question(tmp_path: Path) -> None:
    desk = await asked(tmp_path, bool, ["a"], ["b"], ["c"])
    later = await desk.say("yes", override=Priority.LATER)
    soon = await desk.say("/next yes")
    await desk.settle(1)
    assert await desk.outcome(later) is None
    assert await desk.outcome(soon) is None
    yes = await desk.say("yes")
    await desk.settle(2)
    assert await desk.outcome(yes) is Outcome.DECIDED
    assert await desk.outcome(later) is Outcome.ANSWERED
    assert await desk.outcome(soon) is Outcome.STEERED
    await desk.close()
