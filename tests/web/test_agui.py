"""A LangGraph agent, behind its own AG-UI adapter, on the page in Russian."""

from typing import Any

import pytest

from gateway.agents.agui.agent import AguiAgent
from gateway.agents.agui.stream import Server
from tests.fakes.agui_real import real_server
from tests.web.site import Site

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.slow,
    pytest.mark.process,
    pytest.mark.timeout(300),
]


async def test_langgraph_asks_on_the_page_and_takes_the_answer(site: Site) -> None:
    with real_server("langgraph", "travel", "outcome") as url:
        agent: Any = AguiAgent(Server(url))
        await site.start(agent)
        page = await site.page(language="ru-RU")
        await page.say("Хочу поехать")
        await page.sees(".card.open h3", "В какой город?")
        await page.say("рига")
        await page.sees(".reply", "Едем: Рига. Вопрос номер 1.")
