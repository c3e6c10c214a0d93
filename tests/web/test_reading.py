"""Row 78: roles, names, focus, keys, live regions, widths."""

import asyncio
from typing import Any, Literal

import pytest
from playwright.async_api import expect

from gateway import Agent, ToolContext, tool
from tests.acceptance.scripted import Gate, Script, call
from tests.web.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")


@tool(approval=True)
async def deploy(context: ToolContext, service: str) -> str:
    """Deploy."""
    return "done"


@tool
async def pick(context: ToolContext) -> str:
    """Pick."""
    answer = await context.interrupt(
        message="Which colour?", response_schema=Literal["red", "green"]
    )
    return str(answer)


def busy() -> tuple[Agent, Gate]:
    gate = Gate()
    model = Script(
        ["One sentence here. ", "And another one! ", gate, "The end."],
        [call("pick")],
        ["**Picked**. See `this`."],
        [call("deploy", service="web")],
        ["Fine."],
    )
    return Agent("a", model, "", [deploy, pick]), gate


async def test_roles_and_names_are_told(site: Site) -> None:
    agent, gate = busy()
    await site.start(agent)
    page = (await site.page()).page
    await expect(page.get_by_role("banner")).to_be_visible()
    await expect(page.get_by_role("main")).to_be_visible()
    await expect(page.get_by_role("navigation", name="Conversations")).to_be_visible()
    await expect(page.get_by_role("textbox", name="Message")).to_be_focused()
    await expect(page.get_by_role("button", name="Send", exact=True)).to_be_disabled()
    await page.get_by_role("textbox").fill("go")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("article", name="You said")).to_contain_text("go")
    await expect(page.get_by_role("article", name="Agent")).to_contain_text("One sentence")
    await expect(page.get_by_role("group", name="What this message does")).to_be_visible()
    await expect(page.get_by_role("button", name="Stop")).to_be_visible()
    gate.open()


async def test_the_stream_is_said_in_sentences_and_once(site: Site) -> None:
    agent, gate = busy()
    await site.start(agent)
    page = await site.page()
    spoken = page.all("#spoken p")
    await page.say("go")
    await page.sees(".reply", "And another one!")
    await gate.reached.wait()
    gate.open()
    await expect(page.all("#spoken")).to_contain_text("The end.")
    words = " ".join(await spoken.all_inner_texts())
    assert " ".join(words.split()) == "One sentence here. And another one! The end."
    live = await page.page.evaluate(
        "() => [...document.querySelectorAll('#flow, #flow *')].some(n => n.ariaLive)"
    )
    assert not live
    await page.reload()
    await page.sees(".reply", "The end.")
    assert await spoken.count() == 0


async def test_a_question_takes_the_focus_only_where_nothing_is_typed(site: Site) -> None:
    agent, gate = busy()
    gate.open()
    await site.start(agent)
    page = await site.page()
    await page.say("go")
    await page.sees(".reply", "The end.")
    await page.say("ask")
    await expect(page.page.get_by_role("region", name="Which colour?")).to_be_focused()
    await expect(page.all("#announced")).to_contain_text("A question from pick: Which colour?")
    await page.key("g")
    await expect(page.all("#message")).to_be_focused()
    await expect(page.all("#message")).to_have_value("g")
    await page.say("red")
    await page.sees(".reply", "Picked")
    await expect(page.all("#message")).to_be_focused()
    await page.say("deploy")
    await page.type("I am typing")
    await page.sees(".card.open .approval")
    await expect(page.all("#message")).to_be_focused()
    await expect(page.all("#message")).to_have_value("I am typing")


async def test_everything_by_keyboard(site: Site) -> None:
    agent, gate = busy()
    await site.start(agent)
    page = await site.page()
    await page.key("?")
    await page.sees("dialog[open] h2", "Keys")
    await page.key("Escape")
    await page.gone("dialog")
    await page.say("go")
    await gate.reached.wait()
    await page.hint("add to what I’m doing")
    await page.key("Alt+1")
    await page.hint("stop and do this instead")
    await page.key("Alt+1")
    await page.key("Escape")
    await page.sees(".end", "stopped by you")
    await page.say("ask")
    await page.sees(".card.open")
    await asyncio.sleep(0.5)
    await page.key("1")
    await page.sees(".card.folded .answer", "red")
    await page.sees(".reply", "Picked")
    await page.say("deploy")
    await page.sees(".card.open .approval")
    await asyncio.sleep(0.5)
    for _ in range(12):
        await page.key("Tab")
        if await page.all('[data-option="deny"]:focus').count():
            break
    await page.key("Enter")
    await page.sees(".card.folded .answer.denied")
    await page.key("Alt+n")
    await page.sees("#message:focus")
    await expect(page.all("#flow > *")).to_have_count(0)


