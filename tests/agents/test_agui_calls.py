"""Agents that people have already, behind AG-UI, on a call in Russian. In real time, for their
servers are processes.
"""

from pathlib import Path

import pytest

from tests.acceptance.calling import CallDesk, Caller
from tests.fakes.voice import FakeEngines, Voice

pytestmark = [pytest.mark.slow, pytest.mark.process, pytest.mark.timeout(300)]

TOWN = "В какой город? Ответьте, пожалуйста: одно из: Рига, Юрмала."
CONFIRM = "Вы хотите вот что: refund, euro 20. Да или нет?"
MAY_I = "Можно выполнить: refund, euro 20?"


def desk(directory: Path, url: str) -> CallDesk:
    made = CallDesk(directory, None, engines=FakeEngines(mouth=Voice(ms_a_letter=12)))
    made.settings = made.settings.model_copy(update={"agent": f"agui:{url}"})
    return made


async def asked(ann: Caller, words: str) -> None:
    """The question was said, to its end."""
    await ann.until(lambda: ann.captions()[-1:] == [words], 20, f"hears “{words}”")
    await ann.until(lambda: ann.state() == "asking" and not ann.playing(), 20, "it was asked")


async def test_langgraph_asks_and_is_answered_by_voice(tmp_path: Path, langgraph: str):
    async with desk(tmp_path, langgraph) as calls:
        page = await calls.person("ann", language="ru")
        ann = await calls.caller(language="ru")
        assert (await ann.say("хочу поехать"))["outcome"] == "input"
        await asked(ann, TOWN)
        await ann.say("в париж")
        again = "Такого варианта нет. Ответьте, пожалуйста: одно из: Рига, Юрмала. В какой город?"
        await asked(ann, again)
        assert not page.find("decided")
        assert (await ann.say("рига"))["outcome"] == "answer"
        card = (await page.frame("decided"))["data"]
        assert (card["value"], card["how"], card["by"]) == ("Рига", "voice", "ann")
        await ann.hears("Едем: Рига. Вопрос номер 1.")
        assert ann.captions() == [TOWN, again, "Понято: Рига.", "Едем: Рига. Вопрос номер 1."]


@pytest.mark.parametrize(
    ("words", "status", "end"), [("нет", "denied", "всего 0"), ("да", "approved", "всего 20")]
)
async def test_pydantic_ai_refunds_only_what_was_said_and_allowed(
    tmp_path: Path, pydantic_ai: str, words: str, status: str, end: str
):
    async with desk(tmp_path, pydantic_ai) as calls:
        page = await calls.person("ann", language="ru")
        ann = await calls.caller(language="ru")
        assert (await ann.say("верните деньги"))["outcome"] == "input"
        await asked(ann, f"Ответьте, пожалуйста: да или нет. {MAY_I}")
        await ann.say("не знаю")
        await ann.until(lambda: len(ann.captions()) == 2, 20, "asked again")
        await asked(ann, ann.captions()[-1])
        assert ann.caption().endswith(MAY_I)
        assert not page.find("decided")
        for second in (False, True)[: 2 if words == "да" else 1]:
            if second:
                await asked(ann, CONFIRM)
            await ann.wait(0.7)
            assert (await ann.say(words))["outcome"] == "answer"
        assert (await page.frame("decided"))["data"]["status"] == status
        await ann.hears(end)
