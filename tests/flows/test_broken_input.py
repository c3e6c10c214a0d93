"""An input that breaks its thread's actor fails with an id; its neighbours and the thread go on."""

from pathlib import Path
from typing import Any

import pytest

from gateway import Agent
from tests.acceptance.desk import Desk
from tests.acceptance.scripted import Script

pytestmark = pytest.mark.looptime


class Breaking:
    """A store whose commits break on everything that has to do with "poison"."""

    def __call__(self, store: Any) -> Any:
        self._store = store
        return self

    async def commit(self, thread: str, epoch: int, writes: Any) -> None:
        if any("poison" in str(write) and "outcome=None" in str(write) for write in writes):
            raise ValueError("broken")
        await self._store.commit(thread, epoch, writes)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


async def test_it_fails_visibly_and_the_thread_goes_on(tmp_path: Path):
    async with Desk(tmp_path, Agent("tester", Script(["fine"])), wrap=Breaking()) as desk:
        desk.may_fail = True
        ann = await desk.person("ann")
        broken = await ann.say("poison")
        outcome, error_id = await ann.outcome(broken, within=10)
        assert outcome == "failed"
        assert error_id in {line["error_id"] for line in desk.failures()}
        notice = await ann.frame("notice", within=1, code="INPUT_FAILED")
        assert error_id in notice["data"]["text"]
        assert await ann.outcome(await ann.say("hello"), within=5) == ("answered", "")
