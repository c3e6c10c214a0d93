"""Row 56: what a thread waits on can be listed and cancelled, after a restart too."""

import asyncio
from io import StringIO
from pathlib import Path

import pytest

from gateway import Gateway
from tests.acceptance.asking import asked, asking_agent, requests_of, results
from tests.acceptance.desk import Desk
from tests.acceptance.people import Refused
from tests.builders import LoopClock

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("end", ["", "restart", "kill"])
async def test_over_the_socket(tmp_path: Path, end: str):
    agent = asking_agent(bool)
    async with Desk(tmp_path, agent) as desk:
        ann = await desk.person("ann")
        question = (await asked(ann))["data"]
        if end:
            await (desk.stop() if end == "restart" else desk.kill())
            await asyncio.sleep(5)
            await desk.start()
            ann = await desk.person("ann")
        (pause,) = await ann.call("pauses.list")
        assert (pause["id"], pause["thread"]) == (question["question"]["id"], "local:1")
        bob = await desk.person("bob", "local:2")
        assert await bob.call("pauses.list") == []
        with pytest.raises(Refused) as refused:
            await bob.call("pauses.cancel", thread="local:1")
        assert refused.value.code == "THREAD_ACCESS_DENIED"
        cancelled = await ann.call("pauses.cancel", thread="local:1", reason="not needed")
        assert cancelled == {"cancelled": 1}
        assert (await ann.ended())["end"] == "interrupted"
        assert await results(ann) == ['The user declined to answer "Well?"']
        assert await ann.call("pauses.list") == []
        log = await ann.export()
        closed = [e["body"] for e in log["entries"] if e["kind"] == "interrupt"][-1]
        assert closed == {"status": "closed", "reason": "USER_SIGINT", "note": "not needed"}
        with pytest.raises(Refused) as refused:
            await ann.call("pauses.cancel", thread="local:1")
        assert refused.value.code == "RUN_NOT_PAUSED"
        assert len(requests_of(agent)) == 1


async def test_in_a_program(tmp_path: Path):
    clock = LoopClock()
    agent = asking_agent(bool)
    async with Gateway(tmp_path / "a.db", agent=agent, clock=clock, log=StringIO()) as gateway:
        paused = await (await gateway.start("go", thread="t")).result()
    async with Gateway(tmp_path / "a.db", agent=agent, clock=clock, log=StringIO()) as gateway:
        waits = await gateway.paused_run("t")
        assert waits is not None
        assert waits.run == paused.run
        assert [q.id for q in waits.interrupts] == [q.id for q in paused.interrupts]
        assert await gateway.cancel_pause("t", reason="not needed") == 1
        assert await gateway.paused_run("t") is None
