"""An input that a check refuses reaches no model, now or later, and ends with its code."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gateway.core.errors import InputRefused
from gateway.core.queueing import Mode
from gateway.policy import Policy
from gateway.ports.rows import Outcome
from gateway.runs.tools import tool
from tests.flows.desk import Script, agent_of, call, open_desk

pytestmark = pytest.mark.looptime


def no_secrets(text: str) -> None:
    if "secret" in text:
        raise InputRefused("PII_DETECTED")


@tool
async def work() -> str:
    """Takes a second."""
    await asyncio.sleep(1)
    return "worked"


async def test_one_that_would_join(tmp_path: Path):
    model = Script([call("work")], ["done"], ["again"])
    desk = await open_desk(tmp_path / "a.db", agent_of(model, work, before_run=[no_secrets]))
    await desk.say("go")
    await desk.settle(0.5)
    bad = await desk.say("my secret")
    await desk.settle(3)
    row = await desk.row(bad)
    assert (row.outcome, row.detail) == (Outcome.REFUSED, "PII_DETECTED")
    assert len(desk.told("PII_DETECTED")) == 1
    await desk.say("next")
    await desk.settle(2)
    assert len(model.requests) == 3
    assert "secret" not in str([request.messages for request in model.requests])
    assert not desk.errors
    await desk.close()


async def test_the_first_one(tmp_path: Path):
    model = Script(["done"])
    desk = await open_desk(tmp_path / "a.db", agent_of(model, before_run=[no_secrets]))
    bad = await desk.say("my secret")
    await desk.settle(2)
    row = await desk.row(bad)
    assert (row.outcome, row.detail) == (Outcome.REFUSED, "PII_DETECTED")
    assert model.requests == []
    fine = await desk.say("next")
    await desk.settle(2)
    assert await desk.outcome(fine) is Outcome.ANSWERED
    assert "secret" not in str(model.requests[0].messages)
    assert "secret" not in str(await desk.history())
    await desk.close()


async def test_one_of_several_that_are_collected(tmp_path: Path):
    model = Script(["one", 2.0], ["done"])
    agent = agent_of(model, before_run=[no_secrets])
    policy = Policy(shared_mode=Mode.COLLECT)
    desk = await open_desk(tmp_path / "a.db", agent, policy=policy)
    await desk.share()
    await desk.say("go")
    await desk.settle(1)
    await desk.say("my secret", by="bob")
    fine = await desk.say("what else", by="ann")
    await desk.settle(5)
    assert "what else" in str(model.requests[-1].messages)
    assert "secret" not in str([request.messages for request in model.requests])
    assert await desk.outcome(fine) is Outcome.MERGED
    assert desk.told("PII_DETECTED")
    await desk.close()


async def test_one_that_is_edited_while_it_is_checked_is_checked_again(tmp_path: Path):
    checked: list[str] = []

    async def slow(text: str) -> None:
        checked.append(text)
        await asyncio.sleep(0.2 if text == "first" else 0)
        no_secrets(text)

    model = Script([call("work")], ["done"], ["later"])
    desk = await open_desk(tmp_path / "a.db", agent_of(model, work, before_run=[slow]))
    await desk.say("go")
    await desk.settle(0.5)
    joins = await desk.say("first")
    await desk.settle(0.6)
    assert "first" in checked
    await desk.say("/queue edit 1 my secret")
    await desk.settle(5)
    assert "secret" not in str([request.messages for request in model.requests])
    assert (await desk.row(joins)).detail == "PII_DETECTED"
    await desk.close()
