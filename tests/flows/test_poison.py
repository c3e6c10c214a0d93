"""An input that the engine can't handle ends failed, with an id; the thread goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent
from gateway.core.errors import IllegalEvent, StoreFailed
from gateway.ports.channel import Shown, TextRef
from gateway.ports.rows import InputState, Outcome
from gateway.ports.store import SaveInput
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Gate, Script
from tests.fakes.channel import FakeChannel
from tests.flows.desk import Script as FlowScript
from tests.flows.desk import agent_of, open_desk

pytestmark = pytest.mark.looptime


class Contradicting:
    """A store that calls it a contradiction when an input "poison" is taken up."""

    def __init__(self, inner: Any, error: type[Exception]) -> None:
        self._inner = inner
        self._error = error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def commit(self, thread: str, epoch: int, writes: Any) -> None:
        for write in writes:
            row = write.row if isinstance(write, SaveInput) else None
            if row is not None and (row.new.text, row.state) == ("poison", InputState.RUNNING):
                raise self._error("this contradicts what is stored")
        await self._inner.commit(thread, epoch, writes)


@pytest.mark.parametrize("error", [IllegalEvent, RuntimeError])
async def test_it_is_failed_and_told_and_its_neighbours_are_answered(
    tmp_path: Path, error: type[Exception]
):
    model = Script(["whole"])
    desk = Desk(tmp_path, Agent("t", model), wrap=lambda store: Contradicting(store, error))
    async with desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        assert (await ann.outcome(await ann.say("one")))[0] == "answered"
        bad = await ann.say("poison")
        good = await ann.say("two")
        outcome, error_id = await ann.outcome(bad)
        assert outcome == "failed"
        assert error_id
        assert error_id in ann.find("notice", code="INPUT_FAILED")[0]["text"]
        assert await ann.outcome(good) == ("answered", "")
        await asyncio.sleep(60)
        assert desk.log.getvalue().count("contradicts") <= 1


async def test_one_that_waited_is_failed_and_what_ended_before_it_stands(tmp_path: Path):
    gate = Gate()
    model = Script([gate, "whole"], ["more"])
    desk = Desk(
        tmp_path,
        Agent("t", model),
        wrap=lambda store: Contradicting(store, IllegalEvent),
        queue_mode="enqueue",
    )
    async with desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        one = await ann.say("one")
        await gate.reached.wait()
        bad, good = await ann.say("poison"), await ann.say("two")
        gate.open()
        assert await ann.outcome(one) == ("answered", "")
        outcome, error_id = await ann.outcome(bad)
        assert outcome == "failed"
        assert error_id in ann.find("notice", code="INPUT_FAILED")[0]["text"]
        assert await ann.outcome(good) == ("answered", "")
        assert len(model.requests) == 2


class Uncuttable(FakeChannel):
    """A channel that breaks when it is to reveal nothing more."""

    def cut(self, ref: TextRef) -> Shown:
        raise RuntimeError("can't be cut")


async def test_an_actor_that_fails_lets_go_of_every_run_and_its_thread_goes_on(tmp_path: Path):
    channel = Uncuttable("fake", share=1.0)
    agent = agent_of(FlowScript(["one ", 2.0, "two"]))
    desk = await open_desk(tmp_path / "a.db", agent, channels={"fake": channel})
    said = await desk.say("go")
    await desk.settle(1)
    commit, fails = desk.store.commit, [1]

    async def once(*given: Any) -> None:
        if fails:
            fails.clear()
            raise StoreFailed("STORE_FULL", "full")
        await commit(*given)

    object.__setattr__(desk.store, "commit", once)
    await desk.say("/status")
    await desk.settle(10)
    assert await desk.outcome(said) is Outcome.ANSWERED
    await desk.close()
