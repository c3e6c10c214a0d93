"""Row 75: model text can never break formatting."""

import asyncio
from pathlib import Path

import pytest

from gateway import Agent
from tests.acceptance.scripted import Script
from tests.acceptance.telegram import TelegramDesk

pytestmark = pytest.mark.looptime


def saying(*steps) -> Agent:
    return Agent("a", Script(*steps), "")


async def test_model_text_never_breaks_formatting(tmp_path: Path):
    text = "a_b * c [x] `y\\_z` <b>&amp;</b> ```not a fence``` _ __ ** ]( ~~"
    async with TelegramDesk(tmp_path, saying([text])) as desk:
        ann = desk.private()
        ann.say("hi")
        await asyncio.sleep(5)
        assert ann.texts()[0].replace("`", "") == text.replace("`", "")