async def test_the_skip_link_leads_to_the_message_field(site: Site) -> None:
    agent, _ = busy()
    await site.start(agent)
    page = await site.page()
    skip = page.page.get_by_role("link", name="Skip to the message field")
    await skip.focus()
    await expect(skip).to_be_in_viewport()
    await page.key("Enter")
    await expect(page.all("#message")).to_be_focused()
    assert page.page.url == f"{site.address}/"


async def test_nothing_moves_by_itself_where_that_is_not_wanted(site: Site) -> None:
    agent, gate = busy()
    await site.start(agent)
    page = await site.page(reduced_motion="reduce")
    await page.say("go")
    await gate.reached.wait()
    await page.sees(".caret")
    moving = await page.page.evaluate(
        "() => document.getAnimations().length + [...document.querySelectorAll('*')]"
        ".filter(n => getComputedStyle(n).transitionDuration !== '0s').length"
    )
    assert moving == 0
    gate.open()


async def test_a_lost_line_is_said_once_and_counted_for_the_eye(site: Site) -> None:
    agent, _ = busy()
    await site.start(agent)
    site.may_log += ["WebSocket", "ERR_"]
    page = await site.page()
    await site.stop()
    await page.sees("#banner", "for 3 seconds")
    spoken = [text for text in await page.all("#spoken p").all_inner_texts() if "No conn" in text]
    assert len(spoken) == 1
    assert await page.all("#banner").get_attribute("role") is None


async def test_the_language_is_switched_and_kept(site: Site) -> None:
    agent, gate = busy()
    gate.open()
    await site.start(agent)
    page = await site.page()
    await page.page.get_by_role("button", name="Русский").click()
    await expect(page.all("html")).to_have_attribute("lang", "ru")
    await page.hint("Enter: отправить")
    await page.say("/whoami")
    await page.sees(".note", "Вы здесь")
    await page.reload()
    await page.hint("Enter: отправить")
    english = await page.page.evaluate(
        "() => import('/js/words.en.js').then(m => Object.keys(m.default).sort().join())"
    )
    russian = await page.page.evaluate(
        "() => import('/js/words.ru.js').then(m => Object.keys(m.default).sort().join())"
    )
    assert english == russian


async def test_a_phone_shows_all_without_scrolling_aside(site: Site) -> None:
    agent, gate = busy()
    gate.open()
    await site.start(agent)
    page = await site.page(width=390, height=780)
    for words in ("go", "ask"):
        await page.say(words)
    await page.sees(".card.open")
    wide = await page.page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= 390
    boxes = [await box.bounding_box() for box in await page.all(".card.open .option").all()]
    assert all(box is not None and box["height"] >= 40 for box in boxes)
    await page.page.get_by_role("button", name="Conversations").click()
    await page.sees("#threads .thread", "go")
    await page.key("Escape")
    await expect(page.all("#threads")).to_be_hidden()


async def test_what_is_read_does_not_move_while_more_comes(site: Site) -> None:
    lines: list[Any] = []
    for number in range(60):
        lines += [f"Line {number} of a long reply.\n\n", 0.01]
    await site.start(Agent("a", Script(lines), ""))
    page = await site.page(height=600)
    await page.say("go")
    await page.sees(".reply", "Line 3 ")
    first = page.all(".reply p").nth(0)
    before = await first.bounding_box()
    await page.sees(".reply", "Line 59 ")
    assert await first.bounding_box() == before
    await page.sees("#below", "New below")
    await page.all("#below").click()
    await expect(page.all(".reply p").last).to_be_in_viewport()
    await page.gone("#below:not([hidden])")
