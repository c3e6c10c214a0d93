"""The five things that an empty thread offers, with the demo agent, in both languages."""

import pytest

from gateway.agents.scripted import Pace, ScriptedModel, concierge
from tests.web.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

SLOW = Pace(first_word_seconds=0.02, words_per_second=12)
FAST = Pace(first_word_seconds=0.01, words_per_second=400)

WORDS = {
    "en-US": {
        "cut": "stop, only the risks",
        "risks": "There are three.",
        "reason": "interrupted by a newer message",
        "instead": "Enter: stop and do this instead",
        "join": "Enter: add to what I’m doing",
        "pages": "only 3 pages",
        "joined": "joined",
        "yes": "yes",
        "approved": "approved",
        "done": "web runs in Europe",
        "region": "to Europe",
        "europe": "Europe",
        "replicas": "three",
        "not_yes": "no problem",
        "title": "Talk to it",
    },
    "ru-RU": {
        "cut": "стоп, только риски",
        "risks": "риск",
        "reason": "прервано новым сообщением",
        "instead": "Enter: остановить и сделать это",
        "join": "Enter: добавить к тому, что я делаю",
        "pages": "только 3 страницы",
        "joined": "добавлено к работе",
        "yes": "да",
        "approved": "разрешено",
        "done": "web работает",
        "region": "в европу",
        "europe": "Европ",
        "replicas": "три",
        "not_yes": "нет проблем",
        "title": "Говорите с ним",
    },
}


@pytest.mark.parametrize("language", WORDS)
async def test_a_report_is_cut_at_once_and_a_new_reply_comes(site: Site, language: str) -> None:
    words = WORDS[language]
    await site.start(concierge(ScriptedModel(SLOW)))
    page = await site.page(language=language)
    await page.sees("#empty h2", words["title"])
    await page.sees(".offer", count=5)
    await page.all('[data-offer="interrupt"]').click()
    await page.sees('.reply[data-live="true"]')
    await page.press(words["cut"], "#tip")
    await page.hint(words["instead"])
    await page.key("Enter")
    await page.sees(".reply.cut .bar")
    await page.sees(".end", words["reason"])
    await page.sees(".reply:not(.cut)", words["risks"])
    flow = await page.flow()
    kinds = [line.split(":")[0] for line in flow]
    assert kinds == ["said", "reply", "end", "said", "reply"], flow


@pytest.mark.parametrize("language", WORDS)
async def test_a_correction_joins_what_is_done(site: Site, language: str) -> None:
    words = WORDS[language]
    await site.start(concierge(ScriptedModel(FAST)))
    page = await site.page(language=language)
    await page.all('[data-offer="correct"]').click()
    await page.sees('.call[data-state="started"]', "search_pages")
    await page.hint(words["join"])
    await page.press(words["pages"], "#tip")
    await page.key("Enter")
    await page.sees("#queue li", words["pages"])
    await page.sees(".said .mark", words["joined"])


@pytest.mark.parametrize("language", WORDS)
async def test_it_asks_and_understands_the_answer(site: Site, language: str) -> None:
    words = WORDS[language]
    await site.start(concierge(ScriptedModel(FAST)))
    page = await site.page(language=language)
    await page.all('[data-offer="ask"]').click()
    await page.sees(".card.open .option", count=3)
    await page.say(words["region"])
    await page.sees(".card.folded .answer", words["europe"])
    await page.sees(".card.folded .from", words["region"])
    await page.sees(".card.open .stepper")


@pytest.mark.parametrize("language", WORDS)
async def test_no_problem_is_no_yes(site: Site, language: str) -> None:
    words = WORDS[language]
    await site.start(concierge(ScriptedModel(FAST)))
    page = await site.page(language=language)
    await page.all('[data-offer="approve"]').click()
    await page.sees(".card.open .approval .values")
    await page.say(words["not_yes"])
    await page.sees(".card.open .problem", words["not_yes"])
    await page.sees(".card.open .approval")
    assert not [line for line in await page.flow() if line.startswith("call: deploy ")]
    await page.say(words["yes"])
    await page.sees(".card.folded .answer", words["approved"])
    await page.sees(".reply", words["done"])


@pytest.mark.parametrize("language", WORDS)
async def test_the_server_can_be_killed_while_it_asks(site: Site, language: str) -> None:
    """What a kill leaves is seen in test_line.py; here, that the offer asks in its language."""
    await site.start(concierge(ScriptedModel(FAST)))
    page = await site.page(language=language)
    await page.all('[data-offer="kill"]').click()
    await page.sees('.card.open input[type="date"]')
    await page.sees("#tip", "kill -9")
    await site.stop()
    site.may_log += ["WebSocket", "ERR_"]
    await page.sees("#banner")
    await site.start()
    await page.gone("#banner:not([hidden])")
    await page.sees('.card.open input[type="date"]')
