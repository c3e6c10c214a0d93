"""Row 87 with a real recogniser: recorded digits, 3-3-2-2 with 900 ms between the groups."""

from pathlib import Path

import numpy as np
import pytest

from tests.acceptance.asking import asking_agent, results
from tests.acceptance.calling import CALLING
from tests.acceptance.real_ears import desk, recorded, room, says

pytestmark = [CALLING, pytest.mark.timeout(240)]
TEN = {"type": "string", "pattern": r"^\d{10}$"}
GROUPS = ("916", "208", "34", "71")
IN_THREES = "Understood: 9 1 6, 2 0 8, 3 4 7 1."


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_digits_in_groups_are_one_answer(tmp_path: Path, cache: Path, language: str):
    async with await desk(tmp_path, asking_agent(TEN, message="Number?"), cache) as calls:
        page = await calls.person("ann", language=language)
        await page.say("go")
        ann = await calls.caller(language=language)
        await ann.hears("Number?")
        await ann.until(lambda: not ann.playing(), 20, "prompt over")
        await ann.wait(1)
        groups = [
            part
            for group in GROUPS
            for part in (recorded(language, *(f"digits/{d}" for d in group)), room(620))
        ]
        assert (await says(ann, np.concatenate(groups), within=30))["outcome"] == "answer"
        await page.ended(within=20)
        assert await results(page) == ["ask='9162083471'"]
        assert len(ann.outcomes()) == 1
        told = [one["text"] for one in ann.line.told("told")]
        assert any("9162083471" in text for text in told)
