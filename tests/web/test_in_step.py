"""Row 78 and RACES 5, 8, 16 to 19, 25, 26: two tabs and a terminal on one thread."""

import asyncio
import json
from typing import Any

import pytest
from playwright.async_api import expect

from gateway import Agent
from gateway.core.errors import ModelFailed
from tests.acceptance.scripted import Gate, Script, call
from tests.web.asks import RAN, ask
from tests.web.site import HOME, UNPLUG, Site

pytestmark = pytest.mark.asyncio(loop_scope="session")


def asker(*after: list[object]) -> Agent:
    RAN.clear()
    return Agent("asker", Script([call("ask")], *(after or (["Thanks."],))), "", [ask])


async def test_two_tabs_and_a_terminal_see_the_same(site: Site) -> None:
    gate = Gate()
    await site.start(Agent("a", Script(["One ", gate, "two."]), ""))
    one = await site.page()
    two = await one.tab()
    ann = await site.terminal()
    await one.say("from the first tab")
    await gate.reached.wait()
    for tab in (one, two):
        await tab.sees(".said.mine", "from the first tab")
        await tab.sees('.reply[data-live="true"]', "One")
    await ann.shows("One")
    await ann.say("from the terminal")
    for tab in (one, two):
        await tab.sees("#queue li", "from the terminal")
    gate.open()
    for tab in (one, two):
        await tab.sees(".said.mine", "from the terminal")
        await tab.sees(".reply", "One two.", count=2)
        await tab.gone("#queue li")
    assert await one.flow() == await two.flow()
    await two.reload()
    await two.sees(".reply", "One two.", count=2)
    assert await one.flow() == await two.flow()


async def test_the_first_decision_wins_and_folds_the_card_everywhere(site: Site) -> None:
    await site.start(asker())
    one = await site.page()
    two = await one.tab()
    ann = await site.terminal()
    await one.say("go")
    question = await ann.frame("question")
    for tab in (one, two):
        await tab.sees(".card.open h3", "Which port?")
    await ann.say("8080", seen=question["seq"])
    for tab in (one, two):
        await tab.sees(".card.folded .answer", "8080")
        await tab.sees(".card.folded .from", "8080", count=0)
        await tab.gone(".card.open")
        await tab.gone("#waiting-count:not([hidden])")
    assert RAN == [8080]


async def test_a_press_here_folds_it_at_the_terminal(site: Site) -> None:
    await site.start(asker())
    one = await site.page()
    ann = await site.terminal()
    await one.say("go")
    await ann.frame("question")
    await one.all(".card.open input").fill("443")
    await one.press("Answer")
    await ann.frame("folded")
    assert (await ann.frame("decided"))["data"]["how"] == "button"


async def test_an_answer_written_before_the_question_could_be_seen_is_none(site: Site) -> None:
    """RACES 16: a tab in the background has seen nothing of it."""
    await site.start(asker())
    ann = await site.terminal()
    welcome = ann.frames[0]["data"]["seq"]
    one = await site.page()
    await one.say("go")
    await one.sees(".card.open")
    await ann.frame("question")
    early = await ann.say("8080", seen=welcome)
    await one.sees("#queue li", "8080")
    assert RAN == []
    await one.all(".card.open input").fill("1")
    await one.press("Answer")
    assert (await ann.outcome(early))[0] in ("steered", "answered")
    assert RAN == [1]


async def test_an_answer_in_the_same_moment_as_the_question_is_none(site: Site) -> None:
    gate = Gate()
    await site.start(Agent("a", Script([gate, call("ask")], ["Thanks."]), "", [ask]))
    RAN.clear()
    one = await site.page()
    await one.say("go")
    await gate.reached.wait()
    await one.type("8080")
    await one.page.evaluate(
        "new MutationObserver((_, o) => { if (!document.querySelector('.card.open')) return;"
        " o.disconnect(); document.querySelector('#composer').requestSubmit(); })"
        ".observe(document.querySelector('#flow'), { childList: true, subtree: true })"
    )
    gate.open()
    await one.sees("#queue li", "8080")
    await one.sees(".card.open")
    assert RAN == []


async def test_now_during_a_question_closes_it_and_runs(site: Site) -> None:
    """RACES 8."""
    await site.start(asker(["Did it."]))
    one = await site.page()
    await one.say("go")
    await one.sees(".card.open")
    await one.key("Alt+2")
    await one.hint("wait until the question is answered")
    await one.key("Alt+2")
    await one.say("something else", now=True)
    await one.sees(".card.folded .answer", "moved on")
    await one.sees(".said", "something else")
    await one.sees(".reply", "Did it.")
    assert RAN == []


async def test_the_question_goes_first_where_newer_inputs_wait(site: Site) -> None:
    """RACES 19."""
    await site.start(asker(["Thanks."], ["And that."]), queue_mode="enqueue")
    one = await site.page()
    await one.say("go")
    await one.sees(".card.open")
    await one.key("Alt+2")
    await one.say("the next thing")
    await one.sees("#queue li", "the next thing")
    await one.all(".card.open input").fill("5")
    await one.press("Answer")
    await one.sees(".reply", "And that.")
    flow = [line.split(":")[0] for line in await one.flow() if not line.startswith("call")]
    assert flow == ["said", "card", "reply", "said", "reply"]


