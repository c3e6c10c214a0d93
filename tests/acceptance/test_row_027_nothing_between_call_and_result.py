"""Row 27: nothing is injected between a tool call and its result, whenever it is said."""

import asyncio
import random
from pathlib import Path

import pytest

from tests.acceptance.desk import Desk
from tests.acceptance.work import without_one_result, worker

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("seed", range(8))
async def test_random_times(tmp_path: Path, seed: int):
    chance = random.Random(seed)
    agent, model = worker()
    mode = chance.choice(["steer", "steer", "collect", "interrupt", "rollback", "parallel"])
    async with Desk(tmp_path, agent, queue_mode=mode) as desk:
        ann = await desk.person("ann")
        said = []
        for number in range(8):
            word = chance.choice(["work", "finish", "talk", "hi"])
            wish = chance.choice([None, None, "next", "now", "later"])
            said.append(await ann.say(f"{word} {number}", override=wish))
            await asyncio.sleep(chance.choice([0, 0.5, 1, 3, 3.1]))
        await asyncio.sleep(60)
        for receipt in said:
            await ann.outcome(receipt, within=0.1)
        assert len(model.requests) > 2
        assert [r for r in model.requests if without_one_result(r)] == []
