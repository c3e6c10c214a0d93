"""axe-core, where npm gives it, finds nothing serious in any state of the page."""

from datetime import date
from typing import Any

import pytest
from pydantic import BaseModel, Field

from gateway import Agent, ToolContext, tool
from gateway.core.errors import ModelFailed
from tests.acceptance.scripted import Script, call
from tests.web.axe import Axe
from tests.web.site import Site
from tests.web.test_reading import busy, deploy

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
async def test_axe_finds_nothing_serious(site: Site, axe: Axe, dark: bool) -> None:
    agent, gate = busy()
    await site.start(agent, queue_mode="enqueue")
    page = await site.page(dark=dark, bypass_csp=True)
    await page.sees("#message")
    assert await axe(page) == []
    await page.say("go")
    await gate.reached.wait()
    await page.say("one more thing")
    await page.sees("#queue li")
    assert await axe(page) == []
    await page.key("Escape")
    await page.sees(".said .mark", "not sent")
    await page.say("ask")
    await page.sees(".card.open .option")
    assert await axe(page) == []
    await page.press("red")
    await page.sees(".reply", "Picked")
    await page.say("deploy")
    await page.sees(".card.open .approval")
    assert await axe(page) == []
    await page.key("Alt+t")
    await page.all("#keys-button").click()
    await page.sees("dialog[open]")
    assert await axe(page) == []


class Trip(BaseModel):
    to: str = Field(title="Where to")
    people: int = Field(ge=1, le=9, title="People")
    day: date = Field(title="Day")
    meals: bool = Field(title="With meals")


FORMS: list[Any] = [Trip, date, str, {"type": "array", "items": {"enum": ["a", "b"]}}]


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
async def test_axe_finds_nothing_serious_in_russian_on_a_phone(
    site: Site, axe: Axe, dark: bool
) -> None:
    """The empty thread, every kind of form, an approval that is edited, a failure, the drawer, and
    a line that is lost.
    """
    site.may_log += ["WebSocket", "ERR_"]

    @tool(parallel_safe=True)
    async def form(context: ToolContext, number: int) -> str:
        """Form."""
        await context.interrupt(message="Какой?", response_schema=FORMS[number])
        return "ok"

    forms: list[Any] = [call("form", number=number) for number in range(len(FORMS))]
    steps: list[Any] = [[*forms], [call("deploy", service="web")], [ModelFailed("NO", "down")]]
    agent = Agent("concierge", Script(*steps), "", [form, deploy], parallel_tool_calls=True)
    await site.start(agent)
    page = await site.page(language="ru-RU", width=390, height=780, dark=dark, bypass_csp=True)
    await page.sees(".offer")
    assert await axe(page) == []
    await page.say("формы")
    await page.sees(".card.open", count=len(FORMS))
    assert await axe(page) == []
    await page.key("Escape")
    await page.sees(".end")
    await page.say("разверни")
    await page.press("Изменить аргументы")
    await page.press("Отказать с причиной")
    assert await axe(page) == []
    await page.press("Разрешить")
    await page.sees(".end.failed")
    await page.key("Alt+t")
    await page.sees("#threads .thread")
    assert await axe(page) == []
    await page.key("Escape")
    await site.stop()
    await page.sees("#banner")
    assert await axe(page) == []
