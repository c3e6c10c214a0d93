"""Rows 38 to 50, 53, 55 and 56 as seen: every kind of question, its answer, its card."""

from datetime import date
from typing import Any, Literal

import pytest
from playwright.async_api import expect
from pydantic import BaseModel, Field

from gateway import Agent, ToolContext, tool
from tests.acceptance.scripted import Script, call
from tests.web.site import Site, Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")

GOT: list[Any] = []


class Trip(BaseModel):
    to: str = Field(title="Where to")
    people: int = Field(ge=1, le=9, title="People")
    day: date = Field(title="Day")
    meals: bool = Field(title="With meals")


def asking(schema: Any, message: str = "Which?", **more: Any) -> Agent:
    """An agent with one tool that asks this."""
    GOT.clear()

    @tool
    async def ask(context: ToolContext) -> str:
        """Ask."""
        GOT.append(await context.interrupt(message=message, response_schema=schema, **more))
        return f"got {GOT[-1]}"

    return Agent("asker", Script(["Let me ask. ", call("ask")], ["Thanks."]), "", [ask])


async def asked(site: Site, schema: Any, message: str = "Which?", **more: Any) -> Tab:
    await site.start(asking(schema, message, **more))
    page = await site.page()
    await page.say("go")
    await page.sees(".card.open h3", message)
    return page


async def folded(page: Tab, answer: str, how: str) -> None:
    """It has become one line, and stays so over a reload."""
    await page.sees(".reply", "Thanks.")
    for _ in range(2):
        await page.sees(".card.folded .answer", answer)
        await page.sees(".card.folded .fold-by", how)
        await page.gone(".card.open")
        await page.reload()


async def test_yes_by_button(site: Site) -> None:
    page = await asked(site, bool, "Shall I?")
    await expect(page.page).to_have_title("(1) A question waits · go")
    await page.sees("#waiting-count", "1 question waits")
    await page.press("Yes")
    await folded(page, "yes", "you · button")
    assert GOT == [True]
    await expect(page.page).to_have_title("go · Bargein")


async def test_no_by_the_digit_without_touching_the_field(site: Site) -> None:
    page = await asked(site, bool, "Shall I?")
    await expect(page.all(".card.open")).to_be_focused()
    await page.page.wait_for_timeout(450)
    await page.key("2")
    await folded(page, "no", "you · button")
    assert GOT == [False]


async def test_a_message_that_begins_with_a_digit_answers_nothing(site: Site) -> None:
    page = await asked(site, Literal["red", "green"], "Which colour?")
    await expect(page.all(".card.open")).to_be_focused()
    await page.page.wait_for_timeout(450)
    await page.page.keyboard.type("1 minute please")
    await expect(page.all("#message")).to_have_value("1 minute please")
    await page.sees(".card.open")
    assert GOT == []


async def test_a_digit_that_is_taken_back_answers_nothing(site: Site) -> None:
    page = await asked(site, Literal["red", "green"], "Which colour?")
    await expect(page.all(".card.open")).to_be_focused()
    await page.page.wait_for_timeout(450)
    for key in ("Backspace", "Escape"):
        await page.key("1")
        await page.key(key)
        await page.page.wait_for_timeout(600)
        await page.sees(".card.open")
    assert GOT == []


async def test_a_number_can_be_typed_where_no_button_has_it(site: Site) -> None:
    page = await asked(site, int, "How many?")
    await expect(page.all(".card.open")).to_be_focused()
    await page.page.wait_for_timeout(450)
    await page.page.keyboard.type("31")
    await expect(page.all("#message")).to_have_value("31")


async def test_a_digit_that_is_typed_is_text(site: Site) -> None:
    page = await asked(site, Literal["red", "green"], "Which colour?")
    await page.type("see ")
    await page.page.wait_for_timeout(450)
    await page.all("#message").press("End")
    await page.key("1")
    await expect(page.all("#message")).to_have_value("see 1")
    await page.sees(".card.open")


