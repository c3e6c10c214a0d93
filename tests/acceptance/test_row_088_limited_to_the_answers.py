"""Row 88: an answer is heard as one of the schema's; other words are refused and asked again."""

from pathlib import Path

import pytest

from tests.acceptance.asking import asking_agent, results
from tests.acceptance.calling import CALLING
from tests.acceptance.real_ears import desk, recorded, says

pytestmark = [CALLING, pytest.mark.timeout(240)]
AGE = {"type": "integer", "minimum": 0, "maximum": 99}


@pytest.mark.parametrize(
    ("language", "schema", "wrong", "right", "value"),
    [
        ("en", AGE, "please-try-again", "digits/30", 30),
        ("ru", AGE, "digits/day-5", "digits/90", 90),
        ("ru", {"type": "boolean"}, "digits/day-3", "vm-no", False),
    ],
)
async def test_other_words_are_asked_again(
    tmp_path: Path, cache: Path, *, language: str, schema: object, wrong: str, right: str, value
):
    async with await desk(tmp_path, asking_agent(schema, message="Well?"), cache) as calls:
        page = await calls.person("ann", language=language)
        await page.say("go")
        ann = await calls.caller(language=language)
        await ann.hears("Well?")
        await ann.until(lambda: not ann.playing(), 20, "prompt over")
        await ann.wait(1)
        refused = await says(ann, recorded(language, wrong))
        assert refused["outcome"] != "answer"
        assert not page.find("decided")
        await ann.until(lambda: len(ann.captions()) >= 2, 20, "asked again")
        await ann.until(lambda: not ann.playing(), 20, "prompt over")
        await ann.wait(1)
        assert (await says(ann, recorded(language, right)))["outcome"] == "answer"
        await page.ended(within=20)
        assert await results(page) == [f"ask={value!r}"]
