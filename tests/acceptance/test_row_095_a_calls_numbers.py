"""Row 95: every call tells its numbers: to the page, to the metrics, to the log without a word."""

import asyncio
import json
from pathlib import Path

from gateway import Agent
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script

pytestmark = CALLING

LONG = "I found three servers. All of them are idle since Monday. They cost ten dollars a day."


async def test_told_at_its_end(tmp_path: Path):
    async with CallDesk(tmp_path, Agent("a", Script([LONG], ["Fine."]), "")) as desk:
        ann = await desk.caller()
        await ann.say("show my servers")
        await ann.hears("All of")
        await ann.say("delete the first one")
        await ann.hears("Fine.")
        await asyncio.sleep(1)
        ann.actor.hang_up()
        (told,) = ann.line.told("numbers")
        assert 600 <= told["endOfTurnMs"] <= 1_000
        assert 0 <= told["firstSoundMs"] <= 150
        assert 0 <= told["stopMs"] <= 20
        assert 0.2 < told["heardRatio"] < 0.8
        shown = await desk.metrics()
        for name in ("turn_seconds", "first_sound_seconds", "stop_seconds", "heard_ratio"):
            assert f"bargein_call_{name}_count" in shown
        assert "bargein_call_turn_seconds_count 2.0" in shown
        lines = [json.loads(line) for line in desk.log.getvalue().splitlines()]
        (line,) = [line for line in lines if line["event"] == "call"]
        assert line["heardRatio"] == told["heardRatio"]
        assert "servers" not in desk.log.getvalue()
