"""Row 40: answers by text and button, English and Russian; the card shows what was understood."""

from pathlib import Path

import pytest

from tests.acceptance.asking import REGION, REPLICAS, asked, asking_agent, results
from tests.acceptance.desk import Desk

pytestmark = pytest.mark.looptime


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        (bool, "yes", True),
        (bool, "нет", False),
        (REGION, "US", "us"),
        (REPLICAS, "four", 4),
        (REPLICAS, "четыре", 4),
        ({"type": "string"}, "Привет, мир", "Привет, мир"),
    ],
)
async def test_by_text(tmp_path: Path, language: str, schema: object, text: str, value: object):
    async with Desk(tmp_path, asking_agent(schema)) as desk:
        ann = await desk.person("ann", language=language)
        await asked(ann)
        await ann.say(text)
        card = (await ann.frame("decided"))["data"]
        assert (card["value"], card["how"], card["by"]) == (value, "text", "ann")
        assert card["understood"]
        await ann.ended()
        assert await results(ann) == [f"ask={value!r}"]


@pytest.mark.parametrize(
    ("schema", "option", "value"),
    [(bool, "yes", True), (bool, "no", False), (REGION, "1", "us"), (bool, "value", False)],
)
async def test_by_button(tmp_path: Path, schema: object, option: str, value: object):
    async with Desk(tmp_path, asking_agent(schema)) as desk:
        ann = await desk.person("ann")
        question = await asked(ann)
        receipt = await ann.press(question, option, value)
        assert receipt["code"] == ""
        card = (await ann.frame("decided"))["data"]
        assert (card["value"], card["how"]) == (value, "button")
        assert card["understood"]
        await ann.frame("folded", token=question["data"]["token"])
        await ann.ended()
        assert await results(ann) == [f"ask={value!r}"]


async def test_repaired_text_is_echoed(tmp_path: Path):
    async with Desk(tmp_path, asking_agent(bool)) as desk:
        ann = await desk.person("ann", language="ru")
        await asked(ann)
        await ann.say("lf")
        told = (await ann.frame("notice", code="UNDERSTOOD"))["data"]
        assert told["params"]["echo"] is True
        assert told["params"]["understood"]
        await ann.ended()
        assert await results(ann) == ["ask=True"]