async def test_a_choice_in_words_shows_what_was_understood(site: Site) -> None:
    schema = {"oneOf": [{"const": "eu", "title": "Europe"}, {"const": "us", "title": "America"}]}
    page = await asked(site, schema, "Where?")
    await page.hint("answer the question")
    await page.say("to Europe please")
    await page.sees(".card.folded .from", "to Europe please")
    await folded(page, "Europe", "you · typed")
    assert GOT == ["eu"]
    assert not [line for line in await page.flow() if line.startswith("said: to")]


async def test_a_number_has_steps_and_bounds(site: Site) -> None:
    page = await asked(site, {"type": "integer", "minimum": 1, "maximum": 5}, "How many?")
    field = page.all(".card.open input")
    await page.press("More")
    await expect(field).to_have_value("1")
    await page.press("More")
    await field.fill("7")
    await page.press("Answer")
    await page.sees(".card.open .problem", "at most 5")
    await page.say("7")
    await page.sees(".card.open .problem q", "7")
    await field.fill("3")
    await page.press("Answer")
    await folded(page, "3", "you · button")
    assert GOT == [3]


async def test_a_date_by_the_native_picker(site: Site) -> None:
    page = await asked(site, date, "Which day?")
    await page.all('.card.open input[type="date"]').fill("2026-03-15")
    await page.press("Answer")
    await folded(page, "2026", "you · button")
    assert GOT[0] == date(2026, 3, 15)


async def test_several_fields_are_a_small_form(site: Site) -> None:
    page = await asked(site, Trip, "What trip?")
    card = page.all(".card.open")
    await page.press("Answer")
    await page.sees(".card.open .problem", "Something is needed here")
    await card.get_by_label("Where to").fill("Kazan <b>")
    await card.get_by_label("People").fill("2")
    await card.get_by_label("Day").fill("2026-05-01")
    await card.get_by_role("group", name="With meals").get_by_label("Yes").check()
    await page.press("Answer")
    await page.sees(".card.folded .answer", "Kazan <b>")
    await page.sees(".reply", "Thanks.")
    assert GOT[0] == Trip(to="Kazan <b>", people=2, day=date(2026, 5, 1), meals=True)


async def test_what_is_half_filled_in_is_kept(site: Site) -> None:
    """Over another thread, another language, a reload; until it is decided."""
    page = await asked(site, Trip, "What trip?")
    card = page.all(".card.open")
    await card.get_by_label("Where to").fill("Kazan")
    await card.get_by_label("Day").fill("2026-05-01")
    await card.get_by_role("group", name="With meals").get_by_label("No").check()
    await card.get_by_role("button", name="More").click()
    await page.page.get_by_role("button", name="New conversation").click()
    await page.gone(".card")
    await page.all("#waiting-count").click()
    for way in ("RU", "EN", ""):
        await page.all(f'[aria-label^="{way},"]').click() if way else await page.reload()
        await page.sees(".card.open .option.primary", "Ответить" if way == "RU" else "Answer")
        await expect(card.get_by_label("Where to")).to_have_value("Kazan")
        await expect(card.get_by_label("People")).to_have_value("1")
        await expect(card.get_by_label("Day")).to_have_value("2026-05-01")
    await page.press("Answer")
    await page.sees(".card.folded")
    assert GOT[0] == Trip(to="Kazan", people=1, day=date(2026, 5, 1), meals=False)
    kept = "Object.keys(sessionStorage).filter((key) => key.startsWith('bargein:form:')).length"
    assert await page.page.evaluate(kept) == 0


async def test_a_list_is_ticked(site: Site) -> None:
    items = {"anyOf": [{"const": "a", "title": "Apples"}, {"const": "b", "title": "Bread"}]}
    page = await asked(site, {"type": "array", "items": items, "minItems": 1}, "What?")
    await page.press("Answer")
    await page.sees(".card.open .problem", "at least 1")
    await page.all(".card.open").get_by_label("Bread").check()
    await page.press("Answer")
    await folded(page, "Bread", "you · button")
    assert GOT == [["b"]]


