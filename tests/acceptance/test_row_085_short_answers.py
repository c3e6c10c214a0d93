"""Row 85: a short answer over the prompt's form stops it and answers; one before its essential part
was heard does not count, and the question is asked again.
"""

from pathlib import Path

import pytest

from tests.acceptance.asking import asking_agent, results
from tests.acceptance.calling import CALLING, CallDesk

pytestmark = CALLING

both = pytest.mark.parametrize(
    ("language", "go", "yes", "question"),
    [
        ("en", "go", "yes", "Shall I delete all of the servers?"),
        ("ru", "начни", "да", "Удалить все серверы прямо сейчас?"),
    ],
)


@both
async def test_late_it_stops_the_prompt_and_answers(
    tmp_path: Path, language: str, go: str, yes: str, question: str
):
    async with CallDesk(tmp_path, asking_agent(bool, message=question)) as desk:
        page = await desk.person("ann", language=language)
        ann = await desk.caller(language=language)
        await ann.say(go)
        await ann.hears(question)
        assert (await ann.say(yes))["outcome"] == "answer"
        heard = next(text for text in ann.captions() if text.startswith(question))
        assert not heard.endswith((" no.", " нет."))
        await ann.hears("fine")
        assert await results(page) == ["ask=True"]


@both
async def test_early_it_is_asked_again(
    tmp_path: Path, language: str, go: str, yes: str, question: str
):
    async with CallDesk(tmp_path, asking_agent(bool, message=question)) as desk:
        page = await desk.person("ann", language=language)
        ann = await desk.caller(language=language)
        await ann.say(go)
        await ann.hears(question.split()[0])
        assert (await ann.say(yes))["outcome"] == "early"
        assert not page.find("decided")
        again = f"{question}"
        await ann.until(
            lambda: sum(again in text for text in ann.captions()) == 2, 30, "asked again"
        )
        await ann.until(lambda: not ann.playing(), 20, "prompt over")
        assert not page.find("decided")
        assert (await ann.say(yes))["outcome"] == "answer"
        await ann.hears("fine")
        assert await results(page) == ["ask=True"]
