"""Row 94: speech starts before the whole reply exists, after its first clause."""

from pathlib import Path

import pytest

from gateway import Agent
from tests.acceptance.calling import CALLING, CallDesk
from tests.acceptance.scripted import Script

pytestmark = CALLING


@pytest.mark.parametrize(
    ("language", "ask", "parts"),
    [
        (
            "en",
            "go on then",
            ["I found three servers, and", 8.0, " all of them idle. ", 8.0, "So?"],
        ),
        ("ru", "давай тогда", ["Нашлось три сервера, и", 8.0, " все простаивают. ", 8.0, "Ну?"]),
    ],
)
async def test_first_sound_after_the_first_clause(tmp_path: Path, language: str, ask: str, parts):
    async with CallDesk(tmp_path, Agent("a", Script(parts), "")) as desk:
        ann = await desk.caller(language=language)
        said = await ann.say(ask)
        taken = desk.time()
        assert said["outcome"] == "input"
        await ann.until(lambda: bool(ann.line.sent), 2, "the first sound")
        first = ann.line.sent[0][0] / 1000
        assert first - taken <= 0.15
        await ann.hears(parts[0].rpartition(" ")[0], within=6)
        assert desk.time() - taken < 8.0
        await ann.hears("".join(part for part in parts if isinstance(part, str)), within=40)
        assert ann.captions() == ["".join(part for part in parts if isinstance(part, str))]
