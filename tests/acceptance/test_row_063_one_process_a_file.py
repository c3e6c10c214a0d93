"""Row 63: a second process on the same SQLite file is refused with a clear error."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway import Agent
from gateway.app import App
from gateway.core.errors import StoreFailed
from tests.acceptance.desk import Desk
from tests.acceptance.real_server import Server
from tests.acceptance.scripted import Script


@pytest.mark.looptime
async def test_the_second_one_is_refused_and_the_first_goes_on(tmp_path: Path):
    model = Script(["whole"])
    async with Desk(tmp_path, Agent("t", model)) as desk:
        ann = await desk.person("ann")
        second = App(desk.settings, agent=desk.agent, clock=desk.clock, log=desk.log)
        with pytest.raises(StoreFailed) as refused:
            await second.start()
        assert refused.value.code == "STORE_LOCKED"
        assert str(tmp_path / "a.db") in str(refused.value)
        assert "in use by another process" in str(refused.value)
        assert (await ann.outcome(await ann.say("hi")))[0] == "answered"


@pytest.mark.slow
@pytest.mark.process
async def test_started_twice(tmp_path: Path):
    first = await Server(tmp_path / "a.db").ready()
    try:
        code, err = await Server(tmp_path / "a.db").ended(within=30)
        assert code == 1
        assert "in use by another process" in err
        assert str(tmp_path / "a.db") in err
        assert "Traceback" not in err
        ann = await first.person("ann")
        assert (await ann.outcome(await ann.say("hi")))[0] == "answered"
        await ann.leave()
        first.kill()
        third = await Server(tmp_path / "a.db").ready()
        assert await third.terminate(within=10) == 0
    finally:
        first.kill()
