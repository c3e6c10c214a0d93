"""Row 21: NOW before NEXT before LATER, first come, first served inside each."""

import asyncio
from pathlib import Path

import pytest

from tests.acceptance.desk import Desk
from tests.acceptance.log import bodies
from tests.acceptance.work import worker

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("how", ["command", "switch"])
@pytest.mark.parametrize("mode", ["steer", "enqueue", "interrupt"])
async def test_delivered_in_order(tmp_path: Path, mode: str, how: str):
    agent, _ = worker()
    async with Desk(tmp_path, agent, queue_mode=mode) as desk:
        ann = await desk.person("ann")
        await ann.say("finish")
        await ann.frame("call", state="started")
        said = []
        for wish, text in (("later", "L"), ("next", "N1"), ("now", "NOW"), ("next", "N2")):
            if how == "command":
                said.append(await ann.say(f"/{wish} {text}"))
            else:
                said.append(await ann.say(text, override=wish))
        await asyncio.sleep(10)
        texts = [body["text"] for body in bodies(await ann.export(), "user")]
        assert texts == ["finish", "NOW", "N1", "N2", "L"]
        for receipt in said:
            assert (await ann.outcome(receipt))[0] in ("answered", "steered")
