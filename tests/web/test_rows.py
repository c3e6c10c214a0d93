"""Rows 29, 34, 36, 43, 46, 52 and 56 as they are seen in a browser."""

from typing import Any

import pytest

from gateway import Agent, ToolContext, tool
from tests.acceptance.scripted import Gate, Script, call
from tests.web.site import Site, Tab
from tests.web.test_people import app_of, opened

pytestmark = pytest.mark.asyncio(loop_scope="session")

RAN: list[object] = []


@tool
async def ask(context: ToolContext) -> str:
    """Ask."""
    RAN.append(await context.interrupt(message="How many?", response_schema={"type": "integer"}))
    return "asked"


@tool
async def count(context: ToolContext) -> str:
    """Count."""
    RAN.append("counted")
    return "counted"


@tool(approval=True)
async def deploy(context: ToolContext) -> str:
    """Deploy."""
    RAN.append("deployed")
    return "deployed"


def agent(*steps: Any) -> Agent:
    RAN.clear()
    return Agent("a", Script(*steps), "", [ask, count, deploy])


async def at_work(site: Site, **settings: Any) -> tuple[Tab, Gate]:
    """A page whose agent works until the gate opens, then does what it was told."""
    gate = Gate()

    def echo(request: Any) -> list[object]:
        return [f"Did {request.messages[-1].text}."]

    await site.start(agent(["Working ", gate, "done."], *[echo] * 9), **settings)
    page = await site.page()
    await page.say("first")
    await gate.reached.wait()
    return page, gate


async def fill(site: Site, drop: str) -> tuple[Tab, Gate]:
    """Three messages for a queue of two."""
    page, gate = await at_work(site, queue_mode="enqueue", queue={"cap": 2, "drop": drop})
    for number in range(3):
        await page.say(f"more {number}")
        await page.sees("#queue li", f"more {number}")
    await page.sees("#queue li", count=2)
    return page, gate


async def test_the_oldest_that_is_dropped_is_told_and_can_be_sent_again(site: Site) -> None:
    """Row 34."""
    page, gate = await fill(site, "drop_oldest")
    for _ in range(2):
        await page.sees('.said:has-text("more 0") .mark', "not taken: queue full")
        await page.reload()
    gate.open()
    await page.sees(".reply", "Did more 2.")
    await page.press("Send", '.said:has-text("more 0")')
    await page.sees(".reply", "Did more 0.")


async def test_what_is_summed_up_says_how_many_it_was(site: Site) -> None:
    """Row 34."""
    page, gate = await fill(site, "summarize")
    await page.sees("#queue li", "[2 messages, shortened]")
    await page.sees(".note", "2 waiting messages were shortened into one")
    gate.open()
    await page.sees(".reply", "more 0")
    await page.sees(".reply", "Did more 2.")


async def test_the_queue_can_be_read_and_set_by_words(site: Site) -> None:
    """Rows 29 and 36: which mode holds and where it was set, what waits."""
    page, gate = await at_work(site)
    await page.say("/queue enqueue")
    await page.hint("wait for your turn")
    await page.say("something that waits")
    await page.sees("#queue li", "something that waits")
    await page.say("/queue")
    await page.sees(".note", "something that waits")
    await page.sees(".note", "waits its turn (set for the conversation)")
    gate.open()
    await page.sees(".reply", "Did something that waits.")


@pytest.mark.parametrize(
    ("language", "word", "shown"),
    [
        ("en-US", "cancel", "declined"),
        ("en-US", "skip", "declined"),
        ("ru-RU", "отмена", "без ответа"),
        ("ru-RU", "пропусти", "без ответа"),
    ],
)
async def test_a_control_is_no_answer(site: Site, language: str, word: str, shown: str) -> None:
    """Row 43."""
    await site.start(agent([call("ask")], ["Thanks."]))
    page = await site.page(language=language)
    await page.say("go")
    await page.sees(".card.open")
    await page.say(word)
    await page.sees(".card.folded .answer", shown)
    assert RAN == []


@pytest.mark.parametrize(("language", "word"), [("en-US", "help"), ("ru-RU", "повтори")])
async def test_help_and_repeat_leave_the_question_open(
    site: Site, language: str, word: str
) -> None:
    """Row 43: neither is a try, however often."""
    await site.start(agent([call("ask")], ["Thanks."]))
    page = await site.page(language=language)
    await page.say("go")
    for _ in range(4):
        await page.sees(".card.open")
        await page.say(word)
        await page.gone(".card.open .pending:not(:empty)")
    await page.say("3")
    await page.sees(".card.folded .answer", "3")
    await page.sees(".reply", "Thanks.")
    assert RAN == [3]


async def test_what_is_done_does_not_run_again_after_the_answer(site: Site) -> None:
    """Row 46."""
    await site.start(agent([call("count"), call("ask"), call("count")], ["Thanks."]))
    page = await site.page()
    await page.say("go")
    await page.sees('.call[data-state="returned"]', "count", count=1)
    await page.sees(".card.open")
    assert RAN == ["counted"]
    await page.say("3")
    await page.sees(".reply", "Thanks.")
    await page.sees('.call[data-state="returned"]', count=3)
    assert RAN == ["counted", 3, "counted"]


async def test_a_pause_is_listed_and_cancelled_after_a_restart(site: Site) -> None:
    """Row 56."""
    await site.start(agent([call("ask")], ["Thanks."]))
    site.may_log += ["WebSocket", "ERR_"]
    page = await site.page()
    await page.say("go")
    await page.sees(".card.open")
    await site.stop()
    await site.start()
    await page.gone("#banner:not([hidden])")
    await page.page.get_by_role("button", name="New conversation").click()
    await page.sees('.thread:has-text("go") .badge', "1")
    await page.all("#waiting-count").click()
    await page.press("Decline and end this")
    await page.sees(".card.folded .answer", "declined")
    await page.sees(".end", "stopped by you")
    await page.gone("#waiting-count:not([hidden])")
    assert RAN == []


async def test_only_who_is_asked_may_answer(site: Site) -> None:
    """Row 52: another member sees that something is asked, has no button, and their yes waits."""
    model = Script([call("deploy")], ["Deployed."], ["Hello, bob."])
    ann, bob = await opened(site, "ann", "bob", model=model, tools=[deploy])
    RAN.clear()
    await ann.say("go")
    await ann.sees(".card.open .approval")
    key = await app_of(site).front.people.share("local:ann", "ann")
    await bob.open(f"/?join=local%3Aann&key={key}")
    await bob.sees(".said", "go")
    await bob.gone(".card.open button")
    await bob.say("yes")
    await bob.sees("#queue li", "yes")
    await ann.sees("#queue li", "yes")
    await ann.sees(".card.open .approval")
    assert RAN == []
    await ann.press("Deny")
    await ann.sees(".card.folded .answer", "denied")
    await bob.sees(".reply", "Hello, bob.")
    assert RAN == []
