"""A command is one whatever stands between it and its words."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.commands import Parsed, parse
from gateway.ports.rows import Outcome
from tests.flows.desk import agent_of, open_desk
from tests.flows.watching import TOOLS, model


@pytest.mark.parametrize("space", [" ", "\n", "\t", "\u00a0", " \n  "])
def test_any_space_ends_its_name(space: str) -> None:
    assert parse(f"/later{space}one\ntwo ") == Parsed("later", "one\ntwo")
    assert parse(f" /Стоп@bot{space}") == Parsed("stop", "")


@pytest.mark.parametrize("text", ["/", "/ stop", "//stop", "stop", "/stopped", "/@bot"])
def test_what_is_none(text: str) -> None:
    assert parse(text) is None


@pytest.mark.looptime
async def test_a_stop_with_a_line_below_it_stops(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path / "a.db", agent_of(model(), *TOOLS))
    said = await desk.say("work")
    await desk.settle(1)
    stop = await desk.say("/stop\nthat was wrong")
    await desk.settle(1)
    assert await desk.outcome(stop) is Outcome.HANDLED
    assert await desk.outcome(said) is Outcome.INTERRUPTED
    await desk.close()
