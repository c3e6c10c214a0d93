"""Row 47 by voice: an answer counts by when it was begun; a late one is told so."""

import asyncio
from pathlib import Path

import pytest

from tests.acceptance.asking import asking_agent, results
from tests.acceptance.calling import CALLING, CallDesk

pytestmark = CALLING

both = pytest.mark.parametrize(
    ("language", "go", "yes", "late"),
    [
        ("en", "go", "yes", "That question has expired; your answer came too late."),
        ("ru", "начни", "да", "Время этого вопроса истекло; ваш ответ опоздал."),
    ],
)


@both
async def test_begun_in_time_it_counts(tmp_path: Path, language: str, go: str, yes: str, late: str):
    async with CallDesk(tmp_path, asking_agent(bool, expires_in=12)) as desk:
        desk.engines.ears.final_seconds = 2.0
        page = await desk.person("ann", language=language)
        ann = await desk.caller(language=language)
        await ann.say(go)
        await page.frame("armed", within=30)
        armed = desk.time()
        await asyncio.sleep(armed + 11.0 - desk.time())
        ann.speak(yes)
        await ann.hears("fine", within=10)
        assert await results(page) == ["ask=True"]
        assert desk.time() > armed + 12


@both
async def test_begun_too_late_it_is_told_so(
    tmp_path: Path, language: str, go: str, yes: str, late: str
):
    async with CallDesk(tmp_path, asking_agent(bool, expires_in=10)) as desk:
        page = await desk.person("ann", language=language)
        ann = await desk.caller(language=language)
        await ann.say(go)
        await page.frame("armed", within=30)
        await page.ended(within=40)
        await ann.hears("fine", within=20)
        await ann.is_("listening")
        (result,) = await results(page)
        assert result.startswith('Nobody answered "Well?" before it expired at ')
        await ann.say(yes)
        await ann.hears(late)
        await asyncio.sleep(3)
        assert len(page.find("run", state="ended")) == 1
