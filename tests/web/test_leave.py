"""What a press, an old message or an edit could be taken for: leave is never given by the way."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import expect

from gateway import Agent, ToolContext, tool
from tests.acceptance.scripted import Gate, Script, call
from tests.web.site import GUARD_SECONDS, Site, Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")

RAN: list[Any] = []
LARGE = 2**53 + 1
NOTE = "Two lines,\r\nas they were."


@tool(approval=True)
async def refund(context: ToolContext, order: int, euros: int = 5, note: str = "") -> str:
    """Refund an order."""
    RAN.append((order, euros, note))
    return "refunded"


@tool
async def look(context: ToolContext) -> str:
    """Look."""
    return "looked"


async def asked(site: Site, *steps: Any, **arguments: Any) -> Tab:
    RAN.clear()
    given = {"order": 7, **arguments}
    model = Script(*steps, [call("refund", **given)], ["All right."], ["And now?"])
    await site.start(Agent("a", model, "", [refund, look]), queue_mode="enqueue")
    return await site.page()


async def test_the_second_click_on_a_link_presses_nothing_that_slides_under_it(site: Site) -> None:
    page = await asked(site)
    await page.say("go")
    await page.sees(".card.open .approval")
    await asyncio.sleep(GUARD_SECONDS)
    await page.page.evaluate(
        """() => {
          const card = document.querySelector(".card.open");
          const links = [...card.querySelectorAll(".foot button")];
          links.find((one) => one.textContent === "Change the arguments").click();
          card.querySelector('[data-option="approve"]').click();
        }"""
    )
    await page.sees(".card.open .form")
    await asyncio.sleep(GUARD_SECONDS)
    assert RAN == []
    await page.press("Approve")
    await page.sees(".reply", "All right.")
    assert RAN == [(7, 5, "")]


async def test_a_dropped_message_that_is_put_back_answers_no_question(site: Site) -> None:
    gate = Gate()
    page = await asked(site, [gate, call("look")])
    await page.say("go")
    await gate.reached.wait()
    await page.say("yes")
    await page.sees("#queue li", "yes")
    await page.press("Drop", "#queue li")
    await page.sees("#queue .undo")
    gate.open()
    await page.sees(".card.open .approval")
    await asyncio.sleep(GUARD_SECONDS)
    await page.press("Undo", "#queue")
    await page.sees("#queue li", "yes")
    await page.sees(".card.open .approval")
    assert RAN == []
    await page.press("Deny")
    await page.sees(".reply", "And now?")
    assert RAN == []


async def test_what_is_not_touched_stays_to_its_last_digit_and_line(site: Site) -> None:
    page = await asked(site, order=LARGE, euros=5, note=NOTE)
    await page.say("go")
    await page.sees(".card.open .values td", str(LARGE))
    await page.press("Change the arguments")
    await page.all(".card.open").get_by_label("euros").fill("6")
    await page.press("Approve")
    await page.sees(".reply", "All right.")
    assert RAN == [(LARGE, 6, NOTE)]


async def test_no_sign_turns_or_covers_what_leave_is_asked_for(site: Site) -> None:
    page = await asked(site, note="to \u202eyrrab\u202c, not\u200b to al\ufeffl\x1b[8m")
    await page.say("go")
    shown = page.all(".card.open .values td").last
    written = r"to \u202eyrrab\u202c, not\u200b to al\ufeffl\u001b[8m"
    await expect(shown).to_have_text(written)


async def test_a_form_that_was_begun_outlives_a_restart(site: Site) -> None:
    page = await asked(site, euros=5)
    await page.say("go")
    await page.press("Change the arguments")
    euros = page.all(".card.open").get_by_label("euros")
    await euros.fill("6")
    site.may_log += ["WebSocket", "ERR_"]
    await site.stop()
    await page.sees("#banner", "No connection")
    await site.start(queue_mode="enqueue")
    await page.gone("#banner:not([hidden])")
    await expect(euros).to_have_value("6")
    await expect(euros).to_be_focused()
    await page.press("Approve")
    await page.sees(".reply", "All right.")
    assert RAN == [(7, 6, "")]


async def test_a_question_that_came_while_the_line_was_down_is_said(site: Site) -> None:
    gate = Gate()
    page = await asked(site, [gate, call("look")])
    await page.say("go")
    await gate.reached.wait()
    await page.page.evaluate("location.hash = 'local:root:other'")
    await expect(page.all(".said")).to_have_count(0)
    gate.open()
    await page.sees("#threads .waits, #waiting-count:not([hidden])")
    await page.page.evaluate("location.hash = ''")
    await page.sees(".card.open .approval")
    await page.sees('[role="alert"]:has-text("A question from refund")')
