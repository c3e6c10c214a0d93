"""Row 40 by voice: spoken answers in both languages; what was understood is said and shown."""

from pathlib import Path

import pytest

from tests.acceptance.asking import REGION, REPLICAS, asking_agent, results
from tests.acceptance.calling import CALLING, CallDesk

pytestmark = CALLING

BUILD = {"type": "integer"}


@pytest.mark.parametrize(
    ("language", "schema", "said", "value", "understood"),
    [
        ("en", bool, "yes", True, "yes"),
        ("ru", bool, "нет", False, "нет"),
        ("en", bool, "да", True, "yes"),
        ("ru", bool, "no", False, "нет"),
        ("en", REGION, "us", "us", "us"),
        ("ru", REPLICAS, "четыре", 4, "4"),
        ("en", REPLICAS, "four", 4, "4"),
        ("ru", BUILD, "двадцать пять", 25, "25"),
        ("en", BUILD, "twenty five", 25, "25"),
    ],
)
async def test_by_voice(
    tmp_path: Path, *, language: str, schema: object, said: str, value: object, understood: str
):
    async with CallDesk(tmp_path, asking_agent(schema)) as desk:
        page = await desk.person("ann", language=language)
        ann = await desk.caller(language=language)
        await ann.say("go" if language == "en" else "начни")
        await ann.is_("asking")
        await ann.hears("Well?")
        await ann.until(lambda: ann.state() == "asking" and not ann.playing(), 20, "prompt over")
        told = await ann.say(said)
        assert told["outcome"] == "answer"
        await ann.until(lambda: bool(ann.line.told("understood")), 5, "understood")
        (shown,) = ann.line.told("understood")
        assert (shown["said"], shown["value"]) == (said, understood)
        card = (await page.frame("decided"))["data"]
        assert (card["value"], card["how"], card["by"]) == (value, "voice", "ann")
        assert card["understood"] == understood
        await ann.hears("fine")
        echo = "Understood" if language == "en" else "Понято"
        assert f"{echo}: {understood}." in ann.captions()
        assert await results(page) == [f"ask={value!r}"]


async def test_the_page_has_the_card_and_a_click_answers(tmp_path: Path):
    """Both ways stand open: the card is on the page while the voice asks."""
    async with CallDesk(tmp_path, asking_agent(bool)) as desk:
        page = await desk.person("ann")
        ann = await desk.caller()
        await ann.say("go")
        question = await page.frame("question")
        await ann.is_("asking")
        await page.press(question, "yes")
        await ann.until(lambda: ann.state() != "asking", 2, "the voice stops asking")
        await ann.hears("fine")
        assert await results(page) == ["ask=True"]
        assert not ann.line.told("understood")
