"""RACES 3: skip, cancel and stop while a question is open."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.ports.rows import Outcome
from tests.flows.asking import asked, results

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("text", ["skip", "пропусти", "/skip"])
@pytest.mark.parametrize(
    ("schema", "result"),
    [
        ({"type": "integer", "default": 2}, "ask=2"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "ask=None"),
        (bool, 'The user declined to answer "Well?"'),
    ],
)
async def test_race_03_skip(tmp_path: Path, text: str, schema: object, result: str) -> None:
    desk = await asked(tmp_path, schema)
    said = await desk.say(text)
    await desk.settle(1)
    assert await desk.outcome(said) is Outcome.DECIDED
    assert await results(desk) == [result]
    assert len(desk.router.wiring.agent.model.requests) == 2  # type: ignore[attr-defined]
    assert not desk.errors
    await desk.close()


@pytest.mark.parametrize("text", ["cancel", "отмена", "/cancel", "stop", "стоп", "/stop"])
async def test_race_03_cancel_and_stop(tmp_path: Path, text: str) -> None:
    desk = await asked(tmp_path, bool)
    waits = await desk.say("/later more")
    said = await desk.say(text)
    await desk.settle(1)
    assert await desk.outcome(said) is Outcome.HANDLED
    assert await results(desk) == ['The user declined to answer "Well?"']
    model = desk.router.wiring.agent.model  # type: ignore[attr-defined]
    stops = text in ("stop", "стоп", "/stop")
    assert len(model.requests) == (1 if stops else 2)
    assert await desk.outcome(waits) is (Outcome.RETURNED if stops else Outcome.ANSWERED)
    row = (await desk.store.inputs("fake:1"))[0]
    assert (row.outcome, row.detail) == (Outcome.INTERRUPTED, "USER_SIGINT")
    assert desk.channel.called("withdraw")
    assert not desk.errors
    await desk.close()