async def test_money_has_an_amount_and_a_currency(site: Site) -> None:
    schema = {
        "type": "object",
        "properties": {
            "amount": {"type": "number", "minimum": 0, "maximum": 500},
            "currency": {"enum": ["EUR", "RUB"]},
        },
        "required": ["amount", "currency"],
    }
    page = await asked(site, schema, "How much?")
    await page.all(".card.open input").fill("12.5")
    await page.all(".card.open select").select_option("RUB")
    await page.press("Answer")
    await page.sees(".reply", "Thanks.")
    assert GOT == [{"amount": 12.5, "currency": "RUB"}]


async def test_free_text_goes_through_the_message_field(site: Site) -> None:
    page = await asked(site, str, "What is its name?")
    await page.press("Answer in the message field")
    await expect(page.all("#message")).to_be_focused()
    await page.sees(".chip", "Answer to: What is its name?")
    await page.say("Blue Door")
    await folded(page, "Blue Door", "you · typed")
    assert GOT == ["Blue Door"]


async def test_unclear_is_asked_again_twice_then_it_moves_on(site: Site) -> None:
    page = await asked(site, bool, "Shall I?")
    for text in ("maybe", "hmm maybe"):
        await page.say(text)
        await page.sees(".card.open .problem q", text)
    await page.say("who knows")
    await page.sees(".card.folded .answer", "moved on")
    await page.sees(".said", "who knows")
    await page.sees(".reply", "Thanks.")
    assert GOT == []


async def test_a_new_request_is_answered_itself(site: Site) -> None:
    page = await asked(site, Literal["red", "green"], "Which colour?")
    await page.say("please tell me something about whales")
    await page.sees(".card.folded .answer", "moved on")
    await page.sees(".said", "about whales")
    await page.sees(".reply", "Thanks.")


async def test_skip_takes_the_default(site: Site) -> None:
    page = await asked(site, {"type": "integer", "default": 4}, "How many?")
    await page.press("Skip (takes 4)")
    await folded(page, "4", "skipped")


async def test_decline_ends_it(site: Site) -> None:
    page = await asked(site, bool, "Shall I?")
    await page.press("Decline and end this")
    await page.sees(".card.folded .answer", "declined")
    await page.sees(".end", "stopped by you")


async def test_time_runs_out_and_the_run_goes_on(site: Site) -> None:
    page = await asked(site, bool, "Shall I?", expires_in=2)
    await expect(page.all(".card.open .timeline")).to_be_visible()
    await page.sees(".card.folded .answer", "nobody answered in time")
    await page.sees(".reply", "Thanks.")
    await page.say("yes")
    await page.sees(".said .mark", "not taken: the question had expired")


async def test_two_open_questions_are_told_apart(site: Site) -> None:
    GOT.clear()

    @tool(parallel_safe=True)
    async def ask(context: ToolContext, what: str) -> str:
        """Ask."""
        GOT.append((what, await context.interrupt(message=what, response_schema=bool)))
        return "ok"

    model = Script([call("ask", what="First?"), call("ask", what="Second?")], ["Thanks."])
    await site.start(Agent("asker", model, "", [ask], parallel_tool_calls=True))
    page = await site.page()
    await page.say("go")
    await page.sees(".card.open", count=2)
    await page.hint("several questions are open")
    await page.say("yes")
    await page.sees(".note", "Which question do you answer?")
    await page.press("No", '.card.open:has-text("Second?")')
    await page.sees('.card.folded:has-text("Second?") .answer', "no")
    await page.say("yes")
    await page.sees('.card.folded:has-text("First?") .answer', "yes")
    await page.sees(".reply", "Thanks.")
    assert sorted(GOT) == [("First?", True), ("Second?", False)]


async def test_what_was_understood_can_be_changed_at_once(site: Site) -> None:
    page = await asked(site, Literal["red", "green"], "Which colour?")
    await page.say("red")
    await page.sees(".card.folded .answer", "red")
    await page.press("Change", ".card.folded")
    await page.sees(".chip", "Instead of: Which colour?")
    await page.say("green")
    await page.sees(".said", "green")
