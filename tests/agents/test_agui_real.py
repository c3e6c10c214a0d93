"""Agents that people have already, behind AG-UI: LangGraph's and pydantic-ai's own adapters."""

from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.desk import Desk
from tests.acceptance.telegram import TelegramDesk
from tests.acceptance.test_agui_files import PDF, brought

pytestmark = [pytest.mark.slow, pytest.mark.process, pytest.mark.timeout(300)]


def at(desk: Any, url: str) -> Any:
    desk.settings = desk.settings.model_copy(update={"agent": f"agui:{url}"})
    return desk


async def test_langgraph_asks_and_goes_on_over_two_runs(tmp_path: Path, langgraph: str):
    async with at(Desk(tmp_path, None), langgraph) as desk:
        ann = await desk.person("ann", language="ru")
        for number, town in ((1, "рига"), (2, "Юрмала")):
            said = await ann.say("Хочу поехать")
            asked = (await ann.frame("question"))["data"]["question"]
            assert asked["message"] == "В какой город?"
            if number == 2:
                await ann.say("в Париж")
            await ann.say(town)
            assert await ann.outcome(said) == ("answered", "")
            await ann.shows(f"Едем: {town.capitalize()}. Вопрос номер {number}.")


async def test_langgraph_on_telegram_in_russian(tmp_path: Path, langgraph: str):
    async with at(TelegramDesk(tmp_path, None), langgraph) as desk:
        ann = desk.private(language="ru")
        ann.say("Хочу на море")
        await ann.shows("В какой город?")
        ann.say("в юрмалу")
        await ann.shows("Едем: Юрмала.")


async def test_pydantic_ai_refunds_once_and_only_when_told_so(tmp_path: Path, pydantic_ai: str):
    async with at(Desk(tmp_path, None), pydantic_ai) as desk:
        ann = await desk.person("ann", language="ru")
        for words, end in (("нет", "всего 0"), ("да", "всего 20")):
            said = await ann.say("Верните деньги")
            asked = (await ann.frame("question"))["data"]["question"]
            assert (asked["kind"], asked["reason"]) == ("approval", "tool_call")
            if words == "да":
                await ann.say("не знаю")
            await ann.say(words)
            assert await ann.outcome(said) == ("answered", "")
            await ann.shows(end)


async def test_pydantic_ai_takes_edited_arguments(tmp_path: Path, pydantic_ai: str):
    async with at(Desk(tmp_path, None), pydantic_ai) as desk:
        ann = await desk.person("ann")
        said = await ann.say("Refund me")
        asked = await ann.frame("question")
        answer = {"approved": True, "updatedArguments": {"euro": 7}}
        await ann.press(asked, "value", answer)
        assert await ann.outcome(said) == ("answered", "")
        await ann.shows("возвращено 7 (всего 7)")


async def test_langgraph_gets_pictures_and_documents(tmp_path: Path, langgraph: str):
    async with at(Desk(tmp_path, None), langgraph) as desk:
        eva = await desk.person("eva", "local:eva", "ru")
        files = [await brought(desk, who="eva"), await brought(desk, PDF, "a.pdf", "eva")]
        said = await eva.say("Хочу сюда", attachments=files)
        await eva.frame("question")
        await eva.say("Рига")
        assert await eva.outcome(said) == ("answered", "")
        await eva.shows("Вопрос номер 1. Файлы: image_url, file.")


async def test_pydantic_ai_gets_pictures_and_documents(tmp_path: Path, pydantic_ai: str):
    async with at(Desk(tmp_path, None), pydantic_ai) as desk:
        ann = await desk.person("ann", language="ru")
        files = [await brought(desk), await brought(desk, PDF + bytes(5_000_000), "a.pdf")]
        said = await ann.say("Что это?", attachments=files)
        assert await ann.outcome(said) == ("answered", "")
        await ann.shows("image/png 40, application/pdf 5000029")


async def test_langgraph_is_left_and_goes_on_with_what_was_said(tmp_path: Path, langgraph: str):
    async with at(Desk(tmp_path, None), langgraph) as desk:
        ann = await desk.person("ann", language="ru")
        await ann.say("Хочу поехать")
        await ann.frame("question")
        await ann.stop()
        said = await ann.say("Нет, всё-таки хочу")
        await ann.frame("question")
        await ann.say("Рига")
        assert await ann.outcome(said) == ("answered", "")
        await ann.shows("Едем: Рига. Вопрос номер 2.")
