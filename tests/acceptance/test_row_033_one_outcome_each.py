"""Row 33: every accepted message reaches exactly one visible outcome, whatever happens.

The thousand schedules at the door are `tests/flows/test_schedules.py`; here people at terminals,
whose server is killed or stopped under them.
"""

import asyncio
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.desk import Desk
from tests.acceptance.work import most_at_once, without_one_result, worker

pytestmark = pytest.mark.looptime

MODES = ["steer", "enqueue", "collect", "interrupt", "rollback", "reject", "parallel"]


async def act(chance: random.Random, desk: Desk, person: Any, number: int) -> None:
    """One random thing."""
    dice = chance.random()
    if dice < 0.1:
        await desk.kill()
    elif dice < 0.15:
        await desk.stop()
    elif dice < 0.3:
        await person.stop()
    elif dice < 0.4:
        await person.say(chance.choice(["yes", "no", "cancel", "/retry", "/queue drop 1"]))
    else:
        word = chance.choice(["work", "finish", "talk", "ask", "hi"])
        wish = chance.choice([None, None, "now", "next", "later"])
        await person.say(f"{word} m{number}", override=wish)


@pytest.mark.parametrize("seed", range(14))
async def test_a_random_schedule(tmp_path: Path, seed: int):
    chance = random.Random(seed)
    mode = MODES[seed % len(MODES)]
    agent, model = worker()
    limits = {"run_seconds": chance.choice([2.0, 60.0])}
    desk = Desk(tmp_path, agent, queue_mode=mode, timeouts=limits)
    desk.may_fail = True
    async with desk:
        ann = await desk.person("ann")
        seen: list[list[dict[str, Any]]] = [ann.frames]
        for number in range(14):
            await act(chance, desk, ann, number)
            if not desk._runs:
                await desk.start()
                ann = await desk.person("ann")
                seen.append(ann.frames)
            await asyncio.sleep(chance.choice([0, 0.1, 0.5, 1, 3]))
        await asyncio.sleep(120)
        await ann.stop()
        await asyncio.sleep(10)
        inputs = (await ann.export())["inputs"]
        assert [i for i in inputs if i["outcome"] is None or i["state"] != "done"] == []
        ends = Counter(
            (frame["data"]["seq"], frame["data"]["outcome"])
            for frames in seen
            for frame in frames
            if frame["type"] == "input" and frame["data"]["outcome"]
        )
        assert set(ends.values()) <= {1}
        assert len({seq for seq, _ in ends}) == len(ends)
        for frames in seen:
            runs = [frame["data"] for frame in frames if frame["type"] == "run"]
            assert mode == "parallel" or most_at_once(runs) <= 1
        assert [r for r in model.requests if without_one_result(r)] == []