async def test_what_calls_of_one_step_ask_stands_below_each_on_a_fresh_page_too(site: Site) -> None:
    RAN.clear()
    await site.start(Agent("a", Script([call("ask"), call("ask")], ["Thanks."]), "", [ask]))
    page = await site.page()
    await page.say("go")
    for port in ("80", "443"):
        await page.all(".card.open input").fill(port)
        await page.press("Answer")
        await page.sees(".card.folded .answer", port)
    await page.sees(".reply", "Thanks.")
    flow = await page.flow()
    assert [line.split(":")[0] for line in flow[1:-1]] == ["call", "card"] * 2
    await page.reload()
    await page.sees(".reply", "Thanks.")
    assert await page.flow() == flow
    assert RAN == [80, 443]


async def test_nothing_more_is_revealed_after_a_stop(site: Site) -> None:
    """RACES 25: what stands on both screens is what was saved."""
    gate = Gate()
    await site.start(Agent("a", Script(["Shown so far. ", gate, "Never shown."]), ""))
    one = await site.page()
    two = await one.tab()
    await one.say("go")
    await two.sees(".reply", "Shown so far.")
    await two.key("Escape")
    for tab in (one, two):
        await tab.sees(".reply.cut .bar")
        await tab.sees(".end", "stopped by you")
    gate.open()
    ann = await site.terminal()
    log = await ann.export()
    saved = [e["body"]["text"] for e in log["entries"] if e["kind"] == "assistant"]
    assert saved == ["Shown so far. "]
    for tab in (one, two):
        assert (await tab.all(".reply .text").inner_text()).strip() == "Shown so far."


async def test_another_value_soon_after_is_a_correction(site: Site) -> None:
    """RACES 26: the decision stands, the value corrects at once."""
    gate = Gate()
    await site.start(asker([gate, "never"], ["Corrected."]))
    one = await site.page()
    await one.say("go")
    await one.sees(".card.open")
    await one.say("8080")
    await one.sees(".card.folded .answer", "8080")
    await gate.reached.wait()
    await one.press("Change", ".card.folded")
    await one.hint("correct it now")
    await one.say("9090")
    await one.sees(".reply", "Corrected.")
    await one.sees(".end", "interrupted by a newer message")
    assert RAN == [8080]


async def test_retry_stands_under_what_was_stopped_or_failed_and_runs_clean(site: Site) -> None:
    """Rows 57 and 77."""
    gate = Gate()
    failing = ModelFailed("MODEL_UNAVAILABLE", "down")
    model = Script(["Half ", gate, "never"], [failing], ["Whole."])
    await site.start(Agent("a", model, ""))
    one = await site.page()
    await one.say("go")
    await gate.reached.wait()
    await one.sees(".reply", "Half")
    await one.key("Escape")
    await one.sees(".end", "stopped by you")
    await one.press("Retry", ".end")
    await one.sees(".end.failed", "failed (")
    await one.sees(".end.failed .advice", "/retry")
    words = await one.all(".end.failed .end-words").inner_text()
    error_id = words.split("(")[1].rstrip(")")
    assert error_id in site.log.getvalue()
    await one.reload()
    await one.sees(".end.failed", error_id)
    await one.press("Retry", ".end")
    await one.sees(".reply", "Whole.")
    await one.gone(".end .link")
    assert [line for line in await one.flow() if line.startswith("reply")] == ["reply: Whole."]


BUTTONS = {".end .link": ("Retry", "Повторить"), ".said .mark .link": ("Send", "Отправить")}


@pytest.mark.parametrize("which", BUTTONS)
async def test_a_button_keeps_the_focus_whatever_is_drawn_anew(site: Site, which: str) -> None:
    """Also a screen reader's place: the line is lost, another server, another language."""
    gate = Gate()
    await site.start(Agent("a", Script(["Half ", gate, "never"]), ""))
    site.may_log += ["WebSocket", "ERR_"]
    one = await site.page()
    await one.say("go")
    await gate.reached.wait()
    await one.sees(".reply", "Half")
    await one.all("#message").fill("left behind")
    await one.key("Enter")
    await one.key("Escape")
    await one.sees(".end", "stopped by you")
    button = one.all(which)
    await button.focus()
    await one.page.evaluate("() => (window.kept = document.activeElement)")

    async def stands() -> None:
        await expect(button).to_be_focused()
        assert await one.page.evaluate("document.activeElement === kept")

    await one.page.evaluate(UNPLUG)
    site.cut()
    await one.sees("#banner", "No connection")
    await stands()
    await one.page.evaluate("plug()")
    await one.gone("#banner:not([hidden])")
    await stands()
    await site.stop()
    await one.sees("#banner", "No connection")
    await site.start()
    await one.gone("#banner:not([hidden])")
    await stands()
    english, russian = BUTTONS[which]
    for language, words in (("ru", russian), ("en", english)):
        await one.page.evaluate(
            "(to) => import('/js/i18n.js').then(m => m.setLanguage(to))", language
        )
        await expect(button).to_have_text(words)
        await stands()


