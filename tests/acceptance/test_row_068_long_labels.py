"""Row 68: buttons for enums with sixty-letter Russian labels."""

from pathlib import Path

import pytest

from tests.acceptance.telegram import TelegramDesk
from tests.acceptance.telegram_agents import CITIES, agent

pytestmark = pytest.mark.looptime


async def test_sixty_letter_labels_in_pages(tmp_path: Path):
    tester, _ = agent()
    async with TelegramDesk(tmp_path, tester) as desk:
        ann = desk.private()
        ann.say("ask cities")
        question = await ann.asks("The cities?")
        assert question.labels == [*CITIES[:8], "More ›"]
        await ann.press(question, "More").notice()
        await ann.shows(lambda m: CITIES[8] in m.labels)
        assert question.labels == [*CITIES[8:16], "‹ Earlier", "More ›"]
        await ann.press(question, "More").notice()
        await ann.shows(lambda m: CITIES[19] in m.labels)
        ann.press(question, CITIES[17])
        await ann.shows(f"result: cities={CITIES[17]}")
