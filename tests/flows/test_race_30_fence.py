"""RACES 30: a run ends between a stop at the door and the stop's storing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gateway import Agent
from gateway.ports.rows import InputKind
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script
from tests.fakes.channel import FakeChannel

pytestmark = pytest.mark.looptime


class SlowToStop:
    """A store that takes two seconds to store a stop."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def accept(self, new: Any, accepted_at: Any) -> Any:
        if new.kind is InputKind.STOP:
            await asyncio.sleep(2.0)
        return await self._inner.accept(new, accepted_at)


async def test_none_of_that_persons_inputs_starts_until_the_stop_is_stored(tmp_path: Path):
    fake = FakeChannel("fake", share=1.0)
    model = Script(["one ", 100.0, "two"], ["bob's"], ["never"])
    desk = Desk(
        tmp_path,
        Agent("t", model),
        channels=[fake],
        allow=["ann", "bob"],
        shared=["fake:g"],
        wrap=SlowToStop,
    )
    async with desk:
        ann, bob = (desk.member(name, "fake:g", "fake") for name in ("ann", "bob"))
        await ann.say("count")
        await asyncio.sleep(1)
        await ann.say("and then this", override="later")
        stop = asyncio.create_task(ann.say("/stop"))
        await asyncio.sleep(1)  # the run has ended, the stop is not stored
        assert [run["state"] for run in fake.of_type("run")][-1] == "ended"
        assert len(model.requests) == 1
        await bob.say("mine")  # what others send goes on
        await asyncio.sleep(0.5)
        assert len(model.requests) == 2
        await stop
        await asyncio.sleep(5)
        rows = await desk.app.store.inputs("fake:g")
        assert [(row.new.text, row.outcome) for row in rows] == [
            ("count", "interrupted"),
            ("and then this", "returned"),
            ("mine", "answered"),
            ("/stop", "handled"),
        ]
        assert len(model.requests) == 2
        await ann.say("again")
        await asyncio.sleep(1)
        assert len(model.requests) == 3