async def test_what_to_do_about_a_retry_that_failed_outlasts_the_page_being_drawn_anew(
    site: Site,
) -> None:
    """A retry has the page ask for all that stands, and may be over by then."""
    gate, drawn = Gate(), asyncio.Event()
    model = Script(["Half ", gate, "never"], [ModelFailed("MODEL_UNAVAILABLE", "down")])
    await site.start(Agent("a", model, ""))

    def route(socket: Any) -> None:
        server = socket.connect_to_server()

        def send(message: Any) -> None:
            socket.send(message)
            if gate.reached.is_set() and json.loads(message)["type"] == "welcome":
                drawn.set()

        server.on_message(send)

    one = await site.page()
    await one.page.route_web_socket("**/ws", route)
    await one.reload()
    await one.say("go")
    await gate.reached.wait()
    await one.sees(".reply", "Half")
    await one.key("Escape")
    await one.sees(".end", "stopped by you")
    await one.press("Retry", ".end")
    await drawn.wait()
    await one.gone(".reply")
    await one.sees(".end.failed .advice", "/retry")


async def test_what_to_do_about_a_failure_is_shown_where_it_comes_behind_the_end(
    site: Site,
) -> None:
    """The page may be drawn anew from a thread whose run has failed before it is told why."""
    model = Script([ModelFailed("MODEL_UNAVAILABLE", "down")])
    await site.start(Agent("a", model, ""))
    told: list[Any] = []

    def route(socket: Any) -> None:
        server = socket.connect_to_server()

        def send(message: Any) -> None:
            frame = json.loads(message)
            if frame["type"] == "notice" and frame["data"]["code"] == "RUN_FAILED":
                told.append(lambda: socket.send(message))
            else:
                socket.send(message)

        server.on_message(send)

    one = await site.page()
    await one.page.route_web_socket("**/ws", route)
    await one.reload()
    await one.say("go")
    await one.sees(".end.failed")
    told[0]()
    await one.sees(".end.failed .advice", "/retry")


async def test_an_end_that_the_page_was_drawn_anew_with_stands_once(site: Site) -> None:
    """A snapshot that has an end may come before the event of it."""
    model = Script([ModelFailed("MODEL_UNAVAILABLE", "down")], ["Whole."])
    await site.start(Agent("a", model, ""))
    ended, told = [], asyncio.Event()

    def route(socket: Any) -> None:
        server = socket.connect_to_server()

        def send(message: Any) -> None:
            frame = json.loads(message)
            socket.send(message)
            if frame["type"] == "run" and frame["data"]["state"] == "ended":
                ended.append(message)
            elif frame["type"] == "welcome" and ended:
                socket.send(ended[0])
                told.set()

        server.on_message(send)

    one = await site.page()
    await one.page.route_web_socket("**/ws", route)
    await one.reload()
    await one.say("go")
    await one.sees(".end.failed .advice", "/retry")
    await one.reload()
    await told.wait()
    await one.say("once more")
    await one.sees(".reply", "Whole.")
    await one.sees(".end.failed", count=1)


async def test_slow_work_of_one_thread_delays_no_other(site: Site) -> None:
    """Row 65."""
    gate = Gate()
    model = Script(["Slow ", gate, "end."], ["Quick."])
    await site.start(Agent("a", model, ""))
    one = await site.page()
    await one.say("slow")
    await gate.reached.wait()
    await one.page.get_by_role("button", name="New conversation").click()
    await one.sees("#empty")
    await one.say("quick")
    await one.sees(".reply", "Quick.")
    await one.all(".thread").filter(has_text="slow").click()
    await one.sees('.reply[data-live="true"]', "Slow")
    await one.key("Escape")
    await one.sees(".end", "stopped by you")


async def test_a_thread_that_waits_is_marked_in_the_list(site: Site) -> None:
    await site.start(asker())
    one = await site.page()
    await one.say("go")
    await one.sees(".card.open")
    await one.page.get_by_role("button", name="New conversation").click()
    await one.sees(".thread .badge", "1")
    await one.sees("#waiting-count", "1 question waits")
    await one.all("#waiting-count").click()
    await one.sees(".card.open h3", "Which port?")


async def test_the_list_is_told_of_what_happens_where_nobody_looks(site: Site) -> None:
    """A question on a thread that no page is on, its answer, a new thread, and its end."""
    await site.start(asker())
    one = await site.page()
    two = await one.tab()
    ann = await site.terminal(thread=f"{HOME}:work")
    await ann.say("ask me")
    question = await ann.frame("question")
    for tab in (one, two):
        await tab.sees(".thread", "ask me")
        await tab.sees('.thread:has-text("ask me") .badge', "1")
        await tab.sees("#waiting-count", "1 question waits")
    await ann.press(question, "value", 443)
    for tab in (one, two):
        await tab.gone(".thread .badge")
        await tab.gone("#waiting-count:not([hidden])")
    await ann.call("threads.delete", thread=f"{HOME}:work")
    for tab in (one, two):
        await tab.gone(".thread", "ask me")
