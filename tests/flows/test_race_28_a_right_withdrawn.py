"""RACES 28: a right that is withdrawn after the decision, before the tool runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gateway.access import Access
from gateway.ports.rows import Outcome
from gateway.runs.context import ToolContext
from gateway.runs.tools import tool
from tests.flows.asking import results
from tests.flows.desk import Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("who", ["boss", "ann"])
async def test_race_28_a_right_that_is_withdrawn_before_the_call_runs(
    tmp_path: Path, who: str
) -> None:
    ran: list[Any] = []
    asks = []

    @tool
    async def wipe(context: ToolContext) -> str:
        """Asks and wipes."""
        asks.append(1)
        to = "approvers" if who == "boss" else None
        verdict = await context.interrupt(message="Wipe?", kind="approval", to=to)
        ran.append(verdict)
        return f"wiped {verdict}"

    access = Access(open_channels=["fake"], approvers=["boss"])
    model = Script([call("wipe")], ["fine"])
    desk = await open_desk(tmp_path / "a.db", agent_of(model, wipe), access=access, limit=1)
    await desk.say("wipe it")
    await desk.settle(1)
    slots = desk.router.wiring.slots
    slots.take("another", lambda: None, resume=False)
    thread = "fake:boss" if who == "boss" else "fake:1"
    yes = await desk.say("yes", by=who, thread=thread)
    await desk.settle(1)
    assert await desk.outcome(yes) is Outcome.DECIDED
    access.withdraw(who)
    slots.give_back("another")
    await desk.settle(1)
    assert not ran
    assert (await results(desk))[0] == "wipe may not run here; it was not run"
    await desk.close()
